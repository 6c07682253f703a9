package form

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/signature"
)

// A Form is the JSON in which a client wants the answer.
type Form struct {
	schema   *schema.Schema // nil for any object
	openers  string         // the bytes with which the document may begin
	req      *callwright.Request
	InPrompt bool // the prompt alone asks for it: the provider does not hold its model to it
	Loose    bool // an answer in another form is wanted as it came
}

// anyOpeners begin any JSON value.
const anyOpeners = `{["-0123456789tfn`

// A pastCall is a call of the history, whatever the white space and the order of its arguments.
type pastCall struct {
	name      string
	arguments signature.Digest
}

// New is the form that a request asks for, nil where any text is wanted. Check has accepted the request.
func New(req *callwright.Request, schemas *schema.Cache) *Form {
	wanted := req.Params.Format
	if wanted == nil {
		return nil
	}
	f := &Form{openers: "{", Loose: wanted.Loose, req: req}
	if wanted.Schema == nil {
		return f
	}
	f.schema, _ = schemas.Compile(wanted.Schema) // Check has looked at it
	if !wantsObject(wanted.Schema) {
		f.openers = anyOpeners
	}
	return f
}

// Check refuses a request for an answer by a schema that is none. Its error is of KindInvalid and says where the schema
// is wrong.
func Check(req *callwright.Request, schemas *schema.Cache) error {
	if f := req.Params.Format; f == nil || f.Schema == nil {
		return nil
	}
	s, err := schemas.Compile(req.Params.Format.Schema)
	if err != nil {
		return callwright.Errorf("format", callwright.KindInvalid, "/response_format",
			"expected a JSON Schema of the answer: %s", strings.TrimPrefix(err.Error(), "schema: "))
	}
	for _, u := range s.UncheckedParts() {
		if u.Path == "/type" {
			return callwright.Errorf("format", callwright.KindInvalid, "/response_format",
				"expected a JSON Schema of the answer: at /type: %s", u.Why)
		}
	}
	return nil
}

// wantsObject reports whether a schema says at its root that the document is an object.
func wantsObject(schema []byte) bool {
	kind, _ := jsonx.Find(schema, "type")
	name, _ := jsonx.String(kind)
	return name == "object"
}

// AllPast reports whether the history of the request has all of these calls, which are of functions, word for word.
func (f *Form) AllPast(calls []callwright.Call) bool {
	msgs, err := f.req.History()
	if err != nil {
		return false
	}
	past := map[pastCall]bool{}
	for _, m := range msgs {
		for _, c := range callwright.CallsOf(m.Parts) {
			if c.Type != callwright.CustomTool && jsonx.Valid(c.Arguments) == nil {
				past[pastOf(c)] = true
			}
		}
	}
	return !slices.ContainsFunc(calls, func(c callwright.Call) bool { return jsonx.Valid(c.Arguments) != nil || !past[pastOf(c)] })
}

// pastOf is a call as it is compared with those of the history.
func pastOf(c callwright.Call) pastCall {
	return pastCall{c.Name, signature.DigestArguments(c.Arguments)}
}

// Mends reports whether an answer in another form is changed, or asked for again.
func (f *Form) Mends() bool { return f != nil && (!f.Loose || f.InPrompt) }

// Violation is how a text differs from the wanted document, "" where it is that and nothing else.
func (f *Form) Violation(text string) string {
	doc := bytes.TrimSpace([]byte(text))
	if err := jsonx.Valid(doc); err != nil {
		return "expected a JSON document and nothing else: " + err.Error()
	}
	switch {
	case f.schema == nil && jsonx.KindOf(doc) != jsonx.Object:
		return "expected a JSON object"
	case f.schema != nil:
		if broken := f.schema.Validate(doc); len(broken) > 0 {
			return broken[0].Message
		}
	}
	return ""
}

// Fits reports whether a text is the wanted document, with nothing around it.
func (f *Form) Fits(text string) bool { return f.Violation(text) == "" }

// MayBegin reports whether the document may begin with this byte.
func (f *Form) MayBegin(c byte) bool { return strings.IndexByte(f.openers, c) >= 0 }
