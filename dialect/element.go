package dialect

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// An element is one tag with what stands in it.
type element struct {
	name string
	text []string
	kids []*element
}

// maxElements bounds how deep elements are nested; deeper ones are text.
const maxElements = 64

// readElements reads nested elements. head stands before each tag, and may be empty. unclosed is the innermost element
// that is not closed, or nil; the root when there are several.
func readElements(t, head string) (root, unclosed *element) {
	root = &element{}
	open := []*element{root}
	mark := head + "<"
	for t != "" {
		top := open[len(open)-1]
		n := strings.Index(t, mark)
		if n < 0 {
			top.say(t)
			break
		}
		tag, size := tagAt(t[n+len(head):])
		if size == 0 || tag[0] != '/' && len(open) > maxElements {
			top.say(t[:n+len(mark)])
			t = t[n+len(mark):]
			continue
		}
		top.say(t[:n])
		t = t[n+len(head)+size:]
		if tag[0] != '/' {
			e := &element{name: tag}
			top.kids = append(top.kids, e)
			open = append(open, e)
			continue
		}
		for k := len(open) - 1; k > 0; k-- {
			if open[k].name == tag[1:] {
				open = open[:k]
				break
			}
		}
	}
	switch len(open) {
	case 1:
		return root, nil
	case 2:
		return root, open[1]
	}
	return root, root
}

func (e *element) say(text string) {
	if text != "" {
		e.text = append(e.text, text)
	}
}

// plain is the element's own text.
func (e *element) plain() string { return strings.Join(e.text, "") }

// append appends the element as JSON: items are a list, other elements an object in which repeated ones are lists, and
// one without elements is a string.
func (e *element) append(b []byte) []byte {
	if len(e.kids) == 0 {
		text := e.plain()
		if isScalar(text) {
			return append(b, text...)
		}
		return jsonx.AppendQuote(b, text)
	}
	named, order := map[string][]*element{}, []string{}
	for _, k := range e.kids {
		if _, again := named[k.name]; !again {
			order = append(order, k.name)
		}
		named[k.name] = append(named[k.name], k)
	}
	text := strings.TrimSpace(e.plain())
	if len(order) == 1 && order[0] == "item" && text == "" {
		return appendList(b, e.kids)
	}
	b = append(b, '{')
	for i, name := range order {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(jsonx.AppendQuote(b, name), ':')
		if same := named[name]; len(same) > 1 {
			b = appendList(b, same)
		} else {
			b = same[0].append(b)
		}
	}
	if text != "" {
		b = append(jsonx.AppendQuote(append(b, `,`...), "$text"), ':')
		b = jsonx.AppendQuote(b, text)
	}
	return append(b, '}')
}

// isScalar reports whether a text is a number, a boolean or null in JSON.
func isScalar(text string) bool {
	k := jsonx.KindOf([]byte(text))
	return k > jsonx.Invalid && k < jsonx.Text && jsonx.Valid([]byte(text)) == nil
}

func appendList(b []byte, list []*element) []byte {
	b = append(b, '[')
	for i, k := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = k.append(b)
	}
	return append(b, ']')
}

// args are the elements as arguments: those without elements as their text, the others and repeated ones as JSON.
func (e *element) args() []Arg {
	var out []Arg
	at := map[string]int{}
	same := map[string][]*element{}
	for _, k := range e.kids {
		same[k.name] = append(same[k.name], k)
		a := Arg{Key: k.name, Text: k.plain()}
		if list := same[k.name]; len(list) > 1 {
			continue
		}
		if len(k.kids) > 0 {
			a.Text, a.Kind = string(k.append(nil)), JSON
		}
		at[k.name] = len(out)
		out = append(out, a)
	}
	for name, list := range same {
		if len(list) > 1 {
			out[at[name]] = Arg{Key: name, Text: string(appendList(nil, list)), Kind: JSON}
		}
	}
	return out
}

// elementJSON reads a text that is nothing but elements as JSON.
func elementJSON(text string) ([]byte, bool) {
	text = strings.TrimSpace(text)
	if len(text) < 7 || text[0] != '<' || text[len(text)-1] != '>' {
		return nil, false
	}
	root, unclosed := readElements(text, "")
	if unclosed != nil || len(root.kids) == 0 || strings.TrimSpace(root.plain()) != "" {
		return nil, false
	}
	if len(root.kids) == 1 && isContainer(root.kids[0].name) && len(root.kids[0].kids) > 0 {
		root = root.kids[0]
	}
	return root.append(nil), true
}
