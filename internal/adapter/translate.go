package adapter

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
)

// A Translation is a schema in the form that a target accepts. It is immutable and safe for concurrent use. Use
// Translate.
type Translation struct {
	// Schema is the schema to send. It is nil if the target accepts a tool without parameters only without a schema. It
	// has the bytes of the original if the target accepts them. The caller must not modify it.
	Schema []byte
	// Words are the keywords of the root that Schema cannot express, as text for the tool's description. It is often
	// empty.
	Words string
	// Lost are the keywords of the original that Schema lacks, sorted by path. The caller must not modify it.
	Lost []Lost
	// Cost is the size of the schema in the budget for strict tools. It is zero for targets without a budget.
	Cost Budget

	undo  *step
	names map[string]string // maps sent names of properties to original names

	compile  sync.Once
	compiled *schema.Schema
}

// CompiledSchema returns Schema compiled, or nil if Schema is nil. It compiles at the first call. It is safe for
// concurrent use.
func (t *Translation) CompiledSchema() *schema.Schema {
	t.compile.Do(func() {
		if len(t.Schema) > 0 {
			t.compiled, _ = schema.Compile(t.Schema) // cannot fail for a translated schema
		}
	})
	return t.compiled
}

// Lost is a keyword that the translation omits or changes, so that Schema accepts values that the original rejects, or
// the reverse. Path is a JSON Pointer to the keyword in the original.
type Lost struct {
	Path    string `json:"path"`
	Keyword string `json:"keyword"`
	Why     string `json:"why"`
}

// Translate translates a tool's schema to the subset of a target. The translated root is one object. An empty text and
// null mean any object. The error is a *schema.CompileError with the path of the invalid part, except for an unknown
// target.
func Translate(to Target, raw []byte) (*Translation, error) { return translate(kind{to: to}, raw) }

// TranslateAnswer is Translate for the schema of a response. Its root may be a union or another type than object if the
// target accepts that in responses. to is the result of [Target.Answers].
func TranslateAnswer(to Target, raw []byte) (*Translation, error) {
	return translate(kind{to: to, answer: true}, raw)
}

// A kind is a target, and whether the schema is for a response.
type kind struct {
	to     Target
	answer bool
}

// targetNames returns the names of all targets, separated by commas.
func targetNames() string {
	names := make([]string, len(table))
	for i := range table {
		names[i] = string(table[i].target)
	}
	return strings.Join(names, ", ")
}

func translate(k kind, raw []byte) (*Translation, error) {
	r := rulesOf(k.to)
	if r == nil {
		return nil, fmt.Errorf("schema adapter: unknown target %q: expected one of %s", k.to, targetNames())
	}
	raw = bytes.Clone(jsonx.Trim(raw))
	if len(raw) == 0 || string(raw) == "null" {
		raw = []byte(`{"type":"object","properties":{}}`)
	}
	read, size, err := parse(raw)
	if err != nil {
		return nil, err
	}
	t := &translator{rules: r, reader: read, left: 4*size + 2000}
	var out *value
	var undo *step
	if k.answer && r.root.union {
		out, undo = t.schema(read.root)
	} else {
		out, undo = t.root()
	}
	done := &Translation{Lost: t.listLosses(), undo: undo, names: t.renamed, Words: t.rootWords}
	if out != nil {
		out = t.withDefinitions(out)
		if done.Schema = out.json(); bytes.Equal(done.Schema, jsonx.Compact(nil, raw)) || r.silent && saysSame(out, raw) {
			done.Schema = raw
		}
		done.Cost = r.cost(out)
	}
	return done, nil
}

// Undoes reports whether Undo may change arguments.
func (t *Translation) Undoes() bool { return t.undo != nil || len(t.names) > 0 }

// A translator is the state of the translation of one schema.
type translator struct {
	rules  *rules
	reader *reader
	left   int      // remaining work; the rest of the schema is dropped below 0
	stack  []*value // schemas of the references that are being expanded
	depth  int      // depth in the translated schema
	atRoot bool

	said      []describedKeyword // keywords for the description of the present schema
	rootWords string
	losses    []loss
	renamed   map[string]string
	defs      definitions
}

// A describedKeyword is a schema keyword that the target does not accept and that a description expresses instead.
type describedKeyword struct {
	key   string
	value *value
}

const tooLarge = "the schema is too large after its references are expanded"

// A loss is a dropped or changed keyword, with its value and the reason.
type loss struct {
	of      *value
	keyword string
	why     string
}

// lose records that a keyword with the value v is dropped or changed.
func (t *translator) lose(v *value, keyword, why string) {
	t.losses = append(t.losses, loss{v, keyword, why})
}

