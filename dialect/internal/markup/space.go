package markup

import "strings"

// spaceMarks are white space as tokenizers spell it.
var spaceMarks = [...]string{"Ġ", "▁", "Ċ"}

var (
	spaces = strings.NewReplacer("Ġ", " ", "▁", " ", "Ċ", "\n")
	atTags = strings.NewReplacer(">Ġ", ">", ">▁", ">", ">Ċ", ">", "Ġ<", "<", "▁<", "<", "Ċ<", "<")
)

// SpaceMark is the length of the white space at the beginning of t, as a tokenizer spells it; -1 where it may be cut.
func SpaceMark(t string) int {
	for _, m := range spaceMarks {
		switch {
		case strings.HasPrefix(t, m):
			return len(m)
		case strings.HasPrefix(m, t):
			return -1
		}
	}
	return 0
}

// RestoreSpaces is a text without a tokenizer's spelling of white space. Where the text has other white space, too,
// only such spellings between tags are removed.
func RestoreSpaces(text string) string {
	if strings.ContainsAny(text, " \n") {
		return atTags.Replace(text)
	}
	return spaces.Replace(text)
}
