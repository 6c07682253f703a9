package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A library is a schema compiled by the complete validator, an external library. It is safe for concurrent use.
type library struct {
	schema *jsonschema.Schema
}

const schemaAddress = "callwright:///schema"

// closed is a loader that loads nothing. The validator can then use only its built-in meta-schemas.
type closed struct{}

// Load implements jsonschema.URLLoader. It always returns an error.
func (closed) Load(string) (any, error) { return nil, errors.New("schemas are not fetched") }

var _ jsonschema.URLLoader = closed{}

func compileComplete(doc any, draft int) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.UseLoader(closed{})
	c.AssertFormat()
	c.UseRegexpEngine(func(expr string) (jsonschema.Regexp, error) {
		re, err := compileRegexp(expr)
		if err != nil {
			return nil, err
		}
		return re, nil
	})
	c.DefaultDraft(libraryDrafts[draft])
	if err := c.AddResource(schemaAddress, doc); err != nil {
		return nil, err
	}
	return c.Compile(schemaAddress)
}

var libraryDrafts = map[int]*jsonschema.Draft{
	4: jsonschema.Draft4, 6: jsonschema.Draft6, 7: jsonschema.Draft7, 2019: jsonschema.Draft2019, 2020: jsonschema.Draft2020,
}

func newLibrary(src *source) (*library, error) {
	for {
		sch, err := compileComplete(src.doc, src.draft)
		if err == nil {
			return &library{schema: sch}, nil
		}
		if !src.leaveOutFailed(err) {
			return nil, compileError(err)
		}
	}
}

// leaveOutFailed removes the reference that the complete validator could not resolve. It returns false if err concerns
// no reference.
func (src *source) leaveOutFailed(err error) bool {
	var unloaded *jsonschema.LoadURLError
	if errors.As(err, &unloaded) {
		for _, ref := range src.refs {
			name, _, _ := strings.Cut(ref.to, "#")
			if strings.HasSuffix(unloaded.URL, strings.TrimLeft(name, "./")) && src.leaveOutRef(ref, notFetched) {
				return true
			}
		}
		return false
	}
	for _, ref := range src.refs {
		if _, anchor, ok := strings.Cut(ref.to, "#"); ok && anchor != "" && strings.Contains(err.Error(), "#"+anchor) &&
			src.leaveOutRef(ref, leadsNowhere) {
			return true
		}
	}
	return false
}

// compileError converts an error of the complete validator to a *CompileError with the position.
func compileError(err error) error {
	var invalid *jsonschema.SchemaValidationError
	var leaf *jsonschema.ValidationError
	if errors.As(err, &invalid) && errors.As(invalid.Err, &leaf) {
		for len(leaf.Causes) > 0 {
			leaf = leaf.Causes[0]
		}
		return refuse(pointerOf(leaf.InstanceLocation), "%s", leafText(leaf))
	}
	reason := strings.ReplaceAll(err.Error(), schemaAddress, "")
	at := ""
	if i := strings.Index(reason, `"#/`); i >= 0 {
		if j := strings.IndexByte(reason[i+1:], '"'); j > 0 {
			at = reason[i+2 : i+1+j]
		}
	}
	return refuse(at, "%s", reason)
}

func pointerOf(steps []string) string {
	path := ""
	for _, s := range steps {
		path = join(path, s)
	}
	return path
}

// leafText returns the message of one validation error without its position.
func leafText(e *jsonschema.ValidationError) string {
	text := (&jsonschema.ValidationError{ErrorKind: e.ErrorKind, InstanceLocation: nil}).Error()
	if i := strings.LastIndex(text, "at '': "); i >= 0 {
		text = text[i+len("at '': "):]
	}
	return text
}

// violations returns the violations of the schema by doc, which is valid JSON.
func (l *library) violations(doc []byte) []Violation {
	v, err := decode(doc)
	if err != nil {
		return []Violation{{Keyword: "json", Want: "one JSON value", Got: err.Error(), Message: fmt.Sprintf("want one JSON value: %v", err)}}
	}
	var invalid *jsonschema.ValidationError
	if err = l.schema.Validate(v); err == nil {
		return nil
	}
	if !errors.As(err, &invalid) {
		return []Violation{{Keyword: "schema", Message: err.Error()}}
	}
	var out []Violation
	leaves(invalid, v, &out)
	slices.SortStableFunc(out, func(a, b Violation) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// leaves appends the errors without further causes to out. An error of a union is one violation, because the errors of
// its branches contradict each other.
func leaves(e *jsonschema.ValidationError, doc any, out *[]Violation) {
	if len(*out) >= maxViolations {
		return
	}
	keyword := ""
	if path := e.ErrorKind.KeywordPath(); len(path) > 0 {
		keyword = path[0]
	}
	if len(e.Causes) > 0 && keyword != "anyOf" && keyword != "oneOf" {
		for _, c := range e.Causes {
			leaves(c, doc, out)
		}
		return
	}
	path := pointerOf(e.InstanceLocation)
	got := ""
	if at, ok := resolve(doc, path); ok {
		got = show(at)
	}
	text := leafText(e)
	if keyword == "" { // a false schema: use the keyword that contains it
		keyword, text = e.SchemaURL[strings.LastIndexByte(e.SchemaURL, '/')+1:], "no value is allowed here"
	}
	v := violation(path, keyword, text, got)
	v.Message = place(path) + ": " + text
	*out = append(*out, v)
}
