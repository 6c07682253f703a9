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

// A Translation is a schema in the form of a target. It does not change and is safe for concurrent use. Make one with
// Translate.
type Translation struct {
	// Schema is the schema to send; nil if the target accepts a tool without parameters only without a schema. It has the
	// bytes of the original if they can stay. The caller must not change it.
	Schema []byte
	// Words are the keywords of the root that Schema cannot express, for the description of the tool; often empty.
	Words string
	// Lost are the keywords of the original that Schema lacks, in the order of paths. The caller must not change it.
	Lost []Lost
	// Cost is the use of the budget of strict tools by the schema, zero for targets without a budget.
	Cost Budget

	undo  *step
	names map[string]string // original names of properties by those that are sent

	compile  sync.Once
	compiled *schema.Schema
}

// CompiledSchema returns Schema, compiled on the first call; nil if Schema is nil. It is safe for concurrent use.
func (t *Translation) CompiledSchema() *schema.Schema {
	t.compile.Do(func() {
		if len(t.Schema) > 0 {
			t.compiled, _ = schema.Compile(t.Schema) // a translation is a schema
		}
	})
	return t.compiled
}

// Lost is a keyword of the original that the translation leaves out or changes, so that it allows values that the
// original forbids or the other way round. Path is a JSON pointer to the keyword.
type Lost struct {
	Path    string `json:"path"`
	Keyword string `json:"keyword"`
	Why     string `json:"why"`
}

// Translate writes a tool's schema in the form of a target: the root is one object. Empty text and null stand for any
// object. The error is a *schema.CompileError with the place of an invalid schema; it is another error only for an
// unknown target.
func Translate(to Target, raw []byte) (*Translation, error) { return translate(kind{to: to}, raw) }

// TranslateAnswer is Translate for the schema of an answer. Its root may be a union, or no object, where the target
// takes that in answers. The target is that of Target.Answers.
func TranslateAnswer(to Target, raw []byte) (*Translation, error) {
	return translate(kind{to: to, answer: true}, raw)
}

// A kind is the use of a written schema.
type kind struct {
	to     Target
	answer bool
}

func translate(k kind, raw []byte) (*Translation, error) {
	r := rulesOf(k.to)
	if r == nil {
		return nil, fmt.Errorf("schema adapter: want a target of the list, got %q", k.to)
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

// Undoes reports whether Undo may change anything.
func (t *Translation) Undoes() bool { return t.undo != nil || len(t.names) > 0 }

// A translator writes one schema for one target.
type translator struct {
	rules  *rules
	reader *reader
	left   int      // work that may still be done
	stack  []*value // targets of the references on the way here
	depth  int      // steps down in the written schema
	atRoot bool

	said      []saying // of the present schema: keywords for its description
	rootWords string
	losses    []loss
	renamed   map[string]string
	defs      definitions
}

// A saying is a keyword that goes into a description.
type saying struct {
	key   string
	value *value
}

const tooLarge = "the schema is too large when it is written out"

// A loss is a keyword that is left out, with the reason.
type loss struct {
	of      *value
	keyword string
	why     string
}

// lose records a keyword that is left out. v is its value.
func (t *translator) lose(v *value, keyword, why string) {
	t.losses = append(t.losses, loss{v, keyword, why})
}

// listLosses lists the losses by their places. Of two reasons the first is given, but that no value fits comes before
// all others.
func (t *translator) listLosses() []Lost {
	var out []Lost
	seen := map[string]int{}
	for _, l := range t.losses {
		for i, path := range l.of.pointers() {
			keyword := l.keyword
			if step := path[strings.LastIndexByte(path, '/')+1:]; i > 0 && forms[step] != forms[keyword] && forms[step] != anyForm {
				keyword = step // another one took part in it
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

// loseAll records that all of a schema is left out.
func (t *translator) loseAll(v *value) {
	for _, m := range v.members {
		if _, known := forms[m.key]; known {
			t.lose(m.value, m.key, tooLarge)
		}
	}
}

// drop leaves a keyword out of the schema and puts it into the description.
func (t *translator) drop(key string, v *value, why string) {
	t.lose(v, key, why)
	if key != "additionalProperties" || !v.is("false") {
		t.said = append(t.said, saying{key, v})
	}
}

const (
	unsatisfied = "no value fits the schema, which the target cannot say"

	notTaken = "the target does not take it; the description says it"
	notHere  = "the target does not take it at the root; the description says it"
)

// schema writes a schema in a form that the target takes, and says how arguments come back.
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
		return t.keep(v), nil
	}
	return t.writeSchema(t.flat(v))
}

// writeSchema writes a schema that flat has returned.
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
		t.lose(f, "type", "it stands deeper than the target allows")
		return t.anything(f, f)
	case f.has("anyOf") || f.has("oneOf"):
		return t.union(f)
	}
	return t.plain(f)
}

// down writes a schema so many steps further down.
func (t *translator) down(v *value, steps int) (*value, *step) {
	t.depth += steps
	out, undo := t.schema(v)
	t.depth -= steps
	return out, undo
}

// scalars are the types that stand for any type if a target requires types. Null is left out: it stands for an absent
// value.
var scalars = []string{"string", "number", "boolean"}

// allTypes are all types of JSON.
var allTypes = []string{"string", "number", "boolean", "object", "array", "null"}

// anything writes a schema for any value, with the annotations of f. Its place is from's.
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
	t.lose(from, "type", "the target wants types: text, numbers and booleans stand for any value")
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

// annotate adds the annotations of a schema that the target accepts, and the texts for the description. Keywords that
// limit values are lost.
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

// describe adds the texts to the description.
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

// sayings writes the keywords for a description: {minimum: 0, maxLength: 20}.
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

// typeName writes the name of a type as the target spells it.
func (t *translator) typeName(name string) *value {
	if t.rules.single {
		name = strings.ToUpper(name)
	}
	return newText(name)
}
