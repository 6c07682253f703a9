// Package harmony parses message headers of the harmony format (gpt-oss).
package harmony

import (
	"cmp"
	"slices"
	"strings"
)

// MaxHeader is the maximum size of a header in bytes.
const MaxHeader = 512

// Speaker is the role of the model.
const Speaker = "assistant"

// IsChannel reports whether word is a channel name.
func IsChannel(word string) bool { return slices.Contains(channels, word) }

var channels = []string{"analysis", "commentary", "final"}

// A Header is a parsed message header.
type Header struct {
	Role, Channel, To string
	Rest              string // the text after the known fields
}

// IsIdle reports whether a header has a channel but is not a call.
func IsIdle(header string) bool {
	m := Parse(header)
	return m.Channel != "" && (m.To == "" || m.To == "assistant")
}

// IsKnown reports whether the header has only known roles and channels.
func (m *Header) IsKnown() bool {
	role := m.Role == "" || m.Role == "assistant" || m.Role == "user" || m.Role == "system" || m.Role == "developer" ||
		m.Role == "tool" || strings.HasPrefix(m.Role, "functions.")
	return role && (m.Channel != "" || m.Role != "" || m.To != "") && (m.Channel == "" || IsChannel(m.Channel))
}

// Parse parses a message header.
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
