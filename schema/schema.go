package schema

import (
	"bytes"
	"fmt"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/pool"
)

// A Schema is a compiled JSON Schema. It is immutable and safe for concurrent use. Use Compile.
type Schema struct {
	raw       []byte // copy of the source text
	root      *node
	shared    bool     // a node is reached by several paths, so results are cached
	complete  *library // used instead of the tree if the tree lacks a keyword; otherwise nil
	unchecked []Unchecked
	readings  []Reading
	params    []Param
}

// CompileError is the reason why a schema cannot be compiled. Path is a JSON pointer into the schema.
type CompileError struct {
	Path   string
	Reason string
}

// Error returns the message "schema: at PATH: REASON".
func (e *CompileError) Error() string {
	if e.Path == "" {
		return "schema: at the root: " + e.Reason
	}
	return "schema: at " + e.Path + ": " + e.Reason
}

func refuse(path, format string, args ...any) error {
	return &CompileError{Path: path, Reason: fmt.Sprintf(format, args...)}
}

// Unchecked is a keyword that Validate does not check. Path is the JSON pointer to the keyword in the schema.
type Unchecked struct {
	Path    string
	Keyword string
	Why     string
}

// Reading is a part of the schema that is not JSON Schema and was converted. Was is the original and Now its JSON
// Schema equivalent. Path is a JSON pointer.
type Reading struct {
	Path string
	Was  string
	Now  string
}

// Compile compiles a schema, which it copies. Empty text and null mean any object. A schema may have 20,000
// subschemas, nested 128 deep. An error is always a *CompileError.
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
	s.unchecked = r.unchecked // build may add more
	s.params = s.listParams()
	return s, nil
}

// Raw returns the original schema. The caller must not modify it.
func (s *Schema) Raw() []byte { return s.raw }

// UncheckedParts returns the keywords that Validate does not check, in the order of paths. The caller must not modify
// the slice.
func (s *Schema) UncheckedParts() []Unchecked { return s.unchecked }

// Readings returns the parts that were converted to JSON Schema, in the order of paths. The caller must not modify the
// slice.
func (s *Schema) Readings() []Reading { return s.readings }

// Validate returns the violations of the schema in doc, at most 1000, in document order. It returns nil if doc is
// valid. Numbers are compared exactly. If no branch of a union matches, it returns the violations of the branch that
// was clearly intended, otherwise one violation of the union. It checks all duplicates of a member. For a valid
// document it does not allocate, except for rare keywords.
func (s *Schema) Validate(doc []byte) []Violation {
	if err := jsonx.Valid(doc); err != nil {
		return []Violation{{Keyword: "json", Want: "one JSON value", Got: err.Error(), Message: "want one JSON value: " + err.Error()}}
	}
	return s.judge(jsonx.Trim(doc))
}

// Fits reports whether doc is valid. doc must be syntactically valid JSON.
func (s *Schema) Fits(doc []byte) bool { return s.fits(jsonx.Trim(doc)) }

// fits reports whether doc is valid. doc must be valid JSON without surrounding white space.
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

// machines is a pool of machines with their buffers. A pooled machine does not refer to a document.
var machines = pool.New(func(m *machine) [][]byte { return [][]byte{m.path, m.buf} })
