package adapter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/schema"
)

// A schemaCase has a schema, what is written of it, and arguments there and back.
type schemaCase struct {
	name   string
	to     adapter.Target
	schema string
	want   string
	lost   string // places, by spaces
	args   string
	back   string
}

var cases = []schemaCase{
	{"what a target takes stays byte for byte", adapter.OpenAI, `{ "type": "object", "properties": {"a": {"type": "integer", "minimum": 9223372036854775807}} }`,
		`{ "type": "object", "properties": {"a": {"type": "integer", "minimum": 9223372036854775807}} }`, "", `{"a": 1}`, `{"a": 1}`},
	{"patterns that look around are in the description", adapter.OpenAI,
		`{"type":"object","properties":{"mail":{"type":"string","format":"email","pattern":"^(?!\\.)[a-z.]+@x$"},"all":{"type":"array","items":{"anyOf":[{"type":"string","pattern":"(?<=a)b"},{"type":"null"}]}},"pattern":{"type":"string","pattern":"^(?<year>[0-9]{4})\\b"}},"required":["mail"]}`,
		`{"type":"object","properties":{"mail":{"type":"string","format":"email","description":"{regular expression: \"^(?!\\\\.)[a-z.]+@x$\"}"},"all":{"type":"array","items":{"anyOf":[{"type":"string","description":"{regular expression: \"(?<=a)b\"}"},{"type":"null"}]}},"pattern":{"type":"string","pattern":"^(?<year>[0-9]{4})\\b"}},"required":["mail"]}`,
		"/properties/all/items/anyOf/0/pattern /properties/mail/pattern", `{"mail":"a@x"}`, `{"mail":"a@x"}`},
	{"the draft is left out", adapter.OpenAI, `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"array"}}}`,
		`{"type":"object","properties":{"a":{"type":"array","items":{}}}}`, "", `{}`, `{}`},
	{"what says nothing of values stays where nothing else is written", adapter.Anthropic, `{"$schema":"http://json-schema.org/draft-07/schema#","$defs":{"unused":{},"p":{"$comment":"c","type":"string"}},"type":"object","properties":{"a":{"$id":"a","type":"integer"},"b":{"$ref":"#/$defs/p"}}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","$defs":{"unused":{},"p":{"$comment":"c","type":"string"}},"type":"object","properties":{"a":{"$id":"a","type":"integer"},"b":{"$ref":"#/$defs/p"}}}`, "", `{}`, `{}`},
	{"but not where a target refuses it", adapter.GeminiJSON, `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"integer"}}}`,
		`{"type":"object","properties":{"a":{"type":"integer"}}}`, "", `{}`, `{}`},
	{"a strict schema stays, whatever the order", adapter.OpenAIStrict, `{"additionalProperties":false,"required":["o"],"properties":{"o":{"properties":{"a":{"type":"string"}},"type":"object","required":["a"],"additionalProperties":false,"description":"O."}},"type":"object"}`,
		`{"additionalProperties":false,"required":["o"],"properties":{"o":{"properties":{"a":{"type":"string"}},"type":"object","required":["a"],"additionalProperties":false,"description":"O."}},"type":"object"}`, "", `{}`, `{}`},
	{"optional is nullable, and null is no member", adapter.OpenAIStrict, `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":["string","null"]}}}`,
		`{"type":"object","properties":{"a":{"type":["integer","null"]},"b":{"type":["string","null"]}},"required":["a","b"],"additionalProperties":false}`, "",
		`{"a":null,"b":null}`, `{"b":null}`},
	{"numbers are texts for Gemini", adapter.Gemini, `{"type":"object","properties":{"a":{"enum":[1,2.50,null]},"b":{"const":true}}}`,
		`{"type":"OBJECT","properties":{"a":{"type":"STRING","enum":["1","2.50"],"nullable":true},"b":{"type":"STRING","enum":["true"]}}}`, "",
		`{"a":"2.50","b":"true"}`, `{"a":2.50,"b":true}`},
	{"an open object is a list of names and values", adapter.OpenAIStrict, `{"type":"object","properties":{"a":{"type":"object","additionalProperties":{"type":"integer"}}},"required":["a"]}`,
		`{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"value":{"type":"integer"}},"required":["name","value"],"additionalProperties":false}}},"required":["a"],"additionalProperties":false}`, "",
		`{"a":[{"name":"x","value":1},{"name":"y","value":2},{"name":"x","value":9007199254740993}]}`, `{"a":{"x":9007199254740993,"y":2}}`},
	{"an object without members is an empty list for Gemini", adapter.Gemini, `{"type":"object","properties":{"a":{"type":"object","properties":{},"additionalProperties":false},"b":{"type":"string"}},"required":["a"]}`,
		`{"type":"OBJECT","properties":{"a":{"type":"ARRAY","items":{"type":"STRING"},"maxItems":0},"b":{"type":"STRING"}},"required":["a"]}`, "",
		`{"a":[]}`, `{"a":{}}`},
	{"names of properties come back", adapter.Anthropic, `{"type":"object","properties":{"a b":{"type":"object","properties":{"a b":{"type":"string"}}}},"required":["a b"]}`,
		`{"type":"object","properties":{"a_b_10a3f9f2":{"type":"object","properties":{"a_b_10a3f9f2":{"type":"string","description":"{name: \"a b\"}"}},"description":"{name: \"a b\"}"}},"required":["a_b_10a3f9f2"]}`, "",
		`{"a_b_10a3f9f2":{"a_b_10a3f9f2":"a b"}}`, `{"a b":{"a b":"a b"}}`},
	{"a name that is there twice counts once", adapter.Anthropic, `{"type":"object","properties":{"a b":{"type":"string"}}}`, "", "", `{"a b":1,"a_b_10a3f9f2":"x"}`, `{"a b":"x"}`},
	{"alternatives at the root are one object", adapter.Anthropic, `{"oneOf":[{"type":"object","properties":{"k":{"const":"a"},"n":{"type":"integer"}},"required":["k","n"],"additionalProperties":false},{"type":"object","properties":{"k":{"const":"b"}},"required":["k"],"additionalProperties":false}]}`,
		"", "/oneOf", `{"k":"a","n":1}`, `{"k":"a","n":1}`},
	{"folded alternatives are told apart", adapter.OpenAIStrict, `{"anyOf":[{"type":"object","properties":{"x":{"type":"object","additionalProperties":{"type":"integer"}}},"required":["x"]},{"type":"object","properties":{"x":{"type":"string"},"y":{"type":"string"}},"required":["x","y"]}]}`,
		"", "/anyOf", `{"x":[{"name":"a","value":1}],"y":null}`, `{"x":{"a":1}}`},
	{"alternatives are told apart", adapter.OpenAIStrict, `{"type":"object","properties":{"v":{"oneOf":[{"type":"object","properties":{"k":{"const":"a"},"x":{"type":"string"}},"required":["k"]},{"type":"object","properties":{"k":{"const":"b"},"x":{"type":["string","null"]}},"required":["k"]}]}},"required":["v"]}`,
		"", "", `{"v":{"k":"b","x":null}}`, `{"v":{"k":"b","x":null}}`},
	{"and the other one", adapter.OpenAIStrict, `{"type":"object","properties":{"v":{"oneOf":[{"type":"object","properties":{"k":{"const":"a"},"x":{"type":"string"}},"required":["k"]},{"type":"object","properties":{"k":{"const":"b"},"x":{"type":["string","null"]}},"required":["k"]}]}},"required":["v"]}`,
		"", "", `{"v":{"k":"a","x":null}}`, `{"v":{"k":"a"}}`},
	{"a limit of integers that excludes its end", adapter.Gemini, `{"type":"object","properties":{"a":{"type":"integer","exclusiveMinimum":9223372036854775807}}}`,
		`{"type":"OBJECT","properties":{"a":{"type":"INTEGER","minimum":9223372036854775808}}}`, "", `{}`, `{}`},
	{"several types are alternatives for Gemini", adapter.Gemini, `{"type":"object","properties":{"a":{"type":["integer","string","null"],"minimum":1,"description":"A."}}}`,
		`{"type":"OBJECT","properties":{"a":{"anyOf":[{"description":"A.","type":"INTEGER","minimum":1,"nullable":true},{"type":"STRING","description":"A."}]}}}`, "", `{"a":null}`, `{"a":null}`},
	{"what has no keyword is in the description", adapter.Ollama, `{"type":"object","properties":{"a":{"type":"integer","minimum":1,"description":"A."}},"additionalProperties":false}`,
		`{"type":"object","properties":{"a":{"type":"integer","description":"A. {minimum: 1}"}}}`, "/additionalProperties /properties/a/minimum", `{"a":1}`, `{"a":1}`},
	{"patterns outside a grammar are left out", adapter.LlamaCPP, `{"type":"object","properties":{"a":{"type":"string","pattern":"^\\d+$"},"b":{"type":"string","pattern":"^[a-z]+$"},"c":{"type":"string","pattern":"x"}}}`,
		`{"type":"object","properties":{"a":{"type":"string","description":"{pattern: \"^\\\\d+$\"}"},"b":{"type":"string","pattern":"^[a-z]+$"},"c":{"type":"string","description":"{pattern: \"x\"}"}}}`, "/properties/a/pattern /properties/c/pattern", `{}`, `{}`},
	{"a grammar is made of references, and any value is of one of the types", adapter.LlamaCPP,
		`{"type":"object","properties":{"a":{"description":"A."},"r":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/n"}}}}}}`,
		`{"type":"object","properties":{"a":{"type":["string","number","boolean","object","array","null"],"description":"A."},"r":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/n"}}}}}}`, "", `{"a":{}}`, `{"a":{}}`},
	{"allOf is merged", adapter.GeminiJSON, `{"type":"object","properties":{"a":{"allOf":[{"type":"integer","minimum":1,"maximum":9},{"minimum":3}]}}}`,
		`{"type":"object","properties":{"a":{"type":"integer","minimum":3,"maximum":9}}}`, "", `{}`, `{}`},
	{"patterns let nothing in that another part forbids", adapter.Anthropic, `{"allOf":[{"type":"object","properties":{"a":{}},"additionalProperties":false},{"patternProperties":{"^x":{}}}]}`,
		"", "/allOf/0/additionalProperties", `{}`, `{}`},
	{"and need not where they are left out", adapter.GeminiJSON, `{"allOf":[{"type":"object","properties":{"a":{}},"additionalProperties":false},{"patternProperties":{"^x":{}}}]}`,
		`{"type":"object","properties":{"a":{}},"additionalProperties":false,"description":"{patternProperties: {\"^x\":{}}}"}`, "/allOf/1/patternProperties", `{}`, `{}`},
	{"null is no value of a list without it", adapter.Gemini, `{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x"]}}}`,
		`{"type":"OBJECT","properties":{"a":{"type":"STRING","enum":["x"]}}}`, "", `{}`, `{}`},
	{"a long list is left out of a strict schema", adapter.OpenAIStrict, `{"type":"object","properties":{"a":{"enum":[` + strings.Repeat("1,", 1000) + `2]}},"required":["a"]}`,
		"", "/properties/a/enum", `{"a":1}`, `{"a":1}`},
	{"null joins a list of values", adapter.Groq, `{"type":"object","properties":{"a":{"type":"string","enum":["x"],"nullable":true}}}`,
		`{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x",null]}}}`, "", `{}`, `{}`},
	{"what stands beside a reference does not count in old drafts", adapter.Groq, `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"$ref":"#/definitions/a","minLength":9,"description":"A."}},"definitions":{"a":{"type":"string"}}}`,
		`{"type":"object","properties":{"a":{"$ref":"#/definitions/a","description":"A."}},"definitions":{"a":{"type":"string"}}}`, "", `{}`, `{}`},
	{"lists of two parts are lost together", adapter.LlamaCPP, `{"type":"object","properties":{"a":{"type":"array","allOf":[{"prefixItems":[{"type":"string"}]},{"prefixItems":[{},{"type":"integer"}]}]}}}`,
		"", "/properties/a/allOf/0/prefixItems /properties/a/allOf/1/prefixItems", `{}`, `{}`},
	{"values that do not have the type", adapter.OpenAIStrict, `{"type":"object","properties":{"a":{"type":"boolean","enum":["yes","no"]},"b":{"type":"array","items":{"type":"string"},"enum":["x","y"]}},"required":["a","b"]}`,
		`{"type":"object","properties":{"a":{"type":"string","enum":["yes","no"],"description":"{type: \"boolean\"}"},"b":{"type":"array","items":{"type":"string"},"description":"{enum: [\"x\",\"y\"]}"}},"required":["a","b"],"additionalProperties":false}`,
		"/properties/a/type /properties/b/enum", `{}`, `{}`},
	{"a recursion is kept where it can be", adapter.OpenAIStrict, `{"type":"object","properties":{"n":{"$ref":"#/definitions/n"}},"required":["n"],"definitions":{"n":{"type":"object","properties":{"next":{"$ref":"#/definitions/n"}}}}}`,
		`{"type":"object","properties":{"n":{"$ref":"#/definitions/n"}},"required":["n"],"additionalProperties":false,"definitions":{"n":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/definitions/n"},{"type":"null"}]}},"required":["next"],"additionalProperties":false}}}`, "",
		`{"n":{"next":{"next":null}}}`, `{"n":{"next":{}}}`},
	{"types of other languages", adapter.Groq, `{"type":"dict","properties":{"a":{"type":"float"},"b":{"type":"STRING","nullable":true},"c":{"type":"any"}}}`,
		`{"type":"object","properties":{"a":{"type":"number"},"b":{"type":["string","null"]},"c":{}}}`, "", `{}`, `{}`},
	{"a tool without parameters", adapter.Gemini, ``, ``, "", `{}`, `{}`},
	{"nothing at all", adapter.OpenAIStrict, `true`, `{"type":"object","properties":{},"required":[],"additionalProperties":false}`, "", `{}`, `{}`},
	{"arguments that are no JSON stay", adapter.OpenAIStrict, `{"type":"object","properties":{"a":{"type":"string"}}}`, "", "", `{"a":null`, `{"a":null`},
}

