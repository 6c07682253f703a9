package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/label"
)

// word returns the start of the run of name bytes that ends at i. ok is false if there is none or if it continues a
// longer name.
func (b *buffer) word(i int) (at int, ok bool) {
	at = i
	for at > b.from && i-at < chars.MaxName && chars.IsNameByte(b.t[at-1]) {
		at--
	}
	if at == i {
		return i, false
	}
	c := b.before(at, 0)
	return at, !chars.IsNameByte(c) || chars.IsJoint(c)
}

// parts calls yield with each offset in the word before i where a name may begin, until yield returns true. It reports
// whether yield did.
func (b *buffer) parts(i int, yield func(at int) bool) bool {
	at, ok := b.word(i)
	if ok && at < i && yield(at) {
		return true
	}
	for k := at; k < i-1; k++ {
		if chars.IsJoint(b.t[k]) && yield(k+1) {
			return true
		}
	}
	return false
}

// nameBefore returns the start of the declared tool name that ends at i. ok is false if there is none.
func (b *buffer) nameBefore(i int, names *Names) (at int, ok bool) {
	ok = b.parts(i, func(p int) bool {
		at = p
		_, found := names.plain(b.t[p:i])
		return found
	})
	return at, ok
}

// nameStart returns the start of a word that ends at i and may be the beginning of a declared name. Without one it
// returns i.
func (b *buffer) nameStart(i int, names *Names) int {
	at := i
	b.parts(i, func(p int) bool {
		if names.begins(b.t[p:i]) {
			at = p
			return true
		}
		return false
	})
	return at
}

// tagRest returns the start and tool name of an opening tag that lost its first bytes and ends at i, as in name>,
// function=name> and invoke name="name">. It must begin its line; name> may also follow a bullet or a colon.
func (b *buffer) tagRest(i int, names *Names) (at int, name string, ok bool) {
	if i-1 <= b.from || b.t[i-1] != '>' {
		return i, "", false
	}
	end := i - 1
	if b.t[end-1] == '"' {
		end--
	}
	if at, ok = b.nameBefore(end, names); !ok {
		return i, "", false
	}
	name = b.t[at:end]
	head := len(label.CutTagHead(b.t[b.from:at]))
	if quoted := end < i-1; quoted && b.from+head == at {
		return i, "", false
	}
	if b.from+head == at {
		return at, name, b.beginsLine(at)
	}
	at = b.from + head // in a stream only the beginning of the line is buffered until the name is complete
	line := b.lineStart(at)
	return at, name, line >= 0 && strings.TrimLeft(b.t[line:at], " ") == ""
}
