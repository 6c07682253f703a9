package outbound

import "github.com/callwright/callwright"

// BytesPerToken is greater than the average number of bytes per token in a long text. White space and repeated
// characters are not counted, because tokenizers have tokens for long runs of them.
const BytesPerToken = 8

// LeastTokens returns a lower bound of the number of tokens in a conversation, for any tokenizer. It counts texts,
// calls and tool results. Media, reasoning and opaque parts are not counted, because their size does not determine
// their tokens.
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

// distinct returns the number of bytes of s that are neither white space nor equal to the byte before.
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
