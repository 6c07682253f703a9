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

// A Form is the response format of a request.
type Form struct {
	schema             *schema.Schema // nil for any object
	openers            string         // the bytes with which the document may begin
	req                *callwright.Request
	InPrompt           bool // only the prompt requests the format; the provider does not enforce it
	AllowsOtherFormats bool // responses in other formats are passed through unchanged
}

// anyOpeners are the first bytes of JSON values.
const anyOpeners = `{["-0123456789tfn`

// A pastCall is a call of the history, for comparison regardless of white space and member order.
type pastCall struct {
	name      string
	arguments signature.Digest
}

// New returns the response format of a request, nil if it has none. Check must have succeeded for the request.
func New(req *callwright.Request, schemas *schema.Cache) *Form {
	wanted := req.Params.Format
	if wanted == nil {
		return nil
	}
	f := &Form{openers: "{", AllowsOtherFormats: wanted.Loose, req: req}
	if wanted.Schema == nil {
		return f
	}
	f.schema, _ = schemas.Compile(wanted.Schema) // Check has compiled it before
	if !wantsObject(wanted.Schema) {
		f.openers = anyOpeners
	}
	return f
}

// Check returns an error of KindInvalid if the schema of the response format does not compile.
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

// wantsObject reports whether the root of the schema has the type "object".
func wantsObject(schema []byte) bool {
	kind, _ := jsonx.Find(schema, "type")
	name, _ := jsonx.String(kind)
	return name == "object"
}

// AllPast reports whether the history of the request has all the given function calls with equal arguments.
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

// pastOf returns the key for the comparison of a call.
func pastOf(c callwright.Call) pastCall {
	return pastCall{c.Name, signature.DigestArguments(c.Arguments)}
}

// EnforcesFormat reports whether a response in another format is repaired or corrected.
func (f *Form) EnforcesFormat() bool { return f != nil && (!f.AllowsOtherFormats || f.InPrompt) }

// Violation describes why text is not exactly the required document, "" if it is.
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

// Fits reports whether text is exactly the required document.
func (f *Form) Fits(text string) bool { return f.Violation(text) == "" }

// MayBegin reports whether the document may begin with c.
func (f *Form) MayBegin(c byte) bool { return strings.IndexByte(f.openers, c) >= 0 }
