package callshape

import "github.com/callwright/callwright/internal/jsonx"

// Spoken is a response object without calls: text, reasoning, and whether more work is needed as written.
type Spoken struct{ Content, Reasoning, More string }

// SpokenOf parses a response object without calls. It must have a text with needsMoreWork, or only reasoning, and no
// other members. Otherwise ok is false.
func SpokenOf(v []byte) (s Spoken, ok bool) {
	list, err := jsonx.ParseObject(v)
	if err != nil {
		return s, false
	}
	said := map[string]bool{}
	for _, m := range list {
		text, isText := jsonx.String(m.Value)
		switch {
		case said[m.Key]:
			return s, false
		case m.Key == "content" && isText:
			s.Content = text
		case m.Key == "scratchpad" && isText:
			s.Reasoning = text
		case m.Key == "needsMoreWork" && jsonx.KindOf(m.Value) == jsonx.Bool:
			s.More = string(jsonx.Trim(m.Value))
		default:
			return s, false
		}
		said[m.Key] = true
	}
	return s, said["content"] && said["needsMoreWork"] || !said["content"] && s.Reasoning != ""
}
