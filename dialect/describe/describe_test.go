package describe_test

import (
	"testing"

	"github.com/callwright/callwright/dialect/describe"
	"github.com/callwright/callwright/dialect/internal/dialecttest"
)

// examples are formats that models have, or might have.
var examples = []struct {
	about, example, tool, arguments string
	parser                          describe.Parser
}{
	{"JSON in a tag", `<act>{"name": "get_weather", "arguments": {"city": "Paris"}}</act>`, "get_weather", `{"city": "Paris"}`, describe.Object},
	{"JSON in a known tag", "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}\n</tool_call>", "get_weather", `{"city": "Paris"}`, describe.Object},
	{"other keys", `<act>{"fn": "search", "opts": {"q": "x", "n": 3}}</act>`, "search", `{"q": "x", "n": 3}`, describe.Object},
	{"other keys, bare", `{"command": "search", "options": {"q": "x"}}`, "search", `{"q": "x"}`, describe.Object},
	{"the name is the key", `[CALL]{"search": {"q": "x"}}[/CALL]`, "search", `{"q": "x"}`, describe.Object},
	{"an object in an object", `<|call|>{"type": "function", "function": {"name": "search", "parameters": {"q": "x"}}}<|end_call|>`, "search", `{"q": "x"}`, describe.Object},
	{"arguments in a string", `<act>{"name": "search", "arguments": "{\"q\": \"x\"}"}</act>`, "search", `{"q": "x"}`, describe.Object},
	{"an envelope", `{"tool_calls":[{"id":"call_1","type":"function","function":{"name":"search","arguments":"{\"q\":\"x\"}"}}]}`, "search", `{"q":"x"}`, describe.Object},
	{"a part of a message", `{"type":"tool_use","id":"toolu_1","name":"search","input":{"q":"x"}}`, "search", `{"q":"x"}`, describe.Object},
	{"tags with attributes of another name", "<act what=\"search\">\n<in which=\"q\">x</in>\n</act>", "search", `{"q":"x"}`, describe.Tags},
	{"JSON behind an attribute of another name", `<act what="search">{"q": "x"}</act>`, "search", `{"q": "x"}`, describe.Named},
	{"a known format", "<function_calls>\n<invoke name=\"search\">\n<parameter name=\"q\">x</parameter>\n</invoke>\n</function_calls>", "search", `{"q":"x"}`, describe.Tags},
	{"a call alone", `search(q="x")`, "search", `{"q":"x"}`, describe.Python},
	{"a name and a colon", `search: {"q": "x"}`, "search", `{"q": "x"}`, describe.Named},
	{"a list", `[HOUSE_CALLS] [{"name": "search", "arguments": {"q": "x"}}]`, "search", `{"q": "x"}`, describe.Object},
	{"a fence", "```json\n{\"tool\": \"search\", \"parameters\": {\"q\": \"x\"}}\n```", "search", `{"q": "x"}`, describe.Object},
	{"two marks", "<calls>\n<one>{\"name\": \"search\", \"arguments\": {\"q\": \"x\"}}</one>\n</calls>", "search", `{"q": "x"}`, describe.Object},
	{"the name in a tag", `<run tool="search">{"q": "x"}</run>`, "search", `{"q": "x"}`, describe.Named},
	{"the name in a mark", `[[RUN search]]{"q": "x"}[[/RUN]]`, "search", `{"q": "x"}`, describe.Named},
	{"the name behind a mark", `<|run|>search<|with|>{"q": "x"}<|done|>`, "search", `{"q": "x"}`, describe.Named},
	{"the name in a tag before JSON", "<run>search\n{\"q\": \"x\"}</run>", "search", `{"q": "x"}`, describe.Named},
	{"two lines", "RUN: search\nWITH: {\"q\": \"x\"}", "search", `{"q": "x"}`, describe.Named},
	{"one line", `RUN search {"q": "x"}`, "search", `{"q": "x"}`, describe.Named},
	{"one line with two words", `tool> search args> {"q": "x"}`, "search", `{"q": "x"}`, describe.Named},
	{"name and JSON in elements", `<run><name>search</name><arguments>{"q": "x"}</arguments></run>`, "search", `{"q": "x"}`, describe.Named},
	{"tags named after the parts", "<search>\n<q>x</q>\n<n>3</n>\n</search>", "search", `{"q":"x","n":3}`, describe.Tags},
	{"tags with attributes", "<run tool=\"search\">\n  <with key=\"q\">x</with>\n  <with key=\"n\">3</with>\n</run>", "search", `{"q":"x","n":3}`, describe.Tags},
	{"tags with equals signs", "<run=search>\n<with=q>x</with>\n</run>", "search", `{"q":"x"}`, describe.Tags},
	{"tags around elements", "<run>\n<tool_name>search</tool_name>\n<q>x</q>\n</run>", "search", `{"q":"x"}`, describe.Tags},
	{"tags in tags", "<runs>\n<run name=\"search\">\n<with name=\"q\">x</with>\n</run>\n</runs>", "search", `{"q":"x"}`, describe.Tags},
	{"pairs", "<run>search\n<k>q</k>\n<v>x</v>\n<k>n</k>\n<v>3</v>\n</run>", "search", `{"q":"x","n":3}`, describe.Pairs},
	{"Python", `<run>search(q="x", n=3)</run>`, "search", `{"q":"x","n":3}`, describe.Python},
	{"a list of Python", `[RUN] [search(q='x')]`, "search", `{"q":"x"}`, describe.Python},
}

func TestExamples(t *testing.T) {
	for _, c := range examples {
		t.Run(c.about, func(t *testing.T) {
			f, err := (&describe.Description{Example: c.example}).Compile()
			if err != nil {
				t.Fatal(err)
			}
			if f.Tool != c.tool || string(f.Arguments) != c.arguments || f.Parser != c.parser {
				t.Errorf("%s %s by %s, want %s %s by %s", f.Tool, f.Arguments, f.Parser, c.tool, c.arguments, c.parser)
			}
		})
	}
}

// A described format obeys the laws of the known ones.
func TestLaws(t *testing.T) {
	for _, c := range examples {
		t.Run(c.about, func(t *testing.T) {
			f, err := (&describe.Description{Example: c.example}).Compile()
			if err != nil {
				t.Fatal(err)
			}
			dialecttest.Walk(t, f.Format, f.Marks, f.ExampleTool())
		})
	}
}
