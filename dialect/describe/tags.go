package describe

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A token is a tag, a special token or a text in square brackets in the example.
type token struct {
	span
	name    string // tag name
	closing bool
	alone   bool   // <x/>
	special bool   // not a tag
	said    span   // value of the first attribute, or the value after an equals sign; empty if none
	key     string // name of that attribute; "" for a value after the tag name
}

// text returns the token with ASCII characters in place of similar ones (｜ and ▁).
func (t *token) text(example string) string { return lookAlikes.Replace(t.of(example)) }

var lookAlikes = strings.NewReplacer("｜", "|", "▁", "_")

// tokens returns the tokens of the example. It skips the span given by the parameter but.
func tokens(example string, but span) []token {
	var out []token
	for i := 0; i < len(example); i++ {
		if but.from <= i && i < but.to {
			i = but.to - 1
			continue
		}
		var t token
		var ok bool
		switch example[i] {
		case '<':
			t, ok = tagAt(example, i)
		case '[':
			t, ok = bracketAt(example, i)
		}
		if ok {
			out = append(out, t)
			i = t.to - 1
		}
	}
	return out
}

// tagAt parses the tag or special token that begins at example[i]. It returns false if there is none.
func tagAt(example string, i int) (token, bool) {
	n := strings.IndexByte(example[i:], '>')
	if n < 2 || strings.ContainsAny(example[i+1:i+n], "<\n") {
		return token{}, false
	}
	t := token{span: span{i, i + n + 1}}
	inner := example[i+1 : i+n]
	if inner[0] == '|' || strings.HasPrefix(inner, "｜") || strings.HasSuffix(inner, "|") || strings.HasSuffix(inner, "｜") {
		t.special = true
		return t, true
	}
	inner, t.closing = strings.CutPrefix(inner, "/")
	inner, t.alone = strings.CutSuffix(inner, "/")
	end := strings.IndexAny(inner, " =")
	if end < 0 {
		end = len(inner)
	}
	if t.name = inner[:end]; t.name == "" {
		return token{}, false
	}
	if k := strings.IndexByte(inner, '='); k >= 0 {
		t.key = strings.TrimSpace(inner[end:max(end, k)])
		from := i + 1 + k + 1
		to := i + n
		if t.alone {
			to--
		}
		if q := example[from]; q == '"' || q == '\'' {
			from++
			to = from + max(0, strings.IndexByte(example[from:to], q))
		}
		t.said = span{from, to}
	}
	return t, true
}

// bracketAt parses a text in one or two square brackets at example[i]. It returns false for a list and other text.
func bracketAt(example string, i int) (token, bool) {
	rest := example[i:]
	begin := len(rest) - len(strings.TrimLeft(rest, "[/"))
	n := strings.IndexByte(rest, ']')
	if n < 0 || begin >= n || !isLetter(rest[begin]) || strings.ContainsAny(rest[begin:n], "[{(\"'\n,") {
		return token{}, false
	}
	for n < len(rest) && rest[n] == ']' {
		n++
	}
	return token{span: span{i, i + n}, special: true, closing: strings.Contains(rest[:begin], "/")}, true
}

// A leaf is an element with only text inside.
type leaf struct {
	open, shut token
	text       span
}

func leaves(list []token) []leaf {
	var out []leaf
	for i := 1; i < len(list); i++ {
		if o, c := list[i-1], list[i]; !o.special && !o.closing && !o.alone && c.closing && c.name == o.name {
			out = append(out, leaf{o, c, span{o.to, c.from}})
		}
	}
	return out
}

// isName reports whether an element with this name may contain the tool name.
func isName(element string) bool {
	return slices.Contains([]string{"name", "tool_name", "tool", "function", "function_name"}, element)
}

