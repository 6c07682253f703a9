package correction_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/correction"
	"github.com/callwright/callwright/schema"
)

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("x", 400)
	for name, c := range map[string]struct {
		call callwright.InvalidCall
		want string
	}{
		"a value": {callwright.InvalidCall{Why: callwright.InvalidArguments, Raw: `{"n":"x", "m":1}`, Violations: []callwright.Violation{{Path: "/n", Keyword: "type"}}}, `{"n":>>>"x"<<<, "m":1}`},
		"a missing member": {callwright.InvalidCall{Why: callwright.InvalidArguments, Raw: `{"m":1}`, Violations: []callwright.Violation{{Keyword: "required"}}},
			`{"m":1>>>a member is missing<<<}`},
		"in an element": {callwright.InvalidCall{Why: callwright.InvalidArguments, Raw: `{"l":[1,{"a~b/c":2}]}`, Violations: []callwright.Violation{{Path: "/l/1/a~0b~1c", Keyword: "type"}}},
			`{"l":[1,{"a~b/c":>>>2<<<}]}`},
		"two places": {callwright.InvalidCall{Why: callwright.InvalidArguments, Raw: `{"a":1,"b":2}`, Violations: []callwright.Violation{{Path: "/b"}, {Path: "/a"}}}, `{"a":>>>1<<<,"b":>>>2<<<}`},
		"a place in another": {callwright.InvalidCall{Why: callwright.InvalidArguments, Raw: `{"a":{"b":1}}`, Violations: []callwright.Violation{{Path: "/a"}, {Path: "/a/b"}}},
			`{"a":>>>{"b":1}<<<}`},
		"in markup": {callwright.InvalidCall{Name: "look", Why: callwright.InvalidArguments, Raw: `<tool_call>{"name":"look","arguments":{"n":"x"}}</tool_call>`,
			Violations: []callwright.Violation{{Path: "/n"}}}, `{"n":>>>"x"<<<}`},
		"no JSON":       {callwright.InvalidCall{Why: callwright.InvalidMalformed, Raw: `{"n":x}`}, `{"n":>>>expected a value<<<x}`},
		"an early end":  {callwright.InvalidCall{Why: callwright.InvalidMalformed, Raw: `{"n":[1,2`}, `{"n":[1,2>>>ends here, expected`},
		"no place":      {callwright.InvalidCall{Why: callwright.InvalidArguments, Raw: `{"n":1}`, Violations: []callwright.Violation{{Path: "/other"}}}, ""},
		"no arguments":  {callwright.InvalidCall{Why: callwright.InvalidArguments, Raw: ``, Violations: []callwright.Violation{{Path: ""}}}, ""},
		"an undeclared": {callwright.InvalidCall{Why: callwright.InvalidUndeclared, Raw: `{}`, Violations: []callwright.Violation{{Path: ""}}}, ""},
		"free text":     {callwright.InvalidCall{Type: callwright.CustomTool, Why: callwright.InvalidArguments, Raw: `{}`, Violations: []callwright.Violation{{Path: ""}}}, ""},
		"a long value":  {callwright.InvalidCall{Why: callwright.InvalidArguments, Raw: `{"a":"` + long + `"}`, Violations: []callwright.Violation{{Path: "/a"}}}, `{"a":>>>"` + long[:119] + `...<<<}`},
		"long on each side": {callwright.InvalidCall{Why: callwright.InvalidArguments, Raw: `{"a":"` + long + `","b":1,"c":"` + long + `"}`, Violations: []callwright.Violation{{Path: "/b"}}},
			`...` + long[:94] + `","b":>>>1<<<,"c":"` + long[:94] + `...`},
	} {
		got := correction.Excerpt(&c.call)
		if name == "an early end" {
			got = got[:min(len(got), len(c.want))]
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got)\n%s", name, d)
		}
	}
}

// Of whatever arguments and violations an excerpt is made: it is bounded, text, has as many opening as closing marks, and is made of the model's own bytes.
func TestExcerptIsBounded(t *testing.T) {
	s, err := schema.Compile([]byte(`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"array","items":{"type":"string","maxLength":3}},"c":{"type":"object","properties":{"d":{"type":"boolean"}},"required":["d"]}},"required":["a","b"],"additionalProperties":false}`))
	if err != nil {
		t.Fatal(err)
	}
	value := rapid.SampledFrom([]string{`1`, `"ü` + strings.Repeat("ö", 300) + `"`, `[]`, `["x","` + strings.Repeat("y", 500) + `",3]`, `{"d":1}`, `{}`, `null`, `{`, `>>>`})
	rapid.Check(t, func(t *rapid.T) {
		var members []string
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "e/f", "g~"}), 0, 5, rapid.ID[string]).Draw(t, "names") {
			members = append(members, `"`+name+`":`+value.Draw(t, "value"))
		}
		raw := "{" + strings.Join(members, ",") + "}"
		raw = raw[:len(raw)-rapid.IntRange(0, 1).Draw(t, "cut")]
		call := callwright.InvalidCall{Name: "look", Why: callwright.InvalidArguments, Raw: raw}
		for _, v := range s.Validate([]byte(raw)) {
			call.Violations = append(call.Violations, callwright.Violation{Path: v.Path, Keyword: v.Keyword, Message: v.Message})
		}
		got := correction.Excerpt(&call)
		if got == "" {
			return
		}
		if len(got) > 3000 || !utf8.ValidString(got) {
			t.Fatalf("%d bytes: %q", len(got), got)
		}
		if !strings.Contains(got, ">>>") || !strings.Contains(got, "<<<") {
			t.Fatalf("no place is marked: %q", got)
		}
	})
}
