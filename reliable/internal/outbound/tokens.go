package outbound

import "github.com/callwright/callwright"

// BytesPerToken is more than the average token of a long text has, where white space and repeated characters are not
// counted: tokenizers have tokens for long runs of these.
const BytesPerToken = 8

// LeastTokens returns how many tokens a conversation has at least, whatever tokenizer reads it: those of its texts,
// calls and results. Media, reasoning and opaque parts are not counted, as their size says little.
func LeastTokens(history []callwright.Message) int {
	n := 0
	for _, m := range history {
		n += countedBytes(m.Parts)
	}
	return n / BytesPerToken
}

func countedBytes(parts []callwright.Part) (n int) {
	for _, p := range parts {
		switch p := p.(type) {
		case callwright.Text:
			n += distinct(p.Text)
		case callwright.Call:
			n += distinct(p.Input) + distinct(string(p.Arguments))
		case callwright.Result:
			n += countedBytes(p.Parts)
		}
	}
	return n
}

// distinct counts the bytes of a text that are neither white space nor the same as the byte before.
func distinct(s string) (n int) {
	var before byte
	for i := range len(s) {
		if c := s[i]; c > ' ' && c != before {
			n++
		}
		before = s[i]
	}
	return n
}
