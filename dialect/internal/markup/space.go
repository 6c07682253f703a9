package markup

import "strings"

// spaceMarks are the symbols of tokenizers for white space.
var spaceMarks = [...]string{"Ġ", "▁", "Ċ"}

var (
	spaces = strings.NewReplacer("Ġ", " ", "▁", " ", "Ċ", "\n")
	atTags = strings.NewReplacer(">Ġ", ">", ">▁", ">", ">Ċ", ">", "Ġ<", "<", "▁<", "<", "Ċ<", "<")
)

// SpaceMark returns the size of the symbol of spaceMarks at the beginning of t, 0 if there is none, and -1 if it may
// be incomplete.
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

// RestoreSpaces replaces tokenizers' symbols for white space by white space. If the text also has ordinary white space,
// it only removes symbols next to tags.
func RestoreSpaces(text string) string {
	if strings.ContainsAny(text, " \n") {
		return atTags.Replace(text)
	}
	return spaces.Replace(text)
}
