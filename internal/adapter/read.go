package adapter

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
)

// The maximum depth and number of schemas, as in package schema.
const (
	maxDepth   = 128
	maxSchemas = 20000
)

// A form is the type that the value of a JSON Schema keyword must have.
type form uint8

const (
	anyForm form = iota
	number
	count
	flag
	word
	valueList
	nameList
	oneSchema
	schemaList
	schemaMap
	other // checked separately
)

// forms maps each keyword that constrains values or contains schemas to the type of its value. All other keywords are
// annotations.
var forms = map[string]form{
	"type": other, "enum": valueList, "const": anyForm, "multipleOf": number, "minimum": number, "maximum": number,
	"exclusiveMinimum": number, "exclusiveMaximum": number, "minLength": count, "maxLength": count, "pattern": word, "format": word,
	"minItems": count, "maxItems": count, "uniqueItems": flag, "items": oneSchema, "prefixItems": schemaList, "contains": oneSchema,
	"minContains": count, "maxContains": count, "minProperties": count, "maxProperties": count, "required": nameList,
	"properties": schemaMap, "patternProperties": schemaMap, "additionalProperties": oneSchema, "propertyNames": oneSchema,
	"dependentRequired": other, "dependentSchemas": schemaMap, "allOf": schemaList, "anyOf": schemaList, "oneOf": schemaList,
	"not": oneSchema, "if": oneSchema, "then": oneSchema, "else": oneSchema, "$ref": word, "$defs": schemaMap, "definitions": schemaMap,
	"unevaluatedProperties": oneSchema, "unevaluatedItems": oneSchema, "$dynamicRef": word, "$recursiveRef": word,
}

// formWords describe the types that forms require, for errors.
var formWords = [...]string{anyForm: "any value", number: "a number", count: "an integer of 0 or more", flag: "true or false",
	word:      "a string",
	valueList: "a list of values", nameList: "a list of names", oneSchema: "a schema (an object or a boolean)",
	schemaList: "a list of schemas",
	schemaMap:  "an object of schemas", other: "another value"}

// A reader converts a client's schema to standard JSON Schema, in place.
type reader struct {
	root    *value
	old     bool // whether keywords beside a reference are ignored: draft 7 and older
	count   int
	anchors map[string]*value
}

func refuse(at *value, step, format string, args ...any) error {
	path := at.pointer()
	if step != "" {
		path += "/" + jsonx.EscapeToken(step)
	}
	return &schema.CompileError{Path: path, Reason: fmt.Sprintf(format, args...)}
}

// parse parses a schema and converts it to standard JSON Schema. It also returns the number of JSON values. The error
// is a *schema.CompileError.
func parse(text []byte) (*reader, int, error) {
	if err := jsonx.Valid(text); err != nil {
		return nil, 0, &schema.CompileError{Reason: "want a schema in JSON: " + err.Error()}
	}
	p := parser{text: text}
	r := &reader{}
	r.root, _ = p.value(jsonx.Space(text, 0), nil, "")
	draft := r.root.get("$schema").text()
	r.old = strings.Contains(draft, "json-schema.org/draft-0")
	return r, p.count, r.schema(r.root, 0)
}

