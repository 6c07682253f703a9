package probe_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/probe"
	"github.com/callwright/callwright/simulate"
)

// tellings are what models say of their format, and what they write when they are asked for a call in it.
var tellings = []struct{ name, told, call string }{
	{"JSON", `{"format": "json", "example": "<act>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}</act>", "parser": "object", "quirks": ["One call a line."], "schema_style": "openai"}`,
		`<act>{"name": "get_weather", "arguments": {"city": "Oslo"}}</act>`},
	{"tags in a fence, in prose", "Of course!\n```json\n" + `{"format": "xml", "example": "<run tool=\"get_weather\">\n  <with key=\"city\">Paris</with>\n</run>", "parser": "a regular expression", "quirks": "none", "schema_style": "mine"}` + "\n```\nAnything else?",
		"<run tool=\"get_weather\">\n  <with key=\"city\">Oslo</with>\n</run>"},
	{"lines", `{"format": "custom", "example": "RUN: get_weather\nWITH: {\"city\": \"Paris\"}"}`, "RUN: get_weather\nWITH: {\"city\": \"Oslo\"}"},
	{"the call itself for an example", `{"format": "json", "example": {"tool": "get_weather", "parameters": {"city": "Paris"}}, "parser": "named"}`, `{"tool":"get_weather","parameters":{"city":"Oslo"}}`},
	{"the example against the words", `{"format": "json", "example": "<run><get_weather>\n<city>Paris</city>\n</get_weather></run>", "parser": "object"}`, "<run><get_weather>\n<city>Oslo</city>\n</get_weather></run>"},
	{"quoted, with variables", `{"format": "json", "example": "<act>${HOME}</act>\n<act>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}</act>"}`, ""},
}

// telling is a model that says how it writes calls, and writes them so when it is asked to.
func telling(told, call string) simulate.Script {
	return func(req simulate.Seen) simulate.Turn {
		if strings.Contains(req.User, "Describe your own format") || strings.Contains(req.User, "That does not work") {
			return simulate.Turn{Text: told}
		}
		return simulate.Turn{Text: call}
	}
}

// A description that holds can be put into a configuration, and is the same there.
func TestDescribe(t *testing.T) {
	for _, c := range tellings {
		t.Run(c.name, func(t *testing.T) {
			m, fake := serve(t, callwright.WireOpenAI, "one", telling(c.told, c.call))
			d, err := probe.Describe(t.Context(), m, probe.Options{})
			if n := len(fake.Requests()); n > probe.DescribeRequests || d != nil && n != d.Sent {
				t.Errorf("%d requests", n)
			}
			if c.call == "" {
				if err == nil || !strings.Contains(err.Error(), "is invalid") {
					t.Errorf("%v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			text := fmt.Sprintf("models:\n  lab/one:\n    tool_format:\n%sproviders: {lab: {base_url: http://127.0.0.1:1/v1}}\n", d.YAML("      "))
			got, err := config.Parse([]byte(text), func(string) (string, bool) { return "", false })
			if err != nil {
				t.Fatalf("%s\n%v", text, err)
			}
			want, _ := json.Marshal(d.Description)
			if read, _ := json.Marshal(got.Models[0].ToolFormat.Description); string(read) != string(want) {
				t.Errorf("%s, want %s", read, want)
			}
		})
	}
}

// A description that does not hold is asked for once more with what is wrong, and then an error.
func TestDescribeErrors(t *testing.T) {
	const sound = `{"example": "<act>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}</act>"}`
	for _, c := range []struct {
		about, told, call, says string
		sent                    int
	}{
		{"no description", "I am a simulated model.", "", `no description is found in the answer: expected a JSON object with an example, got "I am a simulated model."`, 2},
		{"no call in the example", `{"example": "I would look it up."}`, "", "no call is found in it", 2},
		{"another text in the example", `{"example": "<act>{\"name\": \"f\", \"arguments\": {\"q\": 1}}</act> or so"}`, "", `then the text " or so"`, 2},
		{"no call", sound, "It is cold.", `asked for a call in this format, the model answered "It is cold."`, 3},
		{"a call in another format", sound, `<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>`, "asked for a call in this format", 3},
	} {
		t.Run(c.about, func(t *testing.T) {
			m, fake := serve(t, callwright.WireOpenAI, "one", telling(c.told, c.call))
			d, err := probe.Describe(t.Context(), m, probe.Options{})
			if d != nil || err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "is invalid") {
				t.Errorf("%+v %v", d, err)
			}
			if n := len(fake.Requests()); n != c.sent {
				t.Errorf("%d requests, want %d", n, c.sent)
			}
		})
	}
	m, _ := serve(t, callwright.WireOpenAI, "one", func(simulate.Seen) simulate.Turn { return simulate.Turn{Status: 404, Text: "no such model"} })
	if _, err := probe.Describe(t.Context(), m, probe.Options{}); err == nil || !strings.Contains(err.Error(), "no such model") {
		t.Error(err)
	}
}
