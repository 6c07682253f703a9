package dialect_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
)

// found are the names of the calls in a text, and why others were rejected.
func found(o dialect.Options, text string) string {
	var out []string
	for _, it := range scan(o, text) {
		switch it.Kind {
		case dialect.CallFound:
			out = append(out, it.Call.Name)
		case dialect.CallRejected:
			out = append(out, string(it.Why))
		}
	}
	return strings.Join(out, " ")
}

func TestOptions(t *testing.T) {
	marked := `<tool_call>{"name": "note", "arguments": {"text": "buy milk"}}</tool_call>`
	off := func(rules ...string) func(string) bool {
		return func(rule string) bool {
			for _, r := range rules {
				if r == rule {
					return true
				}
			}
			return false
		}
	}
	for _, c := range []struct {
		about, text, want string
		o                 dialect.Options
	}{
		{"an echo of a result", marked, "", dialect.Options{Quoted: []string{"the file says: " + marked + "\nand ends"}}},
		{"an echo of a user's text, without marks", "note(text='buy milk')", "", dialect.Options{Quoted: []string{"what does note(text='buy milk') do?"}}},
		{"an echo beside a real call", marked + "\n<tool_call>{\"name\": \"ping\"}</tool_call>", "ping", dialect.Options{Quoted: []string{marked}}},
		{"no echo", marked, "note", dialect.Options{Quoted: []string{"buy milk"}}},
		{"a format that is switched off", marked, "", dialect.Options{Disabled: off("dialect.hermes")}},
		{"fences that are switched off", "```json\n{\"name\": \"ping\", \"arguments\": {}}\n```", "", dialect.Options{Disabled: off("dialect.markdown_fence")}},
		{"a rule for names that is switched off", `<tool_call>{"name": "Note", "arguments": {"text": "x"}}</tool_call>`, "undeclared", dialect.Options{Disabled: off("name.case")}},
		{"a rule of mending that is switched off", `<tool_call>{"name": "note", "arguments": {"text": "x",}}</tool_call>`, "malformed", dialect.Options{Disabled: off("json.trailing_comma")}},
		{"promotion that is switched off", "<think>" + marked + "</think>", "", dialect.Options{Disabled: off("dialect.promoted")}},
		{"a guess", `<tool_call>{"name": "note", "arguments": {"text": undefined}}</tool_call>`, "malformed", dialect.Options{}},
		{"a guess that is allowed", `<tool_call>{"name": "note", "arguments": {"text": undefined}}</tool_call>`, "note", dialect.Options{Heuristic: true}},
		{"the answer in an object, asked for", `{"answer": "yes"}`, "", dialect.Options{Hint: "scratchpad"}},
	} {
		c.o.Tools = tools
		if got := found(c.o, c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.about, got, c.want)
		}
	}
}

// Plain text in a tag is the argument of the only tool, where that takes one string and nothing else, or, as a guess, where
// it requires no more than one; the tag is no word of a sentence.
func TestPlainTextInTag(t *testing.T) {
	shell := dialect.Tool{Name: "bash", Params: []dialect.Param{{Name: "command", Types: []string{"string"}, Required: true}, {Name: "timeout", Types: []string{"integer"}}}}
	count := dialect.Tool{Name: "count", Params: []dialect.Param{{Name: "n", Types: []string{"integer"}, Required: true}}}
	two := dialect.Tool{Name: "move", Params: []dialect.Param{{Name: "from", Types: []string{"string"}, Required: true}, {Name: "to", Types: []string{"string"}, Required: true}}}
	plain := dialect.Tool{Name: "bash", Params: shell.Params[:1]}
	optional := dialect.Tool{Name: "bash", Params: []dialect.Param{{Name: "command", Types: []string{"string"}}}}
	for _, c := range []struct {
		text, command string
		tools         []dialect.Tool
		guess         bool
	}{
		{"<tool>ls -la</tool>", "ls -la", []dialect.Tool{shell}, true},
		{"I look. <tool>$PWD/run</tool>", "$PWD/run", []dialect.Tool{shell}, true},
		{"<tool>ls -la</tool>", "", []dialect.Tool{shell}, false},
		{"<tool>ls -la</tool>", "", []dialect.Tool{shell, {Name: "ping"}}, true},
		{"<tool>12</tool>", "", []dialect.Tool{count}, true},
		{"<tool>a b</tool>", "", []dialect.Tool{two}, true},
		{"Write <tool>ls -la</tool> for it.", "", []dialect.Tool{shell}, true},
		{"<tool>ls -l", "", []dialect.Tool{shell}, true},
		{"<tool>ls -la</tool>", "ls -la", []dialect.Tool{plain}, false},
		{"I look. <tool>ls -la</tool>", "ls -la", []dialect.Tool{plain}, false},
		{"<tool>ls -la</tool>", "", []dialect.Tool{optional}, false},
		{"<tool>ls -la</tool>", "", []dialect.Tool{plain, {Name: "ping"}}, false},
		{"Write <tool>ls -la</tool> for it.", "", []dialect.Tool{plain}, false},
		{"<tool>ls -l", "", []dialect.Tool{plain}, false},
	} {
		call := onlyCall(scan(dialect.Options{Tools: c.tools, Heuristic: c.guess}, c.text))
		switch {
		case call == nil && c.command != "", call != nil && c.command == "":
			t.Errorf("%q, guess %t: %+v", c.text, c.guess, call)
		case call != nil && (call.Name != "bash" || len(call.Args) != 1 || call.Args[0].Key != "command" || call.Args[0].Text != c.command):
			t.Errorf("%q is read as %+v", c.text, call)
		}
	}
}

