// Package markup reads elements with elements in them as JSON: <a><b>1</b></a> is {"b": 1}.
package markup

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// An Element is one tag with its content.
type Element struct {
	Name string
	Kids []*Element
	text []string
}

// Leaf is an element that holds nothing but text.
func Leaf(name, text string) *Element {
	e := &Element{Name: name}
	e.say(text)
	return e
}

// MaxDepth bounds how deep elements are nested; deeper ones are text.
const MaxDepth = 64

// Read reads nested elements. head stands before each tag, and may be empty. unclosed is the innermost element that is
// not closed, or nil; the root when there are several. A closing tag that closes nothing is passed.
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

// closeTag closes the innermost element of a name, and those in it. count is how many of each name are open.
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

// Parse reads a text that is nothing but elements, each of them closed.
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

// Text is the element's own text.
func (e *Element) Text() string { return strings.Join(e.text, "") }

// Append appends the element as JSON: items are a list, other elements an object in which repeated ones are lists, and
// one without elements is a string, or the number or literal that its text is.
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

// isItems reports whether an element holds the items of a list whatever is wanted: all of them are called item.
func (e *Element) isItems() bool {
	for _, k := range e.Kids {
		if k.Name != "item" {
			return false
		}
	}
	return strings.TrimSpace(e.Text()) == ""
}

// Items are the elements in e as the items of a list called name: all of one name, or numbered. A single one counts
// when its name says that it is an item.
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

// IsItem reports whether a tag's name says no more than that one of several follows.
func IsItem(name string) bool {
	switch name {
	case "item", "value", "element", "entry", "li", "string", "number", "integer":
		return true
	}
	return false
}

// isIndex reports whether a tag's name is the index of the i-th item, counted from 0 or from 1.
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

// IsScalar reports whether a text is a number, a boolean or null in JSON.
func IsScalar(text string) bool {
	k := jsonx.KindOf([]byte(text))
	return k > jsonx.Invalid && k < jsonx.Text && jsonx.Valid([]byte(text)) == nil
}

// AppendList appends elements as a JSON array.
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

// UnwrapContainer is the element that holds all the others where a container stands around them.
func (e *Element) UnwrapContainer() *Element {
	if len(e.Kids) == 1 && IsContainer(e.Kids[0].Name) && len(e.Kids[0].Kids) > 0 {
		return e.Kids[0]
	}
	return e
}

// JSON reads a text that is nothing but elements as JSON.
func JSON(text string) ([]byte, bool) {
	root, ok := Parse(text)
	if !ok {
		return nil, false
	}
	return root.UnwrapContainer().Append(nil), true
}