func TestCases(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			tr, err := adapter.Translate(c.to, []byte(c.schema))
			if err != nil {
				t.Fatal(err)
			}
			if c.want != "" && string(tr.Schema) != c.want {
				t.Errorf("got\n%s\nwant\n%s", tr.Schema, c.want)
			}
			var lost []string
			for _, l := range tr.Lost {
				lost = append(lost, l.Path)
			}
			if got := strings.Join(lost, " "); got != c.lost {
				t.Errorf("lost %q, want %q", got, c.lost)
			}
			if got := string(tr.Undo([]byte(c.args))); got != c.back {
				t.Errorf("%s came back as %s, want %s", c.args, got, c.back)
			}
		})
	}
}

// Schemas that are none are refused with the place, as package schema refuses them.
func TestRefused(t *testing.T) {
	for raw, path := range map[string]string{
		`{`: "", `[]`: "", `7`: "", `{"properties":{"a":{"type":7}}}`: "/properties/a/type", `{"items":3}`: "/items",
		`{"properties":{"a/b":{"minimum":"1"}}}`: "/properties/a~1b/minimum", `{"required":[1]}`: "/required", `{"anyOf":[]}`: "/anyOf", `{"type":[]}`: "/type",
		strings.Repeat(`{"items":`, 200) + `{}` + strings.Repeat(`}`, 200): strings.Repeat("/items", 129),
	} {
		for _, to := range adapter.Targets() {
			_, err := adapter.Translate(to, []byte(raw))
			refused, ok := err.(*schema.CompileError)
			if !ok || refused.Path != path {
				t.Errorf("%s: %.80s: want it refused at %s, got %v", to, raw, path, err)
			}
		}
		if _, err := schema.Compile([]byte(raw)); err == nil {
			t.Errorf("%.80s: want it refused by package schema too", raw)
		}
	}
	if _, err := adapter.Translate("openia", []byte(`{}`)); err == nil {
		t.Error("want an unknown target refused")
	}
}

