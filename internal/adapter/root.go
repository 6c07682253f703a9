package adapter

import (
	"slices"
)

// root translates the whole schema to one object. The result is nil for an object without properties if the target does
// not accept it. The step converts values back.
func (t *translator) root() (*value, *step) {
	t.atRoot = true
	f := t.flat(t.reader.root)
	if f.is("false") {
		t.lose(f, "false", unsatisfied)
	}
	if !f.isObject() {
		f = newObject()
	}
	f = t.foldAll(f)
	f = t.objectAlone(f)
	for _, m := range f.members {
		if t.rules.noRoot.has(m.key) {
			t.dropAtRoot(m)
		}
	}
	if f = f.without(t.rules.noRoot...); t.rules.keywords.all() {
		return t.keepSchema(f), nil
	}
	out, undo := t.plain(f)
	text := out.get("description").text()
	switch {
	case t.rules.objects.needsProperties && !out.has("properties"):
		t.rootWords = text
		for _, m := range f.members {
			if out.has(m.key) && typeWords["object"].has(m.key) {
				t.lose(m.value, m.key, "the target does not accept an object without properties")
			}
		}
		return nil, nil
	case t.rules.root.mute:
		t.rootWords = text
		out = out.without("description")
	}
	return out, undo
}

// dropAtRoot drops a keyword that the target does not accept at the root.
func (t *translator) dropAtRoot(m member) {
	why := notHere
	if m.key == "enum" && !slices.ContainsFunc(m.value.items, (*value).isObject) || m.key == "const" && !m.value.isObject() {
		why = unsatisfied
	}
	t.drop(m.key, m.value, why)
}

// objectAlone returns the root with the type object only.
func (t *translator) objectAlone(f *value) *value {
	is := f.get("type")
	switch names := typesOf(is); {
	case is == nil:
		out := newObject(member{"type", newText("object")}).as(f)
		out.members = append(out.members, f.members...)
		return out
	case len(names) == 1 && names[0] == "object":
		return f
	case !slices.Contains(names, "object"):
		t.lose(is, "type", unsatisfied) // arguments are an object
	}
	return f.with("type", newText("object").as(is))
}

// foldAll merges the alternatives of anyOf and oneOf at the root into one object with the properties of all.
func (t *translator) foldAll(f *value) *value {
	for t.left >= 0 {
		at := slices.IndexFunc(f.members, func(m member) bool { return m.key == "anyOf" || m.key == "oneOf" })
		if at < 0 {
			return f
		}
		union := f.members[at]
		rest := *f
		rest.parsed = false
		rest.members = nil
		var others []member
		for i, m := range f.members {
			switch {
			case i == at:
			case m.key == "anyOf" || m.key == "oneOf":
				others = append(others, m)
			default:
				rest.members = append(rest.members, m)
			}
		}
		f = t.foldUnion(&rest, union)
		f.members = append(f.members, others...)
	}
	for _, key := range [...]string{"anyOf", "oneOf"} {
		if v := f.get(key); v != nil {
			t.lose(v, key, tooLarge)
		}
	}
	return f.without("anyOf", "oneOf")
}

// foldUnion merges the alternatives of one anyOf or oneOf with the keywords beside it.
func (t *translator) foldUnion(rest *value, union member) *value {
	notes, limits := t.splitAnnotations(rest)
	var list []*value
	for _, b := range union.value.items {
		mark := len(t.stack)
		b = t.both(limits, b)
		if b.isObject() {
			b = t.foldAll(b)
		}
		t.stack = t.stack[:mark]
		names := typesOf(b.get("type"))
		if b.isObject() && (names == nil || slices.Contains(names, "object")) {
			list = append(list, b)
		}
	}
	out := *notes
	out.members = slices.Clone(notes.members)
	switch len(list) {
	case 0:
		t.drop(union.key, union.value, unsatisfied)
		out.members = append(out.members, limits.members...)
		return &out
	case 1:
		for _, m := range list[0].members {
			if _, known := forms[m.key]; known || !out.has(m.key) {
				out.members = append(out.members, m)
			}
		}
		if union.key == "oneOf" && len(union.value.items) > 1 && !t.apart(union.value.items) {
			t.lose(union.value, union.key, "only one of the alternatives at the root is an object")
		}
		return &out
	}
	t.drop(union.key, union.value, "the alternatives at the root were merged into one object; the description contains them")
	for _, m := range limits.members {
		switch m.key {
		case "type", "properties", "required", "additionalProperties":
		default:
			out.members = append(out.members, m)
		}
	}
	out.add("type", newText("object").as(limits.get("type")))
	t.join(&out, list, limits)
	return &out
}

