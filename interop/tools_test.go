package interop_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/interop"
)

const citySchema = `{"type":"object","properties":{"city":{"type":"string"}}}`

// What any form writes is read again, alone, in a list, and in the objects that hold lists.
func TestReadToolsOfEveryForm(t *testing.T) {
	want := callwright.Tool{Name: "get_weather", Description: "The weather", Schema: []byte(citySchema)}
	for _, f := range interop.All() {
		text, _, err := f.WriteTool(want)
		if err != nil {
			t.Fatal(err)
		}
		for _, around := range []string{`%s`, `[%s]`, " [%s]\n", "\ufeff[%s]", `{"tools":[%s]}`, `{"tools":%s}`, `{"jsonrpc":"2.0","id":1,"result":{"tools":[%s]}}`,
			`{"model":"any","messages":[],"tools":[%s]}`, `[{"functionDeclarations":[%s]}]`, `{"tools":[{"function_declarations":[%s]}]}`, `{"functions":[%s]}`} {
			doc := strings.Replace(around, "%s", string(text), 1)
			got, err := interop.ReadTools([]byte(doc))
			if err != nil || len(got) != 1 || got[0].Name != want.Name || got[0].Description != want.Description || string(got[0].Schema) != citySchema {
				t.Errorf("%s: %s: got %+v, error %v", f.Name, doc, got, err)
			}
		}
	}
}

func TestReadTools(t *testing.T) {
	for _, c := range []struct{ about, text, want string }{
		{"nothing", "", ""},
		{"null", "null", ""},
		{"an empty list", "[]", ""},
		{"a name alone", `{"name":"ping"}`, "ping/"},
		{"a function without parameters", `{"type":"function","function":{"name":"ping"}}`, "ping/"},
		{"several forms in one list", `[{"name":"a","input_schema":{}},{"name":"b","inputSchema":{}},{"tool_name":"c"},{"type":"function","name":"d"}]`, "a/ b/ c/ d/"},
		{"a custom tool of each API", `[{"type":"custom","custom":{"name":"a"}},{"type":"custom","name":"b"}]`, "a/custom b/custom"},
		{"a custom tool of Anthropic, which is a function", `[{"type":"custom","name":"a","input_schema":{}}]`, "a/"},
		{"a tool of the provider's own", `[{"type":"web_search_20250305","name":"web_search"}]`, "web_search_20250305/hosted"},
		{"a tool named tools", `[{"name":"tools","parameters":{}}]`, "tools/"},
		{"another thing", `[{"name":"a"},{"city":"Oslo"}]`, "interop.read_tools: /1: expected a tool, got an object with the members city"},
		{"a string", `["a"]`, "/0: expected a tool, got string"},
		{"a type that says nothing", `[{"type":""}]`, "expected a tool, got an object with the members type"},
		{"a function without a name", `[{"type":"function"}]`, "/0/name: expected the name of a tool"},
		{"a function without anything", `[{"type":"function","function":{}}]`, "/0/function/name: expected the name of a tool"},
		{"a name that is none", `[{"name":5}]`, "/0/name: expected the name of a tool"},
		{"no name", `{"tools":[{"type":"function","function":{"name":""}}]}`, "/tools/0/function/name: "},
		{"a schema that is none", `[{"name":"a","parameters":5}]`, "/0/parameters: expected a schema, got number"},
		{"broken JSON", `[{"name":`, "interop.read_tools: "},
		{"lists in lists", strings.Repeat("[", 9) + strings.Repeat("]", 9), "nested too deep"},
	} {
		tools, err := interop.ReadTools([]byte(c.text))
		var names []string
		for _, tool := range tools {
			names = append(names, tool.Name+"/"+string(tool.Type))
		}
		got := strings.Join(names, " ")
		if err != nil {
			if got = err.Error(); c.want != "" && strings.Contains(got, c.want) {
				continue
			}
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.about, got, c.want)
		}
	}
}

func TestNamesTools(t *testing.T) {
	for text, want := range map[string]bool{
		`{"type":"object","properties":{"name":{}}}`: false, `[]`: false, `{}`: false, `{"result.tools":[]}`: false,
		`{"name":"a"}`: true, `{"function":{}}`: true, `{"toolSpec":{}}`: true, `{"tools":[]}`: true, `{"functions":[]}`: true,
		`{"functionDeclarations":[]}`: true, `{"function_declarations":[]}`: true, `{"result":{}}`: true, `{"n\u0061me":"a"}`: true,
	} {
		if got := interop.NamesTools([]byte(text)); got != want {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}

func FuzzReadTools(f *testing.F) {
	f.Add(`[{"name":"a","parameters":{}}]`)
	f.Add(`{"result":{"tools":[{"name":"a","inputSchema":{}}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		tools, err := interop.ReadTools([]byte(text))
		for _, tool := range tools {
			if err == nil && tool.Name == "" {
				t.Fatalf("a tool without a name in %q", text)
			}
		}
	})
}