// The table has a row for each constant, each with a name of its own and a sentence.
// A name that means no type is written for no target, wherever it stands: the rest of the schema is, as if there were no type.
func TestUnknownType(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object","properties":{"a":{TYPE"description":"x"},"b":{"type":"string"}},"required":["a"]}`,
		`{"type":"object","properties":{"a":{TYPE"enum":["x","y"]}}}`,
		`{"type":"object","properties":{"a":{"type":"array","items":{TYPE"description":"x"}}}}`,
		`{"type":"object","properties":{"a":{"anyOf":[{TYPE"description":"x"},{"type":"null"}]}}}`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/d"}},"$defs":{"d":{TYPE"properties":{"c":{"type":"integer"}}}}}`,
		`{TYPE"properties":{"a":{"type":"string"}},"required":["a"]}`,
	} {
		for _, to := range adapter.Targets() {
			without, err := adapter.Translate(to, []byte(strings.ReplaceAll(schema, "TYPE", "")))
			if err != nil {
				t.Fatalf("%s: %s: %v", to, schema, err)
			}
			for _, unknown := range []string{`"type":"enum",`, `"type":"strnig",`, `"type":["string","enum"],`, `"type":["enum","null"],`} {
				with, err := adapter.Translate(to, []byte(strings.ReplaceAll(schema, "TYPE", unknown)))
				if err != nil || string(with.Schema) != string(without.Schema) {
					t.Errorf("%s: %s with %s: %v\ngot  %s\nwant %s", to, schema, unknown, err, with.Schema, without.Schema)
				}
			}
		}
	}
}

