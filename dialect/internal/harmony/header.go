// Package harmony reads the headers of messages in the format of that name.
package harmony

import (
	"cmp"
	"slices"
	"strings"
)

// MaxHeader bounds the length of a header.
const MaxHeader = 512

// Speaker is the role of the model.
const Speaker = "assistant"

// IsChannel reports whether a word is the name of a channel, which stands between two tokens of a header.
func IsChannel(word string) bool { return slices.Contains(channels, word) }

var channels = []string{"analysis", "commentary", "final"}

// A Header is the header of a message, in the harmony format.
type Header struct {
	Role, Channel, To string
	Rest              string // what stands after all that
}

// IsIdle reports whether a header that names its channel is one of no call.
func IsIdle(header string) bool {
	m := Parse(header)
	return m.Channel != "" && (m.To == "" || m.To == "assistant")
}

// IsKnown reports whether a header has only the parts of such headers.
func (m *Header) IsKnown() bool {
	role := m.Role == "" || m.Role == "assistant" || m.Role == "user" || m.Role == "system" || m.Role == "developer" ||
		m.Role == "tool" || strings.HasPrefix(m.Role, "functions.")
	return role && (m.Channel != "" || m.Role != "" || m.To != "") && (m.Channel == "" || IsChannel(m.Channel))
}

// Parse gives the parts of a message's header.
func Parse(header string) Header {
	var m Header
	for part := range strings.SplitSeq(header, "<") {
		name, text, ok := strings.Cut(part, ">")
		if !ok {
			name, text = "", part
		}
		text = strings.TrimSpace(text)
		word, rest, _ := strings.Cut(text, " ")
		switch strings.Trim(name, "|｜") {
		case "start":
			m.Role = word
		case "channel":
			m.Channel = word
		case "constrain":
			_, rest, _ = strings.Cut(text, "{")
			if rest != "" {
				rest = "{" + rest
			}
		default:
			if rest = text; text == Speaker && m.Role == "" {
				m.Role, rest = text, ""
			}
		}
		if _, after, ok := strings.Cut(text, "to="); ok {
			m.To, rest, _ = strings.Cut(after, " ")
			if n := strings.IndexAny(m.To, "{\n"); n >= 0 {
				rest, m.To = after[n:], m.To[:n]
			}
		}
		m.Rest = cmp.Or(strings.TrimSpace(rest), m.Rest)
	}
	m.To = strings.TrimPrefix(m.To, "functions.")
	return m
}
