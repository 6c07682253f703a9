package adapter

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// definitions are the translated schemas to which references lead, for targets that accept references. They are written
// at the root.
type definitions struct {
	list  []*definition
	of    map[*value]*definition
	taken map[string]bool
}

// A definition is a translated schema with its name, and the step that converts its values back.
type definition struct {
	container, key string
	from           *value
	out            *value
	undo           *step
}

// containers are the keywords for definitions at the root.
var containers = [...]string{"$defs", "definitions"}

// define returns the definition for to, the target of a reference. It translates each target once.
func (d *definitions) define(t *translator, to *value) *definition {
	if is := d.of[to]; is != nil {
		return is
	}
	if d.of == nil {
		d.of, d.taken = map[*value]*definition{}, map[string]bool{}
		for _, c := range containers {
			for _, m := range t.reader.root.get(c).pairs() {
				d.taken[c+"/"+m.key] = true
			}
		}
	}
	is := &definition{container: containers[0], key: to.step, from: to}
	at := slices.IndexFunc(containers[:], func(c string) bool { return to.parent != nil && to.parent == t.reader.root.get(c) })
	if at >= 0 {
		is.container = containers[at]
	} else {
		is.key = strings.Map(plainRune, is.key)
		for is.key = is.key + "_"; d.taken[is.container+"/"+is.key]; {
			is.key += "_"
		}
		d.taken[is.container+"/"+is.key] = true
	}
	d.of[to] = is
	d.list = append(d.list, is)
	stack, depth, root := t.stack, t.depth, t.atRoot
	t.stack, t.depth, t.atRoot = nil, 0, false
	is.out, is.undo = t.schema(to)
	t.stack, t.depth, t.atRoot = stack, depth, root
	return is
}

// plainRune returns letters, digits and '_' unchanged, and '_' for any other character.
func plainRune(r rune) rune {
	if r < 0x80 && isWordByte(byte(r)) {
		return r
	}
	return '_'
}

// name returns the reference to a definition in the translated schema: "#/$defs/NAME".
func (d *definitions) name(t *translator, to *value) string {
	is := d.define(t, to)
	return "#/" + is.container + "/" + strings.ReplaceAll(jsonx.EscapeToken(is.key), "%", "%25")
}

// reference translates a schema with $ref. The result is a $ref to the translated definition.
func (t *translator) reference(f *value) (*value, *step) {
	ref := f.get("$ref")
	to := t.reader.target(ref.text())
	is := t.defs.define(t, to)
	name := newText(t.defs.name(t, to))
	return newObject(member{"$ref", name}), &step{def: is}
}

// attachDefinitions returns v with all definitions, for a schema that is compiled on its own.
func (d *definitions) attachDefinitions(v *value) *value {
	if len(d.list) == 0 {
		return v
	}
	for _, c := range containers {
		if all := d.in(c, nil); len(all.members) > 0 {
			v = v.with(c, all)
		}
	}
	return v
}

// in returns the definitions in a container, in the order of the original container.
func (d *definitions) in(container string, original *value) *value {
	out := newObject()
	for _, m := range original.pairs() {
		if is := d.of[m.value]; is != nil {
			out.members = append(out.members, member{is.key, is.out})
		}
	}
	for _, is := range d.list {
		if is.container == container && (original == nil || is.from.parent != original) {
			out.members = append(out.members, member{is.key, is.out})
		}
	}
	return out
}

// withDefinitions returns the root schema out with its members $defs and definitions. Each has its place in the
// original schema, or is last if the original has none.
func (t *translator) withDefinitions(out *value) *value {
	for _, c := range containers {
		was := t.reader.root.get(c)
		all := t.defs.in(c, was)
		if len(all.members) == 0 {
			continue
		}
		at := len(out.members)
		if was != nil {
			keys := keysOf(t.reader.root)
			after := keys[slices.Index(keys, c)+1:]
			if i := slices.IndexFunc(out.members, func(m member) bool { return slices.Contains(after, m.key) }); i >= 0 {
				at = i
			}
		}
		now := *out
		now.members = slices.Insert(slices.Clone(out.members), at, member{c, all})
		out = &now
	}
	return out
}