func TestTargets(t *testing.T) {
	seen := map[adapter.Target]bool{}
	for _, to := range adapter.Targets() {
		if seen[to] || to.About() == "" {
			t.Errorf("%s: want a name of its own and a sentence", to)
		}
		seen[to] = true
	}
	if len(seen) != 13 || adapter.Target("x").About() != "" {
		t.Errorf("got %d targets", len(seen))
	}
}

// Names are told apart however short they have to be.
func TestShortNames(t *testing.T) {
	names := []string{"a.b", "a-b", "a b", "ab", strings.Repeat("long", 5)}
	for max := 1; max < 16; max++ {
		n := adapter.NewNames(adapter.NameRule{Max: max}, names)
		seen := map[string]bool{}
		for _, name := range names {
			if sent := n.SentName(name); seen[sent] || n.Original(sent) != name {
				t.Errorf("at most %d: %s is sent as %s", max, name, sent)
			}
			seen[n.SentName(name)] = true
		}
	}
}

func TestNames(t *testing.T) {
	names := []string{"notion.search", "notion_search", "notion search", "1st", "été", strings.Repeat("long", 40), "fine-1"}
	for _, to := range adapter.Targets() {
		n := adapter.NewNames(to.ToolNames(), names)
		backwards := slices.Clone(names)
		slices.Reverse(backwards)
		m := adapter.NewNames(to.ToolNames(), backwards)
		seen := map[string]bool{}
		for _, name := range names {
			sent := n.SentName(name)
			if seen[sent] || n.Original(sent) != name || m.SentName(name) != sent {
				t.Errorf("%s: %s is sent as %s: want a name of its own, the same one in any order, and back", to, name, sent)
			}
			seen[sent] = true
		}
		if n.SentName("notion_search") != "notion_search" || n.SentName("other.one") != "other.one" || n.Original("other") != "other" {
			t.Errorf("%s: want names left alone that are fine, or of no tool", to)
		}
	}
}

