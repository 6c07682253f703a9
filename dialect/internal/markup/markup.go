// Package markup parses tags, and converts nested XML elements to JSON: <a><b>1</b></a> becomes {"b": 1}.
package markup

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// An Element is an XML element with its contents.
type Element struct {
	Name string
	Kids []*Element
	text []string
}

// Leaf returns an element with only text inside.
func Leaf(name, text string) *Element {
	e := &Element{Name: name}
	e.say(text)
	return e
}

// MaxDepth is the maximum nesting of elements. Deeper elements are text.
const MaxDepth = 64

// Read parses nested elements. head is the prefix of each tag, usually "". unclosed is the innermost unclosed element,
// the root if there are several, or nil. Unmatched closing tags are ignored.
func Read(t, head string) (root, unclosed *Element) {
	root = &Element{}
	open := []*Element{root}
	count := map[string]int{}
	mark := head + "<"
	for t != "" {
		top := open[len(open)-1]
		n := strings.Index(t, mark)
		if n < 0 {
			top.say(t)
			break
		}
		tag, ok := TagAt(t[n+len(head):])
		if !ok || !tag.Close && len(open) > MaxDepth {
			top.say(t[:n+len(mark)])
			t = t[n+len(mark):]
			continue
		}
		top.say(t[:n])
		t = t[n+len(head)+tag.Size:]
		switch {
		case tag.Close && count[tag.Name] > 0:
			open = closeTag(open, tag.Name, count)
		case tag.Close:
		default:
			e := &Element{Name: tag.Name}
			top.Kids = append(top.Kids, e)
			if !tag.Alone {
				open = append(open, e)
				count[tag.Name]++
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

// closeTag closes the innermost open element with the given name and the elements inside it. count has the number of
// open elements by name.
func closeTag(open []*Element, name string, count map[string]int) []*Element {
	for {
		k := len(open) - 1
		e := open[k]
		open = open[:k]
		count[e.Name]--
		if e.Name == name {
			return open
		}
	}
}

// Parse parses a text that consists only of closed elements. Otherwise ok is false.
func Parse(text string) (root *Element, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) < len("<a></a>") && !strings.HasSuffix(text, "/>") || len(text) < len("<a/>") || text[0] != '<' || text[len(text)-1] != '>' {
		return nil, false
	}
	root, unclosed := Read(text, "")
	return root, unclosed == nil && len(root.Kids) > 0 && strings.TrimSpace(root.Text()) == ""
}

func (e *Element) say(text string) {
	if text != "" {
		e.text = append(e.text, text)
	}
}

// Text returns the text directly inside the element.
func (e *Element) Text() string { return strings.Join(e.text, "") }

// Append appends the element as JSON to b. Children named item become an array, others an object with arrays for
// repeated names and with text beside them as $text. An element without children becomes a string, number, boolean or
// null.
func (e *Element) Append(b []byte) []byte {
	if len(e.Kids) == 0 {
		text := e.Text()
		if IsScalar(text) {
			return append(b, text...)
		}
		return jsonx.AppendQuote(b, text)
	}
	if e.isItems() {
		return AppendList(b, e.Kids)
	}
	named, order := map[string][]*Element{}, []string{}
	for _, k := range e.Kids {
		if _, again := named[k.Name]; !again {
			order = append(order, k.Name)
		}
		named[k.Name] = append(named[k.Name], k)
	}
	b = append(b, '{')
	for i, name := range order {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(jsonx.AppendQuote(b, name), ':')
		if same := named[name]; len(same) > 1 {
			b = AppendList(b, same)
		} else {
			b = same[0].Append(b)
		}
	}
	if text := strings.TrimSpace(e.Text()); text != "" {
		b = append(jsonx.AppendQuote(append(b, `,`...), "$text"), ':')
		b = jsonx.AppendQuote(b, text)
	}
	return append(b, '}')
}

// isItems reports whether all children of the element are named item.
func (e *Element) isItems() bool {
	for _, k := range e.Kids {
		if k.Name != "item" {
			return false
		}
	}
	return strings.TrimSpace(e.Text()) == ""
}

// Items returns the children of e as the items of an array called name. They must have the same name, or be numbered.
// A single child must have a name for items. Otherwise ok is false.
func (e *Element) Items(name string) ([]*Element, bool) {
	if len(e.Kids) == 0 || strings.TrimSpace(e.Text()) != "" {
		return nil, false
	}
	one := e.Kids[0].Name
	same, numbered := true, true
	for i, k := range e.Kids {
		same = same && k.Name == one
		numbered = numbered && isIndex(k.Name, i)
	}
	switch {
	case numbered:
		return e.Kids, true
	case !same:
		return nil, false
	}
	return e.Kids, len(e.Kids) > 1 || IsItem(one) || one == strings.TrimSuffix(name, "s") || one == name
}

// IsItem reports whether name is a general name for an array item, such as "item" or "value".
func IsItem(name string) bool {
	switch name {
	case "item", "value", "element", "entry", "li", "string", "number", "integer":
		return true
	}
	return false
}

// isIndex reports whether name is the index of the i-th item, from 0 or 1, such as "2" or "item_2".
func isIndex(name string, i int) bool {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "item"), "_")
	if name == "" || len(name) > 6 {
		return false
	}
	n := 0
	for _, c := range []byte(name) {
		if c < '0' || c > '9' {
			return false
		}
		n = 10*n + int(c-'0')
	}
	return n == i || n == i+1
}

// IsScalar reports whether text is a JSON number, boolean or null.
func IsScalar(text string) bool {
	k := jsonx.KindOf([]byte(text))
	return k > jsonx.Invalid && k < jsonx.Text && jsonx.Valid([]byte(text)) == nil
}

// AppendList appends the elements as a JSON array to b.
func AppendList(b []byte, list []*Element) []byte {
	b = append(b, '[')
	for i, k := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = k.Append(b)
	}
	return append(b, ']')
}

// UnwrapContainer returns the only child of e if it is a container of arguments such as <parameters>, otherwise e.
func (e *Element) UnwrapContainer() *Element {
	if len(e.Kids) == 1 && IsContainer(e.Kids[0].Name) && len(e.Kids[0].Kids) > 0 {
		return e.Kids[0]
	}
	return e
}

// JSON converts a text that consists only of elements to JSON. ok is false for other texts.
func JSON(text string) ([]byte, bool) {
	root, ok := Parse(text)
	if !ok {
		return nil, false
	}
	return root.UnwrapContainer().Append(nil), true
}
