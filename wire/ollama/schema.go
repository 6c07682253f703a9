package ollama

import (
	"maps"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// What the server keeps of a schema, at the root and of a parameter (api/types.go, ToolFunctionParameters and
// ToolProperty). What stands below items is kept whole. Everything else is dropped before the model sees it.
var (
	rootKeeps     = []string{"type", "$defs", "items", "required", "properties"}
	propertyKeeps = []string{"type", "anyOf", "items", "description", "enum", "properties", "required"}
)

// idle are keywords without which a model misses nothing.
var idle = []string{"$schema", "$id", "$anchor", "$comment", "$defs", "definitions", "title", "description", "deprecated", "readOnly",
	"writeOnly", "strict"}

// Bounds of the work on one schema.
const (
	maxNesting = 32       // levels that are looked into
	maxRefs    = 3        // references inside references that are written out
	maxInlined = 64 << 10 // bytes of definitions that are written out
)

// described is a schema whose constraints the server would drop, written so that the model sees them: references are
// written out, const as enum, oneOf as anyOf, allOf merged; all else is said in descriptions. The keywords themselves stay.
// words is what the root has to say, which has no description that is kept. moved are the keywords that were dealt with.
func described(schema []byte) (out []byte, words string, moved []string) {
	d := schemaWriter{root: schema}
	list, err := jsonx.ParseObject(schema)
	if err != nil {
		return schema, "", nil
	}
	refs, changed := d.resolveAll(&list, maxRefs)
	if kind, _ := list.Get("type"); string(kind) != `"object"` {
		changed = true
		list = slices.DeleteFunc(list, func(m jsonx.Member) bool { return m.Key == "type" })
		list = slices.Insert(list, 0, jsonx.Member{Key: "type", Value: []byte(`"object"`)})
	}
	words = d.words(list, rootKeeps)
	if d.below(list, 1, refs) || changed {
		schema = list.Append(nil)
	}
	return schema, words, d.moved
}

// schemaWriter writes one schema in the words that the server keeps.
type schemaWriter struct {
	root    []byte
	inlined int
	moved   []string
	seen    map[string]bool // what is in moved
}

func (d *schemaWriter) move(key string) {
	if !d.seen[key] {
		if d.seen == nil {
			d.seen = map[string]bool{}
		}
		d.seen[key] = true
		d.moved = append(d.moved, key)
	}
}

// property is the schema of a parameter, or of a part of one, v itself where nothing is to be done.
func (d *schemaWriter) property(v []byte, depth, refs int) (out []byte, changed bool) {
	if plain(v) {
		return v, false
	}
	list, err := jsonx.ParseObject(v)
	if err != nil || depth > maxNesting {
		return v, false
	}
	refs, changed = d.resolveAll(&list, refs)
	changed = d.rewrite(&list) || changed
	if words := d.words(list, propertyKeeps); words != "" {
		changed = true
		was, _ := list.Get("description")
		list.Set("description", jsonx.AppendQuote(nil, strings.TrimSpace(jsonx.Alias(was)+" "+words)))
	}
	changed = d.below(list, depth+1, refs) || changed
	if !changed {
		return v, false
	}
	return list.Append(nil), true
}

// plain reports whether a schema has only what the server keeps, or nobody misses, and no schemas that it looks into. A name
// that is spelled with escapes is not recognised.
func plain(v []byte) bool {
	for k := range jsonx.Members(v) {
		switch string(k) {
		case `"type"`, `"items"`, `"description"`, `"enum"`, `"required"`:
		default:
			if !slices.ContainsFunc(idle, k.Is) {
				return false
			}
		}
	}
	return true
}

// below does the same for the schemas inside an object that the server looks into.
func (d *schemaWriter) below(list jsonx.List, depth, refs int) (changed bool) {
	for i := range list {
		m := &list[i]
		var now []byte
		inside := false
		switch m.Key {
		case "properties":
			in, _ := jsonx.ParseObject(m.Value)
			for j := range in {
				v, c := d.property(in[j].Value, depth, refs)
				in[j].Value, inside = v, inside || c
			}
			if inside {
				now = in.Append(nil)
			}
		case "anyOf":
			now = append(now, '[')
			for e := range jsonx.Elements(m.Value) {
				if len(now) > 1 {
					now = append(now, ',')
				}
				v, c := d.property(e, depth, refs)
				now, inside = append(now, v...), inside || c
			}
			now = append(now, ']')
		}
		if inside {
			m.Value, changed = now, true
		}
	}
	return changed
}

// resolveAll writes out a reference and those that it leads to. left is how many may still follow inside.
func (d *schemaWriter) resolveAll(list *jsonx.List, refs int) (left int, changed bool) {
	for left = refs; left > 0 && d.resolve(list); left-- {
		changed = true
	}
	return left, changed
}

// resolve writes out what a reference stands for. What stands beside the reference wins. A recursion ends with the
// reference itself, which the server drops.
func (d *schemaWriter) resolve(list *jsonx.List) (changed bool) {
	ref, ok := list.Get("$ref")
	path, local := strings.CutPrefix(jsonx.Alias(ref), "#/")
	if !ok || !local {
		return false
	}
	target, ok := jsonx.Lookup(d.root, strings.Split(path, "/")...)
	in, err := jsonx.ParseObject(target)
	if !ok || err != nil || d.inlined+len(target) > maxInlined {
		return false
	}
	d.inlined += len(target)
	d.move("$ref")
	list.Delete("$ref")
	merge(list, keysOf(*list), in)
	return true
}

// keysOf is the set of an object's keys.
func keysOf(list jsonx.List) map[string]bool {
	keys := make(map[string]bool, len(list))
	for _, m := range list {
		keys[m.Key] = true
	}
	return keys
}

// merge adds the members that list does not have. had are its keys, and stays so.
func merge(list *jsonx.List, had map[string]bool, in jsonx.List) {
	for _, m := range in {
		if !had[m.Key] {
			had[m.Key] = true
			*list = append(*list, m)
		}
	}
}

// rewrite gives keywords the form that the server keeps.
func (d *schemaWriter) rewrite(list *jsonx.List) (changed bool) {
	for _, form := range []struct {
		from, to      string
		before, after string
	}{{"const", "enum", "[", "]"}, {"oneOf", "anyOf", "", ""}} {
		v, ok := list.Get(form.from)
		if _, had := list.Get(form.to); !ok || had {
			continue
		}
		d.move(form.from)
		list.Delete(form.from)
		list.Set(form.to, slices.Concat([]byte(form.before), v, []byte(form.after)))
		changed = true
	}
	all, _ := list.Get("allOf")
	var parts []jsonx.List
	keys := keysOf(*list)
	for e := range jsonx.Elements(all) {
		in, err := jsonx.ParseObject(e)
		if err != nil || clash(keys, in) {
			return changed
		}
		maps.Copy(keys, keysOf(in))
		parts = append(parts, in)
	}
	if parts == nil {
		return changed
	}
	d.move("allOf")
	list.Delete("allOf")
	had := keysOf(*list)
	for _, in := range parts {
		d.resolve(&in)
		merge(list, had, in)
	}
	return true
}

// clash reports whether a schema says something about what the keys of others do, so that it cannot be laid over them.
func clash(keys map[string]bool, in jsonx.List) bool {
	return slices.ContainsFunc(in, func(m jsonx.Member) bool { return keys[m.Key] && !slices.Contains(idle, m.Key) })
}

// words says what the keywords that are not kept demand: {minimum: 0, maxLength: 20}.
func (d *schemaWriter) words(list jsonx.List, keeps []string) string {
	var b strings.Builder
	for _, m := range list {
		if slices.Contains(keeps, m.Key) || slices.Contains(idle, m.Key) || m.Key == "additionalProperties" && string(m.Value) == "false" {
			continue
		}
		d.move(m.Key)
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(m.Key + ": " + callwright.Excerpt(string(jsonx.Compact(nil, m.Value))))
	}
	if b.Len() == 0 {
		return ""
	}
	return "{" + b.String() + "}"
}
