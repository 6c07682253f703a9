package simulate_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright/simulate"
	"github.com/google/go-cmp/cmp"
)

// patchTools declares tools for a document.
func patchTools(patch string) object {
	tool := func(name, properties string) object {
		return object{"type": "function", "function": object{"name": name, "parameters": json.RawMessage(`{"type":"object","properties":{` + properties + `},"required":[]}`)}}
	}
	return object{"tools": []object{tool("doc_get", `"path":{"type":"string"}`), tool("doc_patch", `"patch":`+patch), tool("fact_propose", `"patch":`+patch)}}
}

// What sentences ask of a document is called for by the tools that are declared, whose results the model tells.
func TestPatching(t *testing.T) {
	const fine, locked = `{"ok":true,"data":{"version":2},"warnings":[],"errors":[]}`, `{"ok":false,"data":null,"warnings":[],"errors":[{"code":"LOCKED","message":"/title is locked"}]}`
	for _, c := range []struct {
		ask, result string
		turns       []string
		final       string
		serial      bool
	}{
		{ask: `Set /title to "Winter".`, result: fine, turns: []string{`doc_patch{"patch": [{"op": "add", "path": "/title", "value": "Winter"}]}`}, final: "Done."},
		{ask: "Please set the title to Winter in Oslo. Thanks!", result: locked, turns: []string{`doc_patch{"patch": [{"op": "add", "path": "/title", "value": "Winter in Oslo"}]}`},
			final: "That did not work: /title is locked."},
		{ask: "Set /tags/0 to {\"a\": [1, 2.50]} and remove /old, then add \"snow. Ice\" to /tags", result: fine,
			turns: []string{`doc_patch{"patch": [{"op": "replace", "path": "/tags/0", "value": {"a": [1, 2.50]}}, {"op": "remove", "path": "/old"}, {"op": "add", "path": "/tags/-", "value": "snow. Ice"}]}`}, final: "Done."},
		{ask: "Propose that /author is \"Ibsen\"; set /by to 1.\nAdd snow to tags!", result: fine,
			turns: []string{`doc_patch{"patch": [{"op": "add", "path": "/by", "value": 1}, {"op": "add", "path": "/tags/-", "value": "snow"}]} fact_propose{"patch": [{"op": "add", "path": "/author", "value": "Ibsen"}]}`}, final: "Done."},
		{ask: "Set /a to 1. Propose that b is 2.", result: fine, serial: true,
			turns: []string{`doc_patch{"patch": [{"op": "add", "path": "/a", "value": 1}]}`, `fact_propose{"patch": [{"op": "add", "path": "/b", "value": 2}]}`}, final: "Done."},
		{ask: "Show /title.", result: `{"ok":true,"data":{"value":"Winter"}}`, turns: []string{`doc_get{"path": "/title"}`}, final: `It is "Winter".`},
		{ask: "Remove /a.", result: "the tool broke.", turns: []string{`doc_patch{"patch": [{"op": "remove", "path": "/a"}]}`}, final: "That did not work: the tool broke."},
		{ask: "We set out. Set to. Add. What now?", final: `I am a simulated model. Ask me: Set /title to "Winter".`},
	} {
		t.Run(c.ask, func(t *testing.T) {
			base, _ := start(t, simulate.Weather())
			conv := conversation{model: "sim/native", serial: c.serial, messages: ask(c.ask), members: patchTools(`{"type":"array"}`)}
			var turns []string
			got := send(t, base, simulate.OpenAI, conv.body(simulate.OpenAI))
			for ; len(got.calls) > 0 && len(turns) < 5; got = send(t, base, simulate.OpenAI, conv.body(simulate.OpenAI)) {
				var calls []string
				for _, call := range got.calls {
					calls = append(calls, call.name+call.args)
				}
				turns = append(turns, strings.Join(calls, " "))
				conv.messages = append(conv.messages, dresses[simulate.OpenAI].loop(got.calls, c.result)...)
			}
			if d := cmp.Diff(c.turns, turns); d != "" {
				t.Error(d)
			}
			if got.text != c.final {
				t.Errorf("final %q, want %q", got.text, c.final)
			}
		})
	}
}

// What stands in the history decides.
func TestPatchingAnswers(t *testing.T) {
	user := func(text string) object { return object{"role": "user", "content": text} }
	model := func(text string) object { return object{"role": "assistant", "content": text} }
	const order, call = `Set /title to "Winter".`, `name=doc_patch args={"patch": [{"op": "add", "path": "/title", "value": "Winter"}]};`
	described := "You can call these tools:\n- doc_patch: changes the document\n- fact_propose"
	done := append([]object{user(order)}, dresses[simulate.OpenAI].loop([]*heard{{name: "doc_patch", args: `{"patch":[{"op":"add","path":"/title","value":"Winter"}],"why":"so"}`, id: "a"}}, `{"ok":true}`)...)
	for _, c := range []struct {
		name string
		conversation
		want string
	}{
		{"a patch as text", conversation{members: patchTools(`{"type":"string"}`), messages: ask(order)}, `args={"patch": "[{\"op\": \"add\", \"path\": \"/title\", \"value\": \"Winter\"}]"};`},
		{"none allowed", conversation{members: patchTools(`{}`), choice: "none", messages: ask(order)}, "text: I am a simulated model. Ask me: What is the weather"},
		{"corrected by a result", conversation{model: "truncate-at", members: patchTools(`{}`), messages: append([]object{user(order)},
			dresses[simulate.OpenAI].loop([]*heard{{name: "doc_patch", args: "{}", id: "a"}}, "That was cut off.")...)}, call},
		{"corrected", conversation{model: "truncate-at", members: patchTools(`{}`), messages: []object{user(order), model("{"), user("That was cut off.")}}, call},
		{"after the answer", conversation{members: patchTools(`{}`), messages: append(done, model("Done."), user("Thanks."))}, "text: I am a simulated model. Ask me: Set"},
		{"a further order", conversation{members: patchTools(`{}`), messages: append(done, model("Done."), user("Remove /title."))}, `args={"patch": [{"op": "remove", "path": "/title"}]};`},
		{"as text", conversation{system: described, messages: ask(order)}, `text: <tool_call>` + "\n" + `{"name": "doc_patch", "arguments": {"patch": [{"op": "add"`},
		{"a result as text", conversation{system: described, messages: []object{user(order), model(`<tool_call>{"name":"doc_patch"}</tool_call>`), user("<tool_response>\n{\"ok\":true}\n</tool_response>")}}, "text: Done."},
		{"another tool", conversation{tools: true, messages: ask(order)}, "text: I am a simulated model. Ask me: What is the weather in Oslo?"},
		{"the weather", conversation{members: patchTools(`{}`), messages: ask("What is the weather in Oslo?")}, "text: I have no tool to look up the weather."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.model == "" {
				c.model = "sim/native"
			}
			if got := send(t, start1(t), simulate.OpenAI, c.body(simulate.OpenAI)); !strings.Contains(got.String(), c.want) {
				t.Errorf("want %q in\n%s", c.want, got)
			}
		})
	}
}

// start1 starts a server with the script at hand.
func start1(t *testing.T) string {
	base, _ := start(t, simulate.Weather())
	return base
}
