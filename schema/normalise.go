package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"sort"
	"strconv"
	"strings"
)

const (
	maxSchemaDepth = 128
	maxSchemas     = 20000
	latestDraft    = 2020
)

// A source is a client's schema converted to plain JSON Schema of one draft, with records of converted and removed
// parts.
type source struct {
	doc       any // decoded schema, with numbers as json.Number
	draft     int
	foreign   bool // needs the complete validator
	walked    map[string]bool
	refs      []refAt
	anchors   map[string]string // JSON pointers by $anchor, $dynamicAnchor and similar names
	unchecked []Unchecked
	readings  []Reading
}

// refAt is a $ref: path is the JSON pointer of the schema with the $ref, to is its value.
type refAt struct{ path, to string }

// normalise converts a client's schema to JSON Schema. It returns an error if raw is not a schema.
func normalise(raw []byte) (*source, error) {
	doc, err := decode(raw)
	if err != nil {
		return nil, refuse("", "want a schema in JSON: %v", err)
	}
	src := &source{doc: doc, draft: latestDraft, walked: map[string]bool{}, anchors: map[string]string{}}
	root, _ := doc.(map[string]any)
	src.readDraft(root)
	if err := src.walk("", doc, 0); err != nil {
		return nil, err
	}
	if err := src.walkRefs(); err != nil {
		return nil, err
	}
	sort.SliceStable(src.unchecked, func(i, j int) bool { return src.unchecked[i].Path < src.unchecked[j].Path })
	sort.SliceStable(src.readings, func(i, j int) bool { return src.readings[i].Path < src.readings[j].Path })
	return src, nil
}

// decode decodes JSON with numbers as json.Number and exponents limited to four digits.
func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return limitExponents(v), nil
}

// limitExponents limits exponents to four digits, because the complete validator takes too long for larger ones.
func limitExponents(v any) any {
	switch v := v.(type) {
	case json.Number:
		return tameNumber(v)
	case []any:
		for i := range v {
			v[i] = limitExponents(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = limitExponents(v[k])
		}
	}
	return v
}

func tameNumber(n json.Number) json.Number {
	at := strings.IndexAny(string(n), "eE")
	if at < 0 {
		return n
	}
	if e, err := strconv.Atoi(string(n)[at+1:]); err == nil && -9999 <= e && e <= 9999 {
		return n
	}
	if n[at+1] == '-' {
		return n[:at] + "e-9999"
	}
	return n[:at] + "e9999"
}

// draftTable maps a part of a $schema URL to the draft.
var draftTable = []struct {
	part  string
	draft int
}{
	{"draft/2020-12", 2020}, {"draft/2019-09", 2019}, {"draft-07", 7}, {"draft-06", 6}, {"draft-04", 4},
}

func (src *source) readDraft(root map[string]any) {
	is, given := root["$schema"]
	if !given {
		return
	}
	name, _ := is.(string)
	for _, row := range draftTable {
		if strings.Contains(name, "json-schema.org/"+row.part) {
			src.draft = row.draft
			// the tree supports drafts 7 and 2020-12
			src.foreign = row.draft != 7 && row.draft != 2020
			return
		}
	}
	delete(root, "$schema")
	src.read("/$schema", show(is), "draft 2020-12")
}

// walk normalizes the schema v at path and its subschemas.
func (src *source) walk(path string, v any, depth int) error {
	if depth > maxSchemaDepth {
		return refuse(path, "want at most %d levels, got more", maxSchemaDepth)
	}
	if src.walked[path] = true; len(src.walked) > maxSchemas {
		return refuse(path, "want at most %d schemas, got more", maxSchemas)
	}
	if _, ok := v.(bool); ok {
		return nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		return refuse(path, "want a schema (an object or a boolean), got %s", show(v))
	}
	if err := src.translate(path, m); err != nil {
		return err
	}
	if _, nested := m["$id"]; nested && (path != "" || strings.HasPrefix(str(m["$id"]), "#")) {
		src.foreign = true
	}
	for _, name := range [...]string{"$anchor", "$dynamicAnchor"} {
		if anchor := str(m[name]); anchor != "" {
			src.anchors[anchor] = path
		}
	}
	known := keywordShapes[src.draft]
	for _, name := range sortedKeys(m) {
		shape, ok := known[name]
		if !ok {
			continue
		}
		if err := src.keyword(path, name, shape, m, depth); err != nil {
			return err
		}
	}
	return nil
}

// walkRefs normalizes schemas that are reached only by references, at positions where no keyword has a schema.
func (src *source) walkRefs() error {
	for i := 0; i < len(src.refs); i++ { // src.refs grows during the loop
		ref := src.refs[i]
		if ref.to != "#" && !strings.HasPrefix(ref.to, "#/") {
			if !strings.HasPrefix(ref.to, "#") && !src.hasID() && !isMetaSchema(ref.to) {
				src.leaveOutRef(ref, notFetched)
				continue
			}
			src.foreign = true
			continue
		}
		path := refPath(ref.to)
		if src.walked[path] {
			continue
		}
		v, ok := resolve(src.doc, path)
		if !ok {
			if src.foreign {
				continue // the reference may be relative to an embedded resource
			}
			src.leaveOutRef(ref, leadsNowhere)
			continue
		}
		if err := src.walk(path, v, strings.Count(path, "/")); err != nil {
			return err
		}
	}
	return nil
}

// Reasons why a reference is removed.
const (
	notFetched   = "the reference leads out of the schema, and other schemas are not fetched"
	leadsNowhere = "the reference has no target in the schema"
)

// leaveOutRef removes an unresolvable $ref from its schema and records this. It returns false if there is no $ref at
// ref.path.
func (src *source) leaveOutRef(ref refAt, why string) bool {
	at, _ := resolve(src.doc, ref.path)
	m, ok := at.(map[string]any)
	if _, has := m["$ref"]; !ok || !has {
		return false
	}
	delete(m, "$ref")
	src.leaveOut(ref.path, "$ref", why)
	return true
}

func (src *source) hasID() bool {
	root, _ := src.doc.(map[string]any)
	_, ok := root["$id"]
	return ok || src.foreign
}

func isMetaSchema(ref string) bool {
	return strings.HasPrefix(ref, "http://json-schema.org/draft-0") || strings.HasPrefix(ref, "https://json-schema.org/draft/20")
}

func (src *source) leaveOut(path, keyword, why string) {
	src.unchecked = append(src.unchecked, Unchecked{Path: path + "/" + keyword, Keyword: keyword, Why: why})
}

func (src *source) read(path, was, now string) {
	src.readings = append(src.readings, Reading{Path: path, Was: was, Now: now})
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func str(v any) string {
	s, _ := v.(string)
	return s
}

// show returns a schema value as JSON for a message, shortened.
func show(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "something else"
	}
	return shorten(string(b))
}
