package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each keyword, with documents that fit and that do not.
func TestKeywords(t *testing.T) {
	const draft7 = `"$schema":"http://json-schema.org/draft-07/schema#",`
	for _, c := range []struct {
		schema    string
		good, bad []string
	}{
		{`{"type":"integer"}`, []string{`1`, `-0`, `3.0`, `1e3`, `9223372036854775808`, `12e-0`}, []string{`1.5`, `1e-1`, `"1"`, `null`}},
		{`{"type":"number"}`, []string{`1.5`, `1`}, []string{`"1"`, `true`}},
		{`{"type":["boolean","null"]}`, []string{`true`, `null`}, []string{`0`, `"true"`}},
		{`{"enum":["a\u00e9",1,{"x":[1.0]},null]}`, []string{`"a\u00e9"`, `"a\u00E9"`, `1.0`, `{"x":[1]}`, `null`}, []string{`"b"`, `2`, `{"x":[]}`, `true`}},
		{`{"const":0.1}`, []string{`0.10`, `1e-1`}, []string{`0.1000000000000000055511151231257827`}},
		{`{"minimum":-9007199254740991,"maximum":9007199254740991}`, []string{`9007199254740991`, `-9007199254740991.0`}, []string{`9007199254740992`, `9007199254740991.5`, `1e99999999999`, `-9007199254740992`}},
		{`{"exclusiveMinimum":0.1,"exclusiveMaximum":0.3}`, []string{`0.2`}, []string{`0.1`, `0.30`}},
		{`{"multipleOf":0.01}`, []string{`19.99`, `0`, `1e5000`}, []string{`0.005`, `1e-5000`}},
		{`{"multipleOf":3}`, []string{`9`, `300000000000000000000000`, `3e0`}, []string{`10`, `300000000000000000000001`, `1.5`}},
		{`{"minLength":2,"maxLength":3}`, []string{`"ab"`, `"\u00e9\n"`, `"éé"`, `"\ud83d\ude00b"`, `"😀😀😀"`, `"\\\\u"`, `5`}, []string{`"a"`, `"abcd"`, `"\ud83d\ude00"`, `"\\"`}},
		{`{"minLength":7,"maxLength":7}`, []string{`"\\ud83d\ude00"`, `"\ud83d\ud83d\ude0012345"`}, []string{`"\\ud83d"`}},
		{`{"pattern":"^[\\s\\u{1F600}]\\S\\cA\\/[^]\\ud83d\\ude01$"}`, []string{`"\u00a0x\u0001/\n😁"`, `"😀x\u0001/-😁"`}, []string{`"xx\u0001/-😁"`, `"😀 \u0001/-😁"`}},
		{`{"pattern":"^\\s\\d$"}`, []string{`"\u20281"`}, []string{`"1"`}},
		{`{"pattern":"^\\u0041\\d{2}$"}`, []string{`"A12"`, `"\u004112"`, `1`}, []string{`"B12"`, `"A1"`}},
		{`{"format":"date"}`, []string{`"2024-02-29"`, `1`}, []string{`"2023-02-29"`, `"soon"`}},
		{`{"format":"email"}`, []string{`"a@example.com"`}, []string{`"a"`}},
		{`{"items":{"type":"string"},"minItems":1,"maxItems":2}`, []string{`["a"]`, `[ "a" , "b" ]`}, []string{`[]`, `["a","b","c"]`, `[1]`}},
		{`{"prefixItems":[{"type":"string"}],"items":false}`, []string{`["a"]`, `[]`}, []string{`[1]`, `["a",1]`}},
		{`{"contains":{"type":"integer"},"minContains":2,"maxContains":3}`, []string{`[1,"a",2]`}, []string{`[1]`, `[1,2,3,4]`}},
		{`{"uniqueItems":true}`, []string{`[1,"1",[1],{"a":1}]`, `[1,2,3,4,5,6,7,8,9,10]`}, []string{`[1,1.0]`, `[{"a":1,"b":2},{"b":2,"a":1}]`, `[1,2,3,4,5,6,7,8,9,"a","\u0061"]`,
			`[1,2,3,4,5,6,7,8,[],{"a":[1],"b":-2.50},{"b":-25e-1,"\u0061":[1.0]}]`, `[1,2,3,4,5,6,7,8,0,-0.0]`}},
		{`{"required":["a"],"properties":{"a":{"type":"integer"}}}`, []string{`{"a":1}`, `{"\u0061":1}`, `[]`}, []string{`{}`, `{"a":"1"}`, `{"\u0061":"1"}`, `{"a":1,"a":"x"}`}},
		{`{"properties":{"a":{}},"patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}`, []string{`{"a":1,"x-b":"c"}`}, []string{`{"b":1}`, `{"x-b":1}`}},
		{`{"properties":{"a":true},"additionalProperties":{"type":"integer"}}`, []string{`{"a":"x","b":1}`}, []string{`{"b":"x"}`}},
		{`{"propertyNames":{"maxLength":2}}`, []string{`{"ab":1}`}, []string{`{"abc":1}`}},
		{`{"minProperties":1,"maxProperties":2}`, []string{`{"a":1}`}, []string{`{}`, `{"a":1,"b":1,"c":1}`}},
		{`{"dependentRequired":{"a":["b"]}}`, []string{`{"a":1,"b":1}`, `{"b":1}`}, []string{`{"a":1}`}},
		{`{"allOf":[{"minimum":1},{"maximum":3}]}`, []string{`2`}, []string{`0`, `4`}},
		{`{"anyOf":[{"type":"string"},{"minimum":3}]}`, []string{`"a"`, `3`, `null`}, []string{`2`}},
		{`{"oneOf":[{"multipleOf":2},{"multipleOf":3}]}`, []string{`2`, `9`}, []string{`6`, `1`}},
		{`{"not":{"type":"string"}}`, []string{`1`}, []string{`"a"`}},
		{`{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`, []string{`{"a":1,"b":1}`, `{"c":1}`}, []string{`{"a":1}`, `{}`}},
		{`{"$ref":"#/$defs/a%20b","minimum":2,"$defs":{"a b":{"type":"integer"}}}`, []string{`2`}, []string{`1`, `2.5`}},
		{`{"properties":{"next":{"$ref":"#"}},"required":["v"]}`, []string{`{"v":1,"next":{"v":2}}`}, []string{`{"v":1,"next":{}}`}},
		{`{"$ref":"#/components/schemas/A","components":{"schemas":{"A":{"type":"STRING"}}}}`, []string{`"a"`}, []string{`1`}},
		{`{` + draft7 + `"items":[{"type":"string"}],"additionalItems":false}`, []string{`["a"]`}, []string{`[1]`, `["a",1]`}},
		{`{` + draft7 + `"properties":{"a":{"$ref":"#/definitions/a","minimum":5}},"definitions":{"a":{"type":"integer"}}}`, []string{`{"a":1}`}, []string{`{"a":"1"}`}},
		{`{` + draft7 + `"dependencies":{"a":["b"]},"$defs":{}}`, []string{`{"a":1,"b":1}`}, []string{`{"a":1}`}},
		{`{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}`, []string{`{"a":1}`}, []string{`{"b":1}`}},
		{`{"$ref":"#here","$defs":{"a":{"$anchor":"here","type":"integer"}}}`, []string{`1`}, []string{`"a"`}},
		{`{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, []string{`{"type":"string"}`}, []string{`{"type":1}`}},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","minimum":3,"exclusiveMinimum":true}`, []string{`4`}, []string{`3`}},
		// members that bear the names of keywords
		{`{"properties":{"pattern":{"type":"string"},"type":{"type":"integer"},"default":{"type":"boolean"},"required":{"type":"array"},"$ref":{"type":"string"}},"required":["type"]}`,
			[]string{`{"type":1,"pattern":"(?=","default":false,"required":[],"$ref":"x"}`}, []string{`{"pattern":"x"}`, `{"type":"1"}`}},
	} {
		t.Run(c.schema, func(t *testing.T) { verdicts(t, mustCompile(t, c.schema), c.good, c.bad) })
	}
}

