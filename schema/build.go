package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A builder makes the graph of nodes from a source.
type builder struct {
	src    *source
	nodes  map[string]*node // by JSON pointer
	ways   map[*node]int    // how many ways lead to a node that is referred to
	shared int
	again  bool // some value is held against several schemas
}

// build compiles the source.
func (s *Schema) build(src *source) error {
	if src.foreign {
		var err error
		if s.complete, err = newLibrary(src); err != nil {
			return err
		}
	}
	b := &builder{src: src, nodes: map[string]*node{}, ways: map[*node]int{}}
	s.root = b.node("", src.doc)
	if err := b.measure(); err != nil {
		return err
	}
	s.shared = b.again && b.shared > 0
	return nil
}

// node returns the node of the schema v at path, made once.
func (b *builder) node(path string, v any) *node {
	if n, ok := b.nodes[path]; ok {
		return n
	}
	n := &node{at: path}
	b.nodes[path] = n
	m, ok := v.(map[string]any)
	if !ok {
		n.any = v == true
		n.none = v == false
		return n
	}
	f := fields{b: b, m: m, path: path}
	if to, ok := m["$ref"].(string); ok {
		n.ref = b.target(to)
		if b.src.draft <= 7 && n.ref != nil {
			n.joined = true
			return n // nothing beside a reference counts in these drafts
		}
	}
	f.foreign(n)
	n.kinds = f.kinds()
	n.values = f.values()
	n.number, n.str, n.array, n.object = f.number(), f.str(), f.array(), f.object()
	n.allOf, n.anyOf, n.oneOf = append(n.allOf, f.nodes("allOf")...), f.nodes("anyOf"), f.nodes("oneOf")
	n.not = f.node("not")
	if n.cond = f.node("if"); n.cond != nil {
		n.then, n.other = f.node("then"), f.node("else")
	}
	n.joined = n.ref != nil || n.allOf != nil || n.anyOf != nil || n.oneOf != nil || n.not != nil || n.cond != nil
	b.again = b.again || len(n.beside()) > 1 || n.array != nil && n.array.contains != nil || n.object != nil && n.object.patterns != nil
	n.any = n.kinds == 0 && n.values == nil && n.number == nil && n.str == nil && n.array == nil && n.object == nil && !n.joined
	return n
}

// foreign adds keywords that the tree does not check, for the estimate of work and for Coerce.
func (f fields) foreign(n *node) {
	if !f.b.src.foreign {
		return
	}
	for _, name := range [...]string{"$dynamicRef", "$recursiveRef"} {
		if to, ok := f.has(name); ok {
			if at := f.b.target(str(to)); at != nil {
				n.allOf = append(n.allOf, at)
			}
		}
	}
	for _, name := range [...]string{"unevaluatedProperties", "unevaluatedItems"} {
		if at := f.node(name); at != nil {
			n.rare = append(n.rare, at)
		}
	}
}

// target returns the node that a reference leads to, nil when only the complete validator can tell.
func (b *builder) target(to string) *node {
	path, named := "", false
	if to != "#" && !strings.HasPrefix(to, "#/") {
		if path, named = b.src.anchors[strings.TrimPrefix(to, "#")]; !named {
			return nil
		}
	} else {
		path = refPath(to)
	}
	v, ok := resolve(b.src.doc, path)
	if !ok {
		return nil
	}
	n := b.node(path, v)
	if b.ways[n] == 0 && !isDefinition(path) {
		b.ways[n] = 1 // it also holds where it stands
	}
	if b.ways[n]++; b.ways[n] > 1 && n.shared == 0 {
		b.shared++
		n.shared = b.shared
	}
	return n
}

// isDefinition reports whether a schema stands where only references lead to it.
func isDefinition(path string) bool {
	at := strings.LastIndexByte(path, '/')
	return at > 0 && (strings.HasSuffix(path[:at], "/$defs") || strings.HasSuffix(path[:at], "/definitions"))
}

// maxBeside bounds how many schemas may stand for the same value, each leading to the next.
const maxBeside = 256

// measure refuses schemas that lead back to themselves, or on and on, without going down in the document.
func (b *builder) measure() error {
	height := make(map[*node]int, len(b.nodes)) // -1 while it is being measured
	var visit func(n *node) error
	visit = func(n *node) error {
		switch h := height[n]; {
		case h < 0:
			return refuse(n.at, "want references that come to an end, got a circle")
		case h > 0:
			return nil
		}
		height[n] = -1
		most := 0
		for _, next := range n.beside() {
			if err := visit(next); err != nil {
				return err
			}
			most = max(most, height[next])
		}
		if most >= maxBeside {
			return refuse(n.at, "want at most %d schemas in a row for one value, got more", maxBeside)
		}
		height[n] = most + 1
		n.may = n.possible()
		return nil
	}
	for _, path := range slices.Sorted(maps.Keys(b.nodes)) {
		if err := visit(b.nodes[path]); err != nil {
			return err
		}
	}
	return nil
}

// beside returns the schemas that n applies to the same value.
func (n *node) beside() []*node {
	var out []*node
	for _, one := range [...]*node{n.ref, n.not, n.cond, n.then, n.other} {
		if one != nil {
			out = append(out, one)
		}
	}
	for _, list := range [...][]*node{n.allOf, n.anyOf, n.oneOf} {
		out = append(out, list...)
	}
	if n.object != nil {
		for _, d := range n.object.needSchemas {
			out = append(out, d.node)
		}
	}
	return out
}

// fields reads the keywords of one schema. normalise has checked their forms.
type fields struct {
	b    *builder
	m    map[string]any
	path string
}

// has returns the value of a keyword that the draft knows.
func (f fields) has(name string) (any, bool) {
	if _, known := keywordShapes[f.b.src.draft][name]; !known {
		return nil, false
	}
	v, ok := f.m[name]
	return v, ok
}

func (f fields) node(name string) *node {
	v, ok := f.has(name)
	if !ok {
		return nil
	}
	return f.b.node(join(f.path, name), v)
}

func (f fields) nodes(name string) []*node {
	v, _ := f.has(name)
	list, _ := v.([]any)
	out := make([]*node, 0, len(list))
	for i, one := range list {
		out = append(out, f.b.node(join(f.path, name)+"/"+strconv.Itoa(i), one))
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func (f fields) count(name string, without int) int {
	v, ok := f.has(name)
	if !ok {
		return without
	}
	n, _ := v.(json.Number)
	i, err := strconv.Atoi(string(n))
	if err != nil {
		return without
	}
	return i
}

func (f fields) strings(v any) []string {
	list, _ := v.([]any)
	out := make([]string, 0, len(list))
	for _, one := range list {
		out = append(out, str(one))
	}
	return out
}

func (f fields) kinds() kindSet {
	switch t := f.m["type"].(type) {
	case string:
		return kindByName[t]
	case []any:
		var set kindSet
		for _, name := range t {
			set |= kindByName[str(name)]
		}
		return set
	}
	return 0
}

func (f fields) values() []valueRule {
	var out []valueRule
	if list, ok := f.m["enum"].([]any); ok {
		out = append(out, newValues("enum", list))
	}
	if v, ok := f.has("const"); ok {
		out = append(out, newValues("const", []any{v}))
	}
	return out
}

func newValues(keyword string, list []any) valueRule {
	r := valueRule{keyword: keyword, list: make([]literal, 0, len(list))}
	for _, v := range list {
		b, _ := jsonx.Marshal(v)
		r.list = append(r.list, literal{json: b, text: str(v), kind: kindOf(b)})
	}
	return r
}