// A name has a tail only where it comes to that of another tool.
func TestTails(t *testing.T) {
	long := strings.Repeat("long", 20)
	for _, c := range []struct {
		names []string
		want  []string
	}{
		{[]string{"math.factorial"}, []string{"math_factorial"}},
		{[]string{"fs:read/file", "get weather"}, []string{"fs_read_file", "get_weather"}},
		{[]string{"a.b", "a_b"}, []string{"a_b_108bf50c", "a_b"}},
		{[]string{"a.b", "a:b"}, []string{"a_b_108bf50c", "a_b_08bd8540"}},
		{[]string{long}, []string{long[:64]}},
		{[]string{long + "1", long + "2"}, []string{long[:55] + "_2b28442c", long[:55] + "_2e2848e5"}},
	} {
		names := adapter.NewNames(adapter.OpenAI.ToolNames(), c.names)
		for i, name := range c.names {
			if sent := names.SentName(name); sent != c.want[i] {
				t.Errorf("%q of %q is sent as %q, want %q", name, c.names, sent, c.want[i])
			}
		}
	}
	if short, ok := adapter.WithoutTail("a_b_108bf50c", "a.b"); short != "a_b" || !ok {
		t.Errorf("without its tail: %q, %v", short, ok)
	}
	if _, ok := adapter.WithoutTail("a_b_108bf50c", "a:b"); ok {
		t.Error("the tail of another name was cut")
	}
}