// listLosses returns the losses sorted by path. For several losses of one keyword it returns the first reason, but
// prefers the reason that no value satisfies the schema.
func (t *translator) listLosses() []Lost {
	var out []Lost
	seen := map[string]int{}
	for _, l := range t.losses {
		for i, path := range l.of.pointers() {
			keyword := l.keyword
			if step := path[strings.LastIndexByte(path, '/')+1:]; i > 0 && forms[step] != forms[keyword] && forms[step] != anyForm {
				keyword = step // a keyword that was merged with it
			}
			id := path + "\x00" + keyword
			if at, had := seen[id]; !had {
				seen[id] = len(out)
				out = append(out, Lost{Path: path, Keyword: keyword, Why: l.why})
			} else if l.why == unsatisfied {
				out[at].Why = l.why
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Lost) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// loseAll records all keywords of a schema as dropped.
func (t *translator) loseAll(v *value) {
	for _, m := range v.members {
		if _, known := forms[m.key]; known {
			t.lose(m.value, m.key, tooLarge)
		}
	}
}

// drop drops a keyword from the schema and adds it to the description.
func (t *translator) drop(key string, v *value, why string) {
	t.lose(v, key, why)
	if key != "additionalProperties" || !v.is("false") {
		t.said = append(t.said, describedKeyword{key, v})
	}
}

const (
	unsatisfied = "no value satisfies the schema, and the target cannot express this"

	notTaken = "the target does not support it; the description contains it"
	notHere  = "the target does not support it at the root; the description contains it"
)

// schema translates a schema. It also returns the step that converts values back, nil for none.
func (t *translator) schema(v *value) (*value, *step) {
	t.left--
	mark, said, root := len(t.stack), t.said, t.atRoot
	t.said, t.atRoot = nil, false
	defer func() { t.stack, t.said, t.atRoot = t.stack[:mark], said, root }()
	if t.left < 0 {
		t.lose(v, "type", tooLarge)
		return t.anything(newObject(), v)
	}
	if t.rules.keywords.all() {
		return t.keepSchema(v), nil
	}
	return t.writeSchema(t.flat(v))
}

// writeSchema translates a schema that flat has returned.
func (t *translator) writeSchema(f *value) (*value, *step) {
	switch {
	case f.is("true"):
		return t.anything(newObject(), f)
	case f.is("false"):
		t.lose(f, "false", unsatisfied)
		return t.anything(newObject(), f)
	case f.has("$ref"):
		return t.reference(f)
	case t.rules.depth > 0 && t.depth >= t.rules.depth:
		t.lose(f, "type", "it is nested deeper than the target allows")
		return t.anything(f, f)
	case f.has("anyOf") || f.has("oneOf"):
		return t.union(f)
	}
	return t.plain(f)
}

// down translates a schema that is deeper by the given number of steps.
func (t *translator) down(v *value, steps int) (*value, *step) {
	t.depth += steps
	out, undo := t.schema(v)
	t.depth -= steps
	return out, undo
}

// scalars are the types that mean any type if a target requires types. They omit null, which represents an absent
// value.
var scalars = []string{"string", "number", "boolean"}

// allTypes are all types of JSON Schema.
var allTypes = []string{"string", "number", "boolean", "object", "array", "null"}

// anything returns a schema for any value, with the annotations of f. from is the original schema for losses.
func (t *translator) anything(f, from *value) (*value, *step) {
	out := newObject()
	switch t.rules.typed {
	case noTypes:
		t.annotate(out, f)
		return out, nil
	case everyType:
		out.add("type", newNames(allTypes))
		t.annotate(out, f)
		return out, nil
	}
	t.lose(from, "type", "the target requires a type: only strings, numbers and booleans are allowed")
	if !t.rules.single {
		out.add("type", newNames(scalars))
		t.annotate(out, f)
		return out, nil
	}
	list := newList()
	for i, name := range scalars {
		one := newObject(member{"type", t.typeName(name)})
		if i == 0 {
			t.annotate(one, f)
		}
		list.items = append(list.items, one)
	}
	out.add("anyOf", list)
	return out, nil
}

// annotate adds to out the annotations of f that the target accepts, and the description of dropped keywords. It drops
// the other keywords of f.
func (t *translator) annotate(out, f *value) {
	for _, m := range f.members {
		_, known := forms[m.key]
		if known && !slices.Contains(quiet, m.key) {
			t.drop(m.key, m.value, notTaken)
		}
		if !known && t.rules.notes.has(m.key) && m.value.kind != jsonx.Null {
			out.set(m.key, m.value)
		}
	}
	t.describe(out)
}

// describe appends the dropped keywords to the description of out.
func (t *translator) describe(out *value) {
	text := t.sayings()
	if text == "" {
		return
	}
	if was := out.get("description").text(); was != "" {
		text = strings.TrimSpace(was) + " " + text
	}
	out.set("description", newText(text))
}

// sayings returns the dropped keywords as text: {minimum: 0, maxLength: 20}.
func (t *translator) sayings() string {
	if len(t.said) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteByte('{')
	for i, s := range t.said {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(s.key + ": " + excerpt(s.value.json()))
	}
	t.said = nil
	b.WriteByte('}')
	return b.String()
}

// typeName returns the name of a type in the target's spelling.
func (t *translator) typeName(name string) *value {
	if t.rules.single {
		name = strings.ToUpper(name)
	}
	return newText(name)
}