// findTags finds calls with a tag for each argument. The key is a value in the tag or the tag name.
func findTags(example string) []*layout {
	list := tokens(example, span{-1, -1})
	all := leaves(list)
	var out []*layout
	for _, h := range heads(example, list, all) {
		var params []param
		for _, f := range h.rest {
			key := f.open.said
			if key.to <= key.from {
				key = span{f.open.from + 1, f.open.from + 1 + len(f.open.name)}
			}
			params = append(params, param{whole: span{f.open.from, f.shut.to}, key: key, value: trimLineBreaks(example, f.text)})
		}
		if l := inTags(example, h.name, params); l != nil {
			out = append(out, l)
		}
	}
	return out
}

// findPairs finds calls with a key tag and a value tag for each argument.
func findPairs(example string) []*layout {
	list := tokens(example, span{-1, -1})
	all := leaves(list)
	var out []*layout
	for _, h := range heads(example, list, all) {
		var params []param
		for i := 0; i+1 < len(h.rest); i += 2 {
			k, v := h.rest[i], h.rest[i+1]
			if k.open.name == v.open.name || k.open.name != h.rest[0].open.name || v.open.name != h.rest[1].open.name {
				params = nil
				break
			}
			params = append(params, param{whole: span{k.open.from, v.shut.to}, key: trimLineBreaks(example, k.text), value: trimLineBreaks(example, v.text)})
		}
		if l := inTags(example, h.name, params); l != nil && len(h.rest)%2 == 0 {
			out = append(out, l)
		}
	}
	return out
}

// isPaired reports whether the tags are pairs of keys and values, because of their names or because several pairs
// alternate.
func (l *layout) isPaired() bool {
	whole := l.params[0].whole.of(l.text)
	key, _, _ := strings.Cut(whole[1:], ">")
	value := whole[strings.LastIndexByte(whole, '/')+1 : len(whole)-1]
	return len(l.params) > 1 || hasSuffix(key, "k", "key", "name") && hasSuffix(value, "v", "val", "value")
}

func hasSuffix(word string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(strings.ToLower(word), end) })
}

// trimLineBreaks removes the first and the last byte of s if both are newlines and text is between them.
func trimLineBreaks(example string, s span) span {
	text := s.of(example)
	if strings.HasPrefix(text, "\n") && strings.HasSuffix(text, "\n") && len(text) > 2 {
		return span{s.from + 1, s.to - 1}
	}
	return s
}

// A head is a candidate for the tool name, with the elements after it.
type head struct {
	name span
	rest []leaf
}

// heads returns the candidates for the tool name, the most likely first: a value in a tag around the arguments, the
// text of an element such as <name>, a word between tags, the name of the tag around the arguments.
func heads(example string, list []token, all []leaf) []head {
	if len(all) == 0 {
		return nil
	}
	var out []head
	first := all[0].open
	for _, t := range list {
		if t.from < first.from && !t.closing && t.said.to > t.said.from {
			out = append(out, head{t.said, all})
		}
	}
	if isName(first.name) && len(all) > 1 && first.said.to <= first.said.from {
		out = append(out, head{all[0].text, all[1:]})
	}
	for _, w := range words(example[:first.from]) {
		if !slices.ContainsFunc(list, func(t token) bool { return t.meets(w) }) {
			out = append(out, head{w, all})
		}
	}
	for _, t := range slices.Backward(list) {
		if t.from < first.from && !t.closing && !t.special && t.said.to <= t.said.from {
			out = append(out, head{span{t.from + 1, t.from + 1 + len(t.name)}, all})
		}
	}
	return out
}

// inTags returns the layout of a call with arguments in tags, nil if params is empty.
func inTags(example string, name span, params []param) *layout {
	if len(params) == 0 {
		return nil
	}
	args := []byte{'{'}
	for i, p := range params {
		if i > 0 {
			args = append(args, ',')
		}
		args = append(jsonx.AppendQuote(args, p.key.of(example)), ':')
		value := strings.TrimSpace(p.value.of(example))
		if kind := jsonx.KindOf([]byte(value)); kind != jsonx.Text && jsonx.Valid([]byte(value)) == nil {
			args = append(args, value...)
		} else {
			args = jsonx.AppendQuote(args, p.value.of(example))
		}
	}
	return &layout{name: name, params: params, arguments: append(args, '}')}
}
