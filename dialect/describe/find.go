package describe

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// maxLayouts is the maximum number of interpretations of an example that are tested.
const maxLayouts = 48

// find returns the possible layouts of the example for the given parsers, in order.
func find(example string, parsers []Parser) []*layout {
	var out []*layout
	for _, p := range parsers {
		for _, l := range finders[p](example) {
			l.parser, l.text = p, example
			l.tool = strings.TrimSpace(l.name.of(example))
			if l.isQuoted() {
				l.tool, _ = jsonx.String([]byte(l.tool))
			}
			if len(parsers) > 1 && p == Pairs && !l.isPaired() {
				continue
			}
			if l.tool != "" && len(out) < maxLayouts {
				out = append(out, l)
			}
		}
	}
	return out
}

var finders = map[Parser]func(example string) []*layout{Object: findObject, Named: findNamed, Tags: findTags, Pairs: findPairs,
	Python: findPython}

// firstObject returns the position of the first JSON object in text.
func firstObject(text string) (span, bool) {
	for i := range len(text) {
		if text[i] != '{' {
			continue
		}
		if end := objectEnd(text, i); end > 0 && jsonx.ValidObject([]byte(text[i:end])) {
			return span{i, end}, true
		}
	}
	return span{}, false
}

// objectEnd returns the end of the object at text[i:], 0 if it is not closed.
func objectEnd(text string, i int) int {
	depth, quoted := 0, false
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// findObject returns the layout of a call whose first JSON object contains the tool name and the arguments, nil if the
// object does not.
func findObject(example string) []*layout {
	o, ok := firstObject(example)
	if !ok {
		return nil
	}
	l := &layout{object: o}
	doc := []byte(o.of(example))
	if !l.findCall(doc, doc, o.from) {
		return nil
	}
	return []*layout{l}
}

// nameKeys and argsKeys are the preferred keys if several members could be the name or the arguments.
var (
	nameKeys = []string{"name", "tool_name", "function_name", "tool", "function", "action", "fn", "call", "command", "method"}
	argsKeys = []string{"arguments", "parameters", "args", "input", "params"}
)

// findCall sets the name and the arguments of l from the members of obj, a part of doc. base is the offset of doc in
// the example. It returns false if obj contains no call.
func (l *layout) findCall(doc, obj []byte, base int) bool {
	place := func(part []byte) span {
		from, to := jsonx.Span(doc, part)
		return span{base + from, base + to}
	}
	var texts, objects []member
	for k, v := range jsonx.Members(obj) {
		m := member{key: k.String(), written: k, value: v}
		if jsonx.KindOf(v) == jsonx.Array {
			for e := range jsonx.Elements(v) {
				m.value = e // the first call of an array
				break
			}
		}
		text, isText := jsonx.String(v)
		switch {
		case jsonx.KindOf(m.value) == jsonx.Object:
			objects = append(objects, m)
		case isText && slices.Contains(argsKeys, m.key) && jsonx.ValidObject([]byte(text)):
			m.inside = []byte(text)
			objects = append(objects, m)
		case jsonx.KindOf(v) == jsonx.Text && m.key != "type" && m.key != "id":
			texts = append(texts, m)
		}
	}
	name, args := pickMember(texts, nameKeys), pickMember(objects, argsKeys)
	switch {
	case args == nil:
		return false
	case name != nil:
		l.name, l.args, l.nameKey, l.argsKey = place(name.value), place(args.value), name.key, args.key
	case l.findCall(doc, args.value, base):
		return true
	case len(objects) > 1 || slices.Contains(argsKeys, args.key):
		return false
	default: // the name is the key of the arguments
		l.name, l.args = place(args.written), place(args.value)
	}
	l.arguments, l.encoded = args.value, args.inside != nil
	if l.encoded {
		l.arguments = args.inside
	}
	return true
}

type member struct {
	key     string
	written jsonx.Key
	value   []byte
	inside  []byte // the object encoded in a string value
}

// pickMember returns the member with the first of the keys, otherwise the first member, or nil if list is empty.
func pickMember(list []member, keys []string) *member {
	for _, k := range keys {
		for i := range list {
			if list[i].key == k {
				return &list[i]
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	return &list[0]
}

// findNamed takes the first JSON object of the example as the arguments, and returns a layout for each word around it
// that may be the tool name.
func findNamed(example string) []*layout {
	o, ok := firstObject(example)
	if !ok {
		return nil
	}
	var out []*layout
	for _, name := range names(example, o) {
		out = append(out, &layout{name: name, object: o, args: o, arguments: []byte(o.of(example))})
	}
	return out
}

// names returns the words of the example that may be the tool name, the most likely first. The order is: values in
// tags; words outside markers, those near the arguments first; words in capitals, labels and words after the
// arguments; words in brackets and tag names.
func names(example string, args span) []span {
	marks := tokens(example, args)
	var classes [4][]span
	for _, w := range words(example) {
		if w.meets(args) {
			continue
		}
		i := slices.IndexFunc(marks, func(t token) bool { return t.holds(w) })
		class := 1 // outside markers
		switch {
		case i < 0 && (w.from > args.from || strings.ToUpper(w.of(example)) == w.of(example) || w.to < len(example) &&
			strings.IndexByte(":=>", example[w.to]) >= 0):
			class = 2
		case i >= 0 && example[w.from-1] != '/' && strings.IndexByte("=\"'", example[w.from-1]) >= 0:
			class = 0
		case i >= 0 && !marks[i].special && (marks[i].said.to > marks[i].said.from || w.from != marks[i].from+1):
			continue // a word of a marker that is not its value
		case i >= 0:
			class = 3
		}
		classes[class] = append(classes[class], w)
	}
	for _, c := range classes[1:] {
		slices.Reverse(c)
	}
	return slices.Concat(classes[:]...)
}

// words returns the positions of identifier-like words.
func words(text string) []span {
	var out []span
	for i := 0; i < len(text); i++ {
		from := i
		for i < len(text) && isNameByte(text[i]) {
			i++
		}
		if end := from + len(strings.TrimRight(text[from:i], ".-")); end-from > 1 && isLetter(text[from]) {
			out = append(out, span{from, end})
		}
	}
	return out
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isNameByte(c byte) bool {
	return isLetter(c) || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.'
}

// findPython returns the layout of a Python call with keyword arguments, nil if the example contains none.
func findPython(example string) []*layout {
	open := strings.IndexByte(example, '(')
	shut := strings.LastIndexByte(example, ')')
	if open < 1 || shut < open {
		return nil
	}
	l := &layout{}
	for _, w := range words(example[:open]) {
		if w.to == open {
			l.name = w
		}
	}
	args := []byte{'{'}
	for i := open + 1; i < shut; {
		key := i + len(example[i:shut]) - len(strings.TrimLeft(example[i:shut], ", \n"))
		equals := strings.IndexByte(example[key:shut], '=')
		if equals < 1 {
			return nil
		}
		from := key + equals + 1
		to := literalEnd(example[:shut], from)
		value, ok := literal(example[from:to])
		if !ok {
			return nil
		}
		p := param{whole: span{key, to}, key: span{key, key + equals}, value: span{from, to}}
		if len(l.params) > 0 {
			args = append(args, ',')
		}
		l.params = append(l.params, p)
		args = append(append(jsonx.AppendQuote(args, strings.TrimSpace(p.key.of(example))), ':'), value...)
		i = to
	}
	if l.name == (span{}) || len(l.params) == 0 {
		return nil
	}
	l.arguments = append(args, '}')
	return []*layout{l}
}

// literalEnd returns the end of the value at text[i:]: a comma outside quotes and brackets, or the end of text.
func literalEnd(text string, i int) int {
	depth, quote := 0, byte(0)
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0:
			return i
		}
	}
	return i
}

// literal converts a simple Python literal to JSON. ok is false for others.
func literal(text string) ([]byte, bool) {
	text = strings.TrimSpace(text)
	if n := len(text); n > 1 && text[0] == '\'' && text[n-1] == '\'' && !strings.ContainsAny(text[1:n-1], `'\`) {
		return jsonx.AppendQuote(nil, text[1:n-1]), true
	}
	if v, ok := map[string]string{"True": "true", "False": "false", "None": "null"}[text]; ok {
		text = v
	}
	return []byte(text), jsonx.Valid([]byte(text)) == nil
}