// join adds to out the properties of all alternatives. Names that all alternatives require are required.
func (t *translator) join(out *value, list []*value, limits *value) {
	props := newObject()
	index := map[string]int{}
	var schemas [][]*value
	required := map[string]int{}
	closed, alike := true, true
	for _, b := range list {
		for _, p := range b.get("properties").pairs() {
			at, had := index[p.key]
			if !had {
				at = len(schemas)
				index[p.key] = at
				schemas = append(schemas, nil)
				props.members = append(props.members, member{key: p.key, value: p.value})
			}
			if !p.value.is("false") {
				schemas[at] = append(schemas[at], p.value)
			}
		}
		counted := map[string]bool{}
		for _, name := range b.get("required").names() {
			if !counted[name] {
				counted[name] = true
				required[name]++
			}
		}
		rest := b.get("additionalProperties")
		closed = closed && rest.is("false")
		alike = alike && rest != nil && list[0].has("additionalProperties") && same(list[0].get("additionalProperties"), rest)
	}
	for i := range schemas {
		if len(schemas[i]) > 0 { // else no alternative permits it
			props.members[i].value = oneOfAll(schemas[i])
		}
	}
	if len(props.members) > 0 {
		out.add("properties", props)
	}
	all := newList()
	for _, e := range list[0].get("required").elements() {
		if name := e.text(); required[name] == len(list) {
			all.items = append(all.items, e)
			required[name] = 0
		}
	}
	if len(all.items) > 0 {
		out.add("required", all.as(list[0].get("required")))
	}
	switch {
	case closed || alike:
		out.add("additionalProperties", list[0].get("additionalProperties"))
	case limits.has("additionalProperties"):
		out.add("additionalProperties", limits.get("additionalProperties"))
	}
}

// oneOfAll returns a schema for values that satisfy one of several schemas. If each of these is only a list of values,
// it is an enum of all values.
func oneOfAll(list []*value) *value {
	different := distinct(list)
	listed := true
	for _, v := range list {
		listed = listed && allowedValues(v) != nil && !slices.ContainsFunc(keysOf(v), func(k string) bool {
			return !slices.Contains([]string{"type", "const", "enum", "description", "title"}, k)
		})
	}
	switch {
	case len(different) == 1:
		return different[0]
	case listed:
		return joinedValues(different)
	}
	return newObject(member{"anyOf", newList(different...).as(different[0])}).as(different[0])
}

// distinct returns the schemas without duplicates.
func distinct(list []*value) []*value {
	var out []*value
	byText := map[string]*value{}
	for _, v := range list {
		text := string(v.json())
		if was := byText[text]; was == nil || !same(was, v) {
			byText[text] = v
			out = append(out, v)
		}
	}
	return out
}

// joinedValues returns a schema with an enum of the values of several schemas.
func joinedValues(list []*value) *value {
	first := list[0]
	out := newObject().as(first)
	if d := first.get("description"); d != nil {
		out.add("description", d)
	}
	values := newList()
	seen := map[string]bool{}
	var names []string
	typed := true
	for _, v := range list {
		is := typesOf(v.get("type"))
		typed = typed && is != nil
		for _, n := range is {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
		for _, e := range allowedValues(v).items {
			if k := kindOf(e); is != nil && !slices.Contains(is, k) && !(k == "integer" && slices.Contains(is, "number")) {
				continue
			}
			if text := string(e.json()); !seen[text] {
				seen[text] = true
				values.items = append(values.items, e)
			}
		}
	}
	if typed {
		out.add("type", typeValue(names).as(first))
	}
	out.add("enum", values.as(allowedValues(first)))
	return out
}
