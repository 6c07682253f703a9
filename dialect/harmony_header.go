package dialect

import "strings"

const maxHeader = 512

// isChannel reports whether a word is the name of a channel, which stands between two tokens of a header.
func isChannel(word string) bool {
	return word == "analysis" || word == "commentary" || word == "final"
}

func endsMessage(x token) bool { return x.tag == "|end" || x.tag == "|call" || x.tag == "|return" }

// A messageHeader is the header of a message, in the harmony format.
type messageHeader struct {
	role, channel, to string
	rest              string // what stands behind all that
}

// isIdle reports whether a header that names its channel is one of no call.
func isIdle(header string) bool {
	m := headerParts(header)
	return m.channel != "" && (m.to == "" || m.to == "assistant")
}

// isKnown reports whether a header says what such headers say.
func (m *messageHeader) isKnown() bool {
	role := m.role == "" || m.role == "assistant" || m.role == "user" || m.role == "system" || m.role == "developer" || m.role == "tool" || strings.HasPrefix(m.role, "functions.")
	return role && (m.channel != "" || m.role != "" || m.to != "") && (m.channel == "" || isChannel(m.channel))
}

// headerParts are the parts of a message's header.
func headerParts(header string) messageHeader {
	var m messageHeader
	for part := range strings.SplitSeq(header, "<") {
		name, text, ok := strings.Cut(part, ">")
		if !ok {
			name, text = "", part
		}
		text = strings.TrimSpace(text)
		word, rest, _ := strings.Cut(text, " ")
		switch strings.Trim(name, "|｜") {
		case "start":
			m.role = word
		case "channel":
			m.channel = word
		case "constrain":
			_, rest, _ = strings.Cut(text, "{")
			if rest != "" {
				rest = "{" + rest
			}
		default:
			rest = text
		}
		if _, after, ok := strings.Cut(text, "to="); ok {
			m.to, rest, _ = strings.Cut(after, " ")
			if n := strings.IndexAny(m.to, "{\n"); n >= 0 {
				rest, m.to = after[n:], m.to[:n]
			}
		}
		m.rest = first(strings.TrimSpace(rest), m.rest)
	}
	m.to = strings.TrimPrefix(m.to, "functions.")
	return m
}