func TestManyRequired(t *testing.T) {
	var names, all []string
	for i := range 70 {
		names = append(names, fmt.Sprintf(`"m%d"`, i))
		all = append(all, fmt.Sprintf(`"m%d":1`, i))
	}
	s := mustCompile(t, `{"required":[`+strings.Join(names, ",")+`]}`)
	verdicts(t, s, []string{`{` + strings.Join(all, ",") + `}`}, []string{`{}`, `{` + strings.Join(all[:69], ",") + `}`, `{` + strings.Join(all[1:], ",") + `}`})
	if got := len(s.Validate([]byte(`{}`))); got != 70 {
		t.Errorf("want 70 violations, got %d", got)
	}
}

// All violations are told, in the words of the schema.
func TestViolations(t *testing.T) {
	for _, c := range []struct {
		schema, doc string
		want        []string // keyword and message
	}{
		{
			`{"type":"object","required":["city","days"],"properties":{"city":{"type":"string"},"days":{"type":"integer","maximum":14},"unit":{"enum":["c","f"]},"t/ags":{"items":{"type":"string","minLength":2}}},"additionalProperties":false}`,
			`{"days":15,"unit":"k","t/ags":["ab",1,"c"],"when":"now"}`,
			[]string{
				`maximum /days: want a number not above 14, got integer 15`,
				`enum /unit: want one of "c", "f", got string "k"`,
				`type /t~1ags/1: want string, got integer 1`,
				`minLength /t~1ags/2: want at least 2 characters, got string "c"`,
				`additionalProperties /when: want only the members "city", "days", "t/ags", "unit", got another, with the string "now"`,
				`required the arguments: want the member "city" (string), got none`,
			},
		},
		{`{"type":"array","items":{"type":"integer"}}`, `"[1]"`, []string{`type the arguments: want array of integer, got string "[1]"`}},
		{`{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}},{"type":"null"}]}`, `[1]`, []string{`type /0: want string, got integer 1`}},
		{`{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `{}`, []string{`anyOf the arguments: want string or integer, got object {}`}},
		{`{"oneOf":[{"properties":{"kind":{"const":"a"}},"required":["kind","x"]},{"properties":{"kind":{"const":"b"}},"required":["kind","y"]}]}`, `{"kind":"b"}`,
			[]string{`required the arguments: want the member "y", got none`}},
		{`{"format":"date-time"}`, `"tomorrow"`, []string{`format the arguments: want a date and time of RFC 3339 such as 2025-01-31T08:00:00Z, got string "tomorrow"`}},
		{`{"properties":{"a":{"$ref":"#/$defs/l"}},"required":["a"],"$defs":{"l":{"anyOf":[{"type":"array","items":{"type":"string"}},{"allOf":[{"const":1}]},{"minimum":3}]}}}`, `{}`,
			[]string{`required the arguments: want the member "a" (array of string or 1 or a value that fits the schema at /$defs/l/anyOf/2), got none`}},
		{`{"enum":[]}`, `"` + strings.Repeat("é", 60) + `"`, []string{`enum the arguments: want no value, since none is allowed, got string "` + strings.Repeat("é", 39) + `...`}},
		{`{"minItems":2,"uniqueItems":true}`, `[1]`, []string{`minItems the arguments: want at least 2 items, got array [1]`}},
		{`{"not":{"type":"string"}}`, `"x"`, []string{`not the arguments: want anything but string, got string "x"`}},
		{`{"unevaluatedProperties":false}`, `{"b":1}`, []string{`unevaluatedProperties /b: no value is allowed here`}},
		{`{"properties":{"b":{"type":"integer"}},"unevaluatedProperties":true}`, `{"b":"1"}`, []string{`type /b: got string, want integer`}},
		{`true`, `{"a":`, []string{`json the arguments: want one JSON value, got broken text`}},
	} {
		t.Run(c.doc, func(t *testing.T) {
			var got []string
			for _, v := range mustCompile(t, c.schema).Validate([]byte(c.doc)) {
				if v.Keyword == "json" {
					v.Message = "the arguments: want one JSON value, got broken text"
				}
				got = append(got, v.Keyword+" "+v.Message)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("violations (-want +got)\n%s", d)
			}
		})
	}
}

func TestViolationsBounded(t *testing.T) {
	s := mustCompile(t, `{"items":{"type":"string"}}`)
	if got := len(s.Validate([]byte(`[` + strings.Repeat("1,", 5000) + `1]`))); got != 1000 {
		t.Errorf("want 1000 violations, got %d", got)
	}
}

// Schemas that double the work at each step must not take for ever, nor numbers that are long when written out.
func TestHostile(t *testing.T) {
	var defs strings.Builder
	for i := range 60 {
		fmt.Fprintf(&defs, `"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	doubling := mustCompile(t, `{"$ref":"#/$defs/d0","$defs":{`+defs.String()+`"d60":{"type":"string"}}}`)
	tree := mustCompile(t, `{"anyOf":[{"properties":{"a":{"$ref":"#"}},"required":["x"]},{"properties":{"a":{"$ref":"#"}},"required":["y"]}]}`)
	rare := mustCompile(t, `{"anyOf":[{"properties":{"a":{"$dynamicRef":"#n"}},"required":["x"]},{"properties":{"a":{"$ref":"#"}},"required":["y"]}],"$dynamicAnchor":"n","unevaluatedProperties":{"$ref":"#"}}`)
	nested := strings.Repeat(`{"a":`, 400) + `{}` + strings.Repeat(`}`, 400)
	for _, c := range []struct {
		name string
		run  func() int
	}{
		{"doubling", func() int { return len(doubling.Validate([]byte(`1`))) }},
		{"recursion", func() int { return len(tree.Validate([]byte(nested))) }},
		{"rare keywords", func() int { return len(rare.Validate([]byte(nested))) }},
		{"coerce doubling", func() int { out, _ := doubling.Coerce([]byte(`[1]`), noOptions); return len(out) }},
		{"coerce recursion", func() int { out, _ := tree.Coerce([]byte(nested), noOptions); return len(out) }},
		{"exponent", func() int {
			return len(mustCompile(t, `{"multipleOf":7,"unevaluatedItems":false}`).Validate([]byte(`1e99999999`)))
		}},
		{"exponent in the schema", func() int {
			return len(mustCompile(t, `{"minimum":1e99999999,"maxLength":1e99999,"unevaluatedItems":false}`).Validate([]byte(`1`)))
		}},
	} {
		if c.run() == 0 {
			t.Errorf("%s: want a violation, got none", c.name)
		}
	}
}