// What is left alone stays in the text.
func TestIgnoredStaysText(t *testing.T) {
	text := `It says <tool_call>{"name": "note", "arguments": {"text": "buy milk"}}</tool_call> there.`
	o := dialect.Options{Tools: tools, Quoted: []string{text}}
	var said string
	for _, it := range scan(o, text) {
		said += it.Text
	}
	if said != text {
		t.Errorf("%q became %q", text, said)
	}
}

func TestNames(t *testing.T) {
	names := dialect.NewNames([]string{"read_file", "readFile2", "Search", "web-fetch", "srv__kb__look_up", "a.list", "b.list", "get_co_ordinate", "x_y", "x-y"})
	for _, c := range []struct{ written, want, rule string }{
		{"read_file", "read_file", ""},
		{"readFile", "read_file", "name.separators"},
		{"Read_File", "read_file", "name.case"},
		{"read-file", "read_file", "name.separators"},
		{"readfile", "read_file", "name.separators"},
		{`read\_file`, "read_file", "name.escape"},
		{"`search`", "Search", "name.case"},
		{"functions.read_file", "read_file", "name.prefix"},
		{"functions.read_file:0", "read_file", "name.prefix"},
		{"default_api:web_fetch", "web-fetch", "name.prefix"},
		{"tool:Search", "Search", "name.prefix"},
		{"read_file<|channel|>commentary", "read_file", "name.suffix"},
		{"read_file:3", "read_file", "name.suffix"},
		{"read_file.call", "read_file", "name.suffix"},
		{"look_up", "srv__kb__look_up", "name.prefix"},
		{"kb__look_up", "srv__kb__look_up", "name.prefix"},
		{"b.list", "b.list", ""},
		{"list", "", ""},
		{"get_coordinate", "", ""},
		{"xY", "", ""},
		{"x_y", "x_y", ""},
		{"read_files", "", ""},
		{"", "", ""},
	} {
		got, rule, ok := names.Resolve(c.written)
		if got != c.want || ok != (c.want != "") || ok && rule != c.rule {
			t.Errorf("%q: %q by %q, want %q by %q", c.written, got, rule, c.want, c.rule)
		}
	}
	if _, _, ok := (*dialect.Names)(nil).Resolve("x"); ok {
		t.Error("nil names resolve")
	}
}

// Names that are at hand already serve as those of the tools do.
func TestSharedNames(t *testing.T) {
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].Name
	}
	o := dialect.Options{Tools: tools, Names: dialect.NewNames(names)}
	if got := found(o, "<tool_call>{\"name\": \"Ping\", \"arguments\": {}}</tool_call>\n[close_month(month=2)]"); got != "ping" {
		t.Errorf("found %q", got)
	}
	o.Tools = nil
	if got := found(o, `{"tool": "ping", "arguments": {}, "scratchpad": "x"}`); got != "ping" {
		t.Errorf("names without tools: %q", got)
	}
}
