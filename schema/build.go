package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A builder compiles a source to a graph of nodes.
type builder struct {
	src    *source
	nodes  map[string]*node // nodes by JSON pointer in the schema
	ways   map[*node]int    // number of references to each referenced node, including its own position
	shared int
	again  bool // several schemas apply to the same value, so results are worth caching
}

// build compiles the normalized schema src.
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

// node returns the node for the schema v at the JSON pointer path. It creates the node on the first call.
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
			return n // these drafts ignore keywords beside $ref
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

// foreign adds the schemas of keywords that only the complete validator checks to the node, so that the work estimate
// and Coerce include them.
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

// target returns the node for a reference such as "#/$defs/x" or "#anchor". It returns nil if only the complete
// validator can resolve the reference.
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
		b.ways[n] = 1 // the schema also applies at its own position
	}
	if b.ways[n]++; b.ways[n] > 1 && n.shared == 0 {
		b.shared++
		n.shared = b.shared
	}
	return n
}

// isDefinition reports whether the schema at path is a direct child of $defs or definitions, so that it applies only
// through references.
func isDefinition(path string) bool {
	at := strings.LastIndexByte(path, '/')
	return at > 0 && (strings.HasSuffix(path[:at], "/$defs") || strings.HasSuffix(path[:at], "/definitions"))
}

// maxBeside is the maximum number of schemas that may apply to one value through a chain of references and
// combinators.
const maxBeside = 256

// measure rejects schemas whose references form a cycle, or a chain longer than maxBeside, at the same position of a
// document.
func (b *builder) measure() error {
	height := make(map[*node]int, len(b.nodes)) // chain length below each node, -1 during the computation
	var visit func(n *node) error
	visit = func(n *node) error {
		switch h := height[n]; {
		case h < 0:
			return refuse(n.at, "want references without a cycle, got a cycle")
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
			return refuse(n.at, "want at most %d schemas in a chain of references and combinators, got more", maxBeside)
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

// beside returns the direct subschemas that n applies to the same value, such as those of $ref and allOf.
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

// fields provides access to the keywords of one schema. normalise has checked their types.
type fields struct {
	b    *builder
	m    map[string]any
	path string
}

// has returns the value of a keyword. ok is false if the keyword is absent or unknown in the schema's draft.
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
