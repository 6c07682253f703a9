package fitness

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
)

// bytesPerToken is the assumed number of bytes of text for a token.
const bytesPerToken = 4

// AskOf returns the requirements of a request. Tokens are counted by the function that the request carries (see package
// companion), or estimated from the size of the text. It returns an error if the history or the tools cannot be
// decoded.
func AskOf(req *callwright.Request) (*Requirements, error) {
	tools, err := req.DeclaredTools()
	if err != nil {
		return nil, err
	}
	output, _ := req.Params.MaxTokens.Int64() // 0, no limit, if it is not a whole number
	ask := &Requirements{Tokens: companion.Of(req).Tokens, Output: int(output), Tools: len(tools)}
	media := slices.ContainsFunc(req.Summaries(), func(s callwright.Summary) bool { return s.Media })
	if ask.Tokens != nil && !media {
		return ask, nil
	}
	history, err := req.History()
	if err != nil {
		return nil, err
	}
	ask.Images = media && slices.ContainsFunc(history, func(m callwright.Message) bool { return slices.ContainsFunc(m.Parts, isImage) })
	if ask.Tokens == nil {
		n := 0
		for i := range tools {
			n += len(tools[i].Name) + len(tools[i].Description) + len(tools[i].Schema)
		}
		for i := range history {
			n += bytesOf(history[i].Parts)
		}
		ask.Tokens = func(callwright.ModelID) int { return n/bytesPerToken + 1 }
	}
	return ask, nil
}

func isImage(p callwright.Part) bool {
	_, ok := p.(callwright.Image)
	return ok
}

// bytesOf returns the size in bytes of the text in message parts.
func bytesOf(parts []callwright.Part) (n int) {
	for _, p := range parts {
		switch p := p.(type) {
		case callwright.Text:
			n += len(p.Text)
		case callwright.Reasoning:
			n += len(p.Text)
		case callwright.Call:
			n += len(p.Name) + len(p.Arguments) + len(p.Input)
		case callwright.Result:
			n += bytesOf(p.Parts)
		case callwright.File:
			n += len(p.Text)
		case callwright.Opaque:
			n += len(p.Extra.JSON)
		}
	}
	return n
}
