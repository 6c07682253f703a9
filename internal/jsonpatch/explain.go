package jsonpatch

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/spelling"
)

// missing returns the error for a path p without a value, or, if adding is set, at which no value can be added. The
// message contains the deepest existing value along the path and the possible members or indexes. The result is nil if
// p has a value.
func (d Doc) missing(p Pointer, adding bool) *Error {
	n, i := d.root, 0
	for ; i < len(p); i++ {
		c := n.child(p[i])
		if c == nil {
			break
		}
		n = c
	}
	if i == len(p) {
		return nil
	}
	there := name(p[:i])
	switch token := p[i]; n.parseChildren().kind {
	case jsonx.Object:
		return fail(CodePath, p, "%s is an object without a member %s%s", there, quote(token), n.memberNames(p[:i], token))
	case jsonx.Array:
		return fail(CodeIndex, p, "%s is an array of %s: expected %s, got %s", there, count(len(n.elements), "element"),
			n.indexRange(adding && i == len(p)-1), quote(token))
	default:
		return fail(CodeType, p, "%s is %s, which has nothing below it, so there is no %s", there, n.kind.InWords(), name(p))
	}
}

// memberNames lists the members of an object for an error, and suggests one that resembles token. at is the path of the
// object.
func (n *node) memberNames(at Pointer, token string) string {
	const most = 12
	if len(n.members) == 0 {
		return "; it is empty"
	}
	names := make([]string, len(n.members))
	for i, m := range n.members {
		names[i] = m.name()
	}
	var b strings.Builder
	b.WriteString("; it has: ")
	for i, m := range names[:min(len(names), most)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(quote(m))
	}
	if len(names) > most {
		fmt.Fprintf(&b, " and %d more", len(names)-most)
	}
	if len(names) <= maxSpelled {
		if near := spelling.Nearest(token, names); near != "" {
			b.WriteString("; did you mean " + name(append(at[:len(at):len(at)], near)) + "?")
		}
	}
	return b.String()
}

// maxSpelled is the maximum number of names among which a similar one is searched.
const maxSpelled = 200

// indexRange describes the valid indexes of an array for an error, with the index after the end if adding is set.
func (n *node) indexRange(adding bool) string {
	switch last := len(n.elements) - 1; {
	case adding && last < 0:
		return `the index 0, or "-" for the end`
	case adding:
		return fmt.Sprintf(`an index from 0 to %d, or "-" for the end`, last+1)
	case last < 0:
		return "no index, as it is empty"
	case last == 0:
		return "the index 0"
	default:
		return fmt.Sprintf("an index from 0 to %d", last)
	}
}

// name returns the name of the value at p in messages: "the document" or the quoted pointer.
func name(p Pointer) string {
	if len(p) == 0 {
		return "the document"
	}
	return quote(p.String())
}

// maxQuoted is the maximum number of bytes of a text in a message.
const maxQuoted = 80

func clip(s string) string { return jsonx.Clip(s, maxQuoted) }

func quote(s string) string {
	if len(s) > maxQuoted {
		s = clip(s) + "..."
	}
	return strconv.Quote(s)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
