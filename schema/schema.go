package schema

import (
	"bytes"
	"fmt"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/pool"
)

// A Schema is a compiled JSON Schema. It does not change and is safe for concurrent use. Make one with Compile.
type Schema struct {
	raw       []byte // the text it was compiled from, our own copy
	root      *node
	shared    bool     // some node is reached by more than one way: results are worth remembering
	complete  *library // decides instead of the tree where the tree does not know every keyword; else nil
	unchecked []Unchecked
	readings  []Reading
	params    []Param
}

// CompileError says why a schema cannot be used, and where. Path is a JSON pointer into the schema.
type CompileError struct {
	Path   string
	Reason string
}

// Error implements error.
func (e *CompileError) Error() string {
	if e.Path == "" {
		return "schema: at the root: " + e.Reason
	}
	return "schema: at " + e.Path + ": " + e.Reason
}

func refuse(path, format string, args ...any) error {
	return &CompileError{Path: path, Reason: fmt.Sprintf(format, args...)}
}

// Unchecked is a keyword that Validate does not check. Path is a JSON pointer to it in the schema.
type Unchecked struct {
	Path    string
	Keyword string
	Why     string
}

// Reading is a part of the schema that is no JSON Schema and was read as its equal. Path is a JSON pointer to it.
type Reading struct {
	Path string
	Was  string
	Now  string
}

// Compile reads a schema. Empty text and null stand for any object. The error is always a *CompileError. raw is copied.
// At most 20,000 schemas are read, nested at most 128 deep.
func Compile(raw []byte) (*Schema, error) {
	raw = bytes.Clone(jsonx.Trim(raw))
	if len(raw) == 0 || string(raw) == "null" {
		raw = []byte(`{"type":"object"}`)
	}
	if err := jsonx.Valid(raw); err != nil {
		return nil, refuse("", "want a schema in JSON: %v", err)
	}
	r, err := normalise(raw)
	if err != nil {
		return nil, err
	}
	s := &Schema{raw: raw, unchecked: r.unchecked, readings: r.readings}
	if err := s.build(r); err != nil {
		return nil, err
	}
	s.unchecked = r.unchecked // building may leave out more
	s.params = s.listParams()
	return s, nil
}

// Raw returns the schema as it was given. The caller must not change it.
func (s *Schema) Raw() []byte { return s.raw }

// UncheckedParts lists the parts that Validate does not check, in the order of paths. The caller must not change it.
func (s *Schema) UncheckedParts() []Unchecked { return s.unchecked }

// Readings lists the parts that were read as their JSON Schema equivalent, in the order of paths. The caller must not
// change it.
func (s *Schema) Readings() []Reading { return s.readings }

// Validate returns every violation of the schema in doc, at most 1000, in the order of the document; nil when it fits.
// Numbers are compared as decimals. Of a union that nothing fits, the violations of the branch that was plainly
// meant are given, or one violation of the union where none was. Duplicate members are all checked. It allocates
// nothing when the document fits, but for rare keywords.
func (s *Schema) Validate(doc []byte) []Violation {
	if err := jsonx.Valid(doc); err != nil {
		return []Violation{{Keyword: "json", Want: "one JSON value", Got: err.Error(), Message: "want one JSON value: " + err.Error()}}
	}
	return s.judge(jsonx.Trim(doc))
}

// Fits reports whether Validate finds nothing in doc, which the caller knows to be valid JSON.
func (s *Schema) Fits(doc []byte) bool { return s.fits(jsonx.Trim(doc)) }

// fits is Fits for a document without white space around it.
func (s *Schema) fits(doc []byte) bool {
	if s.complete != nil {
		return len(s.judge(doc)) == 0
	}
	m := machines.Get()
	defer m.release()
	return m.start(s, doc).eval(s.root, 0) >= 0
}

func (s *Schema) judge(doc []byte) []Violation {
	if s.complete != nil {
		if w := (worker{left: 1<<17 + 64*len(doc)}); !w.canDo(s.root, doc) {
			return []Violation{violation("", "schema", "a document that can be checked in bounded work", describe(doc))}
		}
		return s.complete.violations(doc)
	}
	if s.fits(doc) {
		return nil
	}
	m := machines.Get()
	defer m.release()
	return m.start(s, doc).collect(s.root)
}

// machines keeps machines whose buffers have grown. A machine holds nothing of a document between uses.
var machines = pool.New(func(m *machine) [][]byte { return [][]byte{m.path, m.buf} })
