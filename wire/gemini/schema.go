package gemini

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright/internal/jsonx"
)

// sendable is a JSON Schema without the keywords that the API refuses: const is written as enum, and what stands under allOf is
// merged. What the answer is held against stays as it was. It is v itself where nothing is to be done.
// https://ai.google.dev/gemini-api/docs/structured-output#json-schema
func sendable(v []byte) (out []byte, changed bool) {
	if !bytes.Contains(v, []byte(`"const"`)) && !bytes.Contains(v, []byte(`"allOf"`)) && !bytes.Contains(v, []byte(`\u`)) {
		return v, false
	}
	return rewritten(v, 0)
}

func rewritten(v []byte, depth int) ([]byte, bool) {
	if depth > maxNesting || !jsonx.IsObject(v) {
		return v, false
	}
	list, _ := jsonx.ParseObject(v)
	changed := mergeAll(&list)
	if c, ok := list.Get("const"); ok {
		list.Delete("const")
		list.Set("enum", slices.Concat([]byte{'['}, c, []byte{']'}))
		changed = true
	}
	for i := range list {
		m := &list[i]
		now, c := m.Value, false
		switch m.Key {
		case "items", "additionalProperties":
			now, c = rewritten(m.Value, depth+1)
		case "properties", "$defs", "definitions":
			now, c = eachMember(m.Value, depth, rewritten)
		case "anyOf", "oneOf", "prefixItems":
			now, c = eachElement(m.Value, depth, rewritten)
		}
		m.Value, changed = now, changed || c
	}
	if !changed {
		return v, false
	}
	return list.Append(nil), true
}

// mergeAll puts the members of the schemas under allOf into the list: of what they share, properties and required ones are
// joined, and of all else the first counts.
func mergeAll(list *jsonx.List) bool {
	all, ok := list.Get("allOf")
	if !ok || !jsonx.IsArray(all) {
		return false
	}
	list.Delete("allOf")
	for part := range jsonx.Elements(all) {
		more, err := jsonx.ParseObject(part)
		if err != nil {
			continue
		}
		mergeAll(&more)
		for _, m := range more {
			was, has := list.Get(m.Key)
			switch {
			case !has:
				list.Set(m.Key, m.Value)
			case m.Key == "properties":
				list.Set(m.Key, joinedMembers(was, m.Value))
			case m.Key == "required":
				list.Set(m.Key, joinedElements(was, m.Value))
			}
		}
	}
	return true
}

// joinedMembers is an object with those members of another that it does not have.
func joinedMembers(a, b []byte) []byte {
	list, _ := jsonx.ParseObject(a)
	more, _ := jsonx.ParseObject(b)
	for _, m := range more {
		if _, has := list.Get(m.Key); !has {
			list.Set(m.Key, m.Value)
		}
	}
	return list.Append(nil)
}

// joinedElements is a list with the elements of another after its own.
func joinedElements(a, b []byte) []byte {
	w := newWriter(nil)
	w.Open("", '[')
	for _, list := range [][]byte{a, b} {
		for e := range jsonx.Elements(list) {
			w.Raw("", e)
		}
	}
	w.Close(']')
	return w.Buf
}