// A schema twice as large takes no more than about twice the work, however its references branch.
func TestBounded(t *testing.T) {
	var chain strings.Builder
	for i := range 60 { // each refers to the next twice: 2^60 written out
		fmt.Fprintf(&chain, `"d%d":{"type":"object","properties":{"a":{"$ref":"#/$defs/d%d"},"b":{"$ref":"#/$defs/d%d"}}},`, i, i+1, i+1)
	}
	wide := strings.Repeat(`{"type":"object","properties":{"a":{"type":"string"}}},`, 2000)
	for name, raw := range map[string]string{
		"references": `{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + chain.String() + `"d60":{"type":"string"}}}`,
		"circle":     `{"type":"object","properties":{"a":{"$ref":"#/properties/a"},"b":{"allOf":[{"$ref":"#"}]}}}`,
		"unions":     `{"type":"object","properties":{"v":{"anyOf":[` + wide + `{}],"oneOf":[` + wide + `{}],"allOf":[` + wide + `{"anyOf":[` + wide + `{}]}]}}}`,
		"root":       `{"anyOf":[` + wide + `{}],"oneOf":[` + wide + `{}],"allOf":[{"anyOf":[` + wide + `{}]}]}`,
		"names":      `{"type":"object","required":[` + strings.Repeat(`"a b",`, 20000) + `"b"]}`,
		"nested":     strings.Repeat(`{"type":"object","anyOf":[{"properties":{"a":`, 40) + `{}` + strings.Repeat(`}},{"required":["b"]}]}`, 40),
	} {
		for _, to := range adapter.Targets() {
			tr, err := adapter.Translate(to, []byte(raw))
			if err != nil {
				t.Fatalf("%s: %s: %v", name, to, err)
			}
			if len(tr.Schema) > 200*len(raw)+1<<20 {
				t.Errorf("%s: %s: %d bytes became %d", name, to, len(raw), len(tr.Schema))
			}
		}
	}
}

func TestCache(t *testing.T) {
	c := adapter.NewCache(2)
	raw := []byte(`{"type":"object","properties":{"a":{"type":"string"}}}`)
	one, _ := c.Translate(adapter.Gemini, raw)
	two, _ := c.Translate(adapter.Gemini, append([]byte(" "), raw...))
	other, _ := c.Translate(adapter.Ollama, raw)
	if one != two || one == other {
		t.Error("want a translation kept by content and target")
	}
	if _, err := c.Translate(adapter.Gemini, []byte(`{`)); err == nil {
		t.Error("want the error")
	}
	if again, _ := c.Translate(adapter.Gemini, raw); again == one {
		t.Error("want the oldest forgotten")
	}
}

func FuzzTranslate(f *testing.F) {
	for _, c := range cases {
		f.Add([]byte(c.schema), []byte(c.args))
	}
	for seed := range uint64(30) {
		d := newDraw(seed)
		f.Add([]byte(text(d.tool())), []byte(text(d.value(3))))
	}
	f.Fuzz(func(t *testing.T, raw, args []byte) {
		original, failed := schema.Compile(raw)
		for _, to := range adapter.Targets() {
			tr, err := adapter.Translate(to, raw)
			if err != nil {
				continue
			}
			back := tr.Undo(args)
			if failed != nil || tr.Schema == nil {
				continue
			}
			written, err := schema.Compile(tr.Schema)
			if err != nil {
				t.Fatalf("%s: %s became %s: %v", to, raw, tr.Schema, err)
			}
			if len(tr.Lost) == 0 && len(original.UncheckedParts()) == 0 && written.Validate(args) == nil && original.Validate(back) != nil {
				t.Fatalf("%s: %s became %s\n%s came back as %s: %v", to, raw, tr.Schema, args, back, original.Validate(back))
			}
		}
	})
}
