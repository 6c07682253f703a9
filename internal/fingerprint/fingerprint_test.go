package fingerprint_test

import (
	"encoding/json"
	"hash/fnv"
	"reflect"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/constraint"
	"github.com/callwright/callwright/internal/fingerprint"
)

// notHashed are the fields of a request that AddRequest leaves out, by their paths, with the reason.
var notHashed = map[string]string{
	"Messages":                   "the conversation",
	"Tools":                      "the digest of a Toolset has them",
	"Attached.Withheld":          "the digest of a Toolset has them",
	"Extra":                      "members of one API, such as identifiers of a session",
	"Attached.Body":              "the request as it came",
	"Cache":                      "costs alone",
	"Attached.Known":             "facts about the model",
	"Attached.ReportID":          "names a report",
	"Attached.Owner":             "names a client",
	"Attached.Key":               "names a key",
	"Attached.Group":             "names the group of a key",
	"Attached.Progress":          "an observer",
	"Attached.Header":            "for records",
	"Attached.OnSend":            "an observer",
	"Attached.Earlier":           "names an earlier answer",
	"Attached.Asked":             "names a key and a host",
	"Attached.Notes":             "what was found before",
	"Attached.Tokens":            "counts",
	"Attached.HasFallback":       "waits alone",
	"Params.Stream":              "delivery alone",
	"Params.StreamUsage":         "delivery alone",
	"Params.User":                "names an end user",
	"Params.Thinking.Extra.Wire": "names the API of Params.Thinking.Extra.JSON",
}

// TestFingerprintHasFields: each field of a request is hashed, or is left out for a reason.
func TestFingerprintHasFields(t *testing.T) {
	sum := func(r *callwright.Request) string {
		h := fnv.New128a()
		_, _ = h.Write(fingerprint.AppendSettings(nil, r))
		for text := range fingerprint.Instructions(r) {
			_, _ = h.Write(text)
		}
		return string(h.Sum(nil))
	}
	plain := &callwright.Request{}
	empty := &callwright.Request{Params: callwright.Params{Format: &callwright.AnswerFormat{}}, Attached: &companion.Companion{Edits: []callwright.Edit{{}}}}
	left := map[string]bool{}
	var walk func(path string, typ reflect.Type, place func(*callwright.Request) reflect.Value)
	walk = func(path string, typ reflect.Type, place func(*callwright.Request) reflect.Value) {
		if notHashed[path] != "" {
			left[path] = true
			return
		}
		switch {
		case typ.Kind() == reflect.Struct:
			for f := range typ.Fields() {
				name := f.Name
				if path != "" {
					name = path + "." + name
				}
				walk(name, f.Type, func(r *callwright.Request) reflect.Value { return place(r).FieldByIndex(f.Index) })
			}
			return
		case typ == reflect.TypeFor[callwright.Attachment]():
			walk(path, reflect.TypeFor[companion.Companion](), func(r *callwright.Request) reflect.Value { return place(r).Elem().Elem() })
			return
		case typ == reflect.TypeFor[*callwright.AnswerFormat]():
			walk(path, typ.Elem(), func(r *callwright.Request) reflect.Value { return place(r).Elem() })
			return
		case typ == reflect.TypeFor[[]callwright.Edit]():
			walk(path, typ.Elem(), func(r *callwright.Request) reflect.Value { return place(r).Index(0) })
			return
		}
		changed := &callwright.Request{Params: callwright.Params{Format: &callwright.AnswerFormat{}}, Attached: &companion.Companion{Edits: []callwright.Edit{{}}}}
		set(t, path, place(changed))
		if sum(changed) == sum(empty) {
			t.Errorf("%s does not change the fingerprint: add it in AppendSettings, or give the reason in notHashed", path)
		}
	}
	walk("", reflect.TypeFor[callwright.Request](), func(r *callwright.Request) reflect.Value { return reflect.ValueOf(r).Elem() })
	for path := range notHashed {
		if !left[path] {
			t.Errorf("notHashed names %s, which no request has", path)
		}
	}
	if sum(plain) == sum(empty) {
		t.Error("the form of the answer and an edit do not change the fingerprint")
	}
}

// set sets a field to a value that is not its zero value.
func set(t *testing.T, path string, v reflect.Value) {
	t.Helper()
	switch v.Interface().(type) {
	case bool:
		v.SetBool(true)
	case *bool:
		v.Set(reflect.ValueOf(new(bool)))
	case []string:
		v.Set(reflect.ValueOf([]string{"1"}))
	case json.RawMessage:
		v.SetBytes([]byte("1"))
	case *caps.Caps:
		v.Set(reflect.ValueOf(&caps.Caps{}))
	case *constraint.Constraint:
		v.Set(reflect.ValueOf(&constraint.Constraint{Text: "1"}))
	default:
		if v.Kind() != reflect.String {
			t.Fatalf("%s: the test has no value of the type %s", path, v.Type())
		}
		v.SetString("1")
	}
}
