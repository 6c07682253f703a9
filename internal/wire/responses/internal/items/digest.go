package items

import (
	"strings"

	"github.com/callwright/callwright"
)

// CallName is the name of the tool that an item calls, "" for one that is no call.
func CallName(item []byte, class Class) string {
	if class.Call == nil {
		return ""
	}
	return Call(item, class.Call).Name
}

// A Digest tells texts apart. The zero Digest is that of the empty text.
type Digest uint64

// Add adds a piece of the text.
func (d *Digest) Add(s string) {
	h := uint64(*d) ^ 14695981039346656037
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	*d = Digest(h ^ 14695981039346656037)
}

// DigestOf is the digest of an item's content: its text, or the input of a call.
func DigestOf(item []byte) Digest {
	var d Digest
	switch class := ClassOfItem(item); {
	case class.Call != nil:
		d.Add(ReadCallInput(item, class.Call))
	case class.Reasoning:
		d.Add(Reasoning(item).Text)
	case class.Message:
		var said strings.Builder
		for _, p := range AppendMessage(nil, item) {
			if t, ok := p.(callwright.Text); ok {
				said.WriteString(t.Text)
			}
		}
		d.Add(said.String())
	}
	return d
}