// schema converts one schema and the schemas in it.
func (r *reader) schema(v *value, depth int) error {
	if r.count++; depth > maxDepth || r.count > maxSchemas {
		return refuse(v, "", "want at most %d schemas in at most %d levels, got more", maxSchemas, maxDepth)
	}
	switch v.read = true; v.kind {
	case jsonx.Bool:
		return nil
	case jsonx.Object:
	default:
		return refuse(v, "", "want %s, got %s", formWords[oneSchema], excerpt(v.json()))
	}
	if err := r.forms(v); err != nil {
		return err
	}
	for _, name := range [...]string{"$anchor", "$dynamicAnchor"} {
		if a := v.get(name).text(); a != "" {
			if r.anchors == nil {
				r.anchors = map[string]*value{}
			}
			r.anchors[a] = v
		}
	}
	for _, m := range v.members {
		if err := r.below(m.key, m.value, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// below converts the schemas under a keyword.
func (r *reader) below(key string, v *value, depth int) error {
	switch forms[key] {
	case oneSchema:
		return r.schema(v, depth)
	case schemaList:
		for _, e := range v.items {
			if err := r.schema(e, depth); err != nil {
				return err
			}
		}
	case schemaMap:
		for _, m := range v.members {
			if err := r.schema(m.value, depth); err != nil {
				return err
			}
		}
	}
	return nil
}

// forms converts non-standard forms in one schema, and rejects invalid values.
func (r *reader) forms(v *value) error {
	v.members = slices.DeleteFunc(v.members, func(m member) bool {
		_, known := forms[m.key]
		return r.old && slices.Contains(newer, m.key) || known && m.key != "const" && m.value.kind == jsonx.Null ||
			m.key == "required" && m.value.kind == jsonx.Bool
	})
	readBounds(v)
	readItems(v)
	readDependencies(v)
	if err := readType(v); err != nil {
		return err
	}
	for _, m := range v.members {
		if f, known := forms[m.key]; known && !f.holds(m.value) {
			return refuse(v, m.key, "want %s, got %s", formWords[f], excerpt(m.value.json()))
		}
	}
	if v.get("nullable").is("true") {
		allowNull(v)
	} else {
		v.members = slices.DeleteFunc(v.members, func(m member) bool { return m.key == "nullable" && m.value.kind == jsonx.Bool })
	}
	return nil
}

// newer are the keywords that draft 7 lacks.
var newer = words("prefixItems dependentRequired dependentSchemas minContains maxContains unevaluatedProperties unevaluatedItems $dynamicRef $recursiveRef")

// holds reports whether a value has the form.
func (f form) holds(v *value) bool {
	switch f {
	case number:
		return v.kind == jsonx.Number
	case count:
		return v.kind == jsonx.Number && v.raw[0] != '-' || v.is("-0")
	case flag:
		return v.kind == jsonx.Bool
	case word:
		return v.kind == jsonx.Text
	case valueList:
		return v.kind == jsonx.Array
	case schemaList:
		return v.kind == jsonx.Array && len(v.items) > 0
	case nameList:
		return v.kind == jsonx.Array && !slices.ContainsFunc(v.items, func(e *value) bool { return e.kind != jsonx.Text })
	case schemaMap:
		return v.kind == jsonx.Object
	}
	return true
}

// readBounds converts exclusiveMinimum: true of draft 4 and OpenAPI, and exclusiveMaximum likewise.
func readBounds(v *value) {
	for _, b := range [...][2]string{{"exclusiveMinimum", "minimum"}, {"exclusiveMaximum", "maximum"}} {
		on, limit := v.get(b[0]), v.get(b[1])
		if on == nil || on.kind != jsonx.Bool {
			continue
		}
		v.members = slices.DeleteFunc(v.members, func(m member) bool { return m.key == b[0] })
		if on.is("true") && limit != nil {
			for i := range v.members {
				if v.members[i].key == b[1] {
					v.members[i].key = b[0]
				}
			}
		}
	}
}

// readItems converts a list under items to prefixItems, and additionalItems to items.
func readItems(v *value) {
	items := v.get("items")
	if items == nil || items.kind != jsonx.Array {
		return
	}
	tuple := v.get("prefixItems") == nil && len(items.items) > 0
	var out []member
	for _, m := range v.members {
		switch {
		case m.key == "items" && tuple:
			out = append(out, member{"prefixItems", m.value})
		case m.key == "items":
		case m.key == "additionalItems":
			out = append(out, member{"items", m.value})
		default:
			out = append(out, m)
		}
	}
	v.members = out
}

// readDependencies converts dependencies to dependentRequired and dependentSchemas.
func readDependencies(v *value) {
	all := v.get("dependencies")
	if all == nil || all.kind != jsonx.Object {
		return
	}
	lists, schemas := (&value{kind: jsonx.Object}).as(all), (&value{kind: jsonx.Object}).as(all)
	for _, m := range all.members {
		if m.value.kind == jsonx.Array {
			lists.members = append(lists.members, m)
		} else {
			schemas.members = append(schemas.members, m)
		}
	}
	v.members = slices.DeleteFunc(v.members, func(m member) bool { return m.key == "dependencies" })
	if len(lists.members) > 0 && !v.has("dependentRequired") {
		v.add("dependentRequired", lists)
	}
	if len(schemas.members) > 0 && !v.has("dependentSchemas") {
		v.add("dependentSchemas", schemas)
	}
}

// readType converts names of types to those of JSON Schema. If one of them means any type or no type, it removes the
// keyword type.
func readType(v *value) error {
	at := slices.IndexFunc(v.members, func(m member) bool { return m.key == "type" })
	if at < 0 {
		return nil
	}
	is := v.members[at].value
	names := []*value{is}
	if is.kind == jsonx.Array {
		if names = is.items; len(names) == 0 {
			return refuse(v, "type", "want at least one type, got an empty list")
		}
	}
	same := true
	var now []string
	for _, n := range names {
		name := n.text()
		if n.kind == jsonx.Null {
			name = "null"
		} else if n.kind != jsonx.Text {
			return refuse(v, "type", "want the name of a type or a list of them, got %s", excerpt(is.json()))
		}
		read, _ := schema.TypeName(name)
		if read == "" { // any value, or a name that means no type
			v.members = slices.Delete(v.members, at, at+1)
			return nil
		}
		if same = same && read == name; !slices.Contains(now, read) {
			now = append(now, read)
		}
	}
	if same && len(now) == len(names) {
		return nil
	}
	v.members[at].value = typeValue(now).as(is)
	return nil
}

// typeValue returns the value of type: one name or a list.
func typeValue(names []string) *value {
	if len(names) == 1 {
		return newText(names[0])
	}
	return newNames(names)
}

// beside are the keywords with further schemas for the same value.
var beside = []string{"$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"}

// allowNull converts nullable: true to the type null. Schemas in the keywords beside then do not apply to null.
func allowNull(v *value) {
	var out []member
	inner := (&value{kind: jsonx.Object}).as(v)
	for _, m := range v.members {
		switch {
		case m.key == "nullable":
			continue
		case m.key == "type":
			names := typesOf(m.value)
			if !slices.Contains(names, "null") {
				m.value = typeValue(append(names, "null")).as(m.value)
			}
		case m.key == "const":
			m = member{"enum", newList(m.value, nullValue).as(m.value)}
		case m.key == "enum" && !slices.ContainsFunc(m.value.items, func(e *value) bool { return e.kind == jsonx.Null }):
			m.value = newList(append(slices.Clone(m.value.items), nullValue)...).as(m.value)
		case slices.Contains(beside, m.key):
			inner.members = append(inner.members, m)
			continue
		}
		out = append(out, m)
	}
	if len(inner.members) > 0 {
		out = append(out, member{"anyOf", newList(inner, newObject(member{"type", newText("null")})).as(inner.members[0].value)})
	}
	v.members = out
}

var nullValue = &value{kind: jsonx.Null, raw: []byte("null")}

// typesOf returns the type names in the value of type, nil if v is nil.
func typesOf(v *value) []string {
	if v == nil {
		return nil
	}
	if v.kind == jsonx.Array {
		return v.names()
	}
	return []string{v.text()}
}

// target returns the schema to which a local reference leads, or nil if there is none.
func (r *reader) target(ref string) *value {
	fragment, local := strings.CutPrefix(ref, "#")
	if !local {
		return nil
	}
	if fragment != "" && fragment[0] != '/' {
		return r.anchors[fragment]
	}
	if p, err := url.PathUnescape(fragment); err == nil {
		fragment = p
	}
	at := r.root
	for i, step := range strings.Split(fragment, "/") {
		if i == 0 {
			continue
		}
		step = jsonx.UnescapeToken(step)
		if at.kind == jsonx.Array {
			n, err := strconv.Atoi(step)
			if err != nil || n < 0 || n >= len(at.items) {
				return nil
			}
			at = at.items[n]
		} else if at = at.get(step); at == nil {
			return nil
		}
	}
	if !at.read && r.schema(at, 0) != nil {
		return nil
	}
	return at
}

// maxExcerpt is the maximum number of bytes of a value in a message or a description.
const maxExcerpt = 200

// excerpt returns a value, cut to maxExcerpt bytes.
func excerpt(v []byte) string {
	if len(v) <= maxExcerpt {
		return string(v)
	}
	return string(bytes.ToValidUTF8(v[:maxExcerpt], nil)) + "..."
}
