package items

import (
	"strings"

	"github.com/callwright/callwright"
)

// CallName returns the name of the tool that a call item calls, or "" if the item is not a call.
func CallName(item []byte, class Class) string {
	if class.Call == nil {
		return ""
	}
	return Call(item, class.Call).Name
}

// A Digest is a hash of a text (FNV-1a, 64 bits). The zero Digest is that of the empty text.
type Digest uint64

// Add appends s to the hashed text.
func (d *Digest) Add(s string) {
	h := uint64(*d) ^ 14695981039346656037
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	*d = Digest(h ^ 14695981039346656037)
}

// DigestOf returns the digest of an item's content: the text of a message or of reasoning, or the input of a call.
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
