package reliable_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/reliable/internal/culprit"
)

// drawnSchema draws the schema of a tool.
func drawnSchema(t *rapid.T) json.RawMessage {
	var fields []string
	for i := range rapid.IntRange(1, 4).Draw(t, "fields") {
		fields = append(fields, fmt.Sprintf(`"f%d":%s`, i, rapid.SampledFrom([]string{
			`{"type":"string"}`, `{"type":"string","pattern":"^[a-z]+$"}`, `{"type":"array","items":{"type":"integer"}}`, `{"type":["string","null"]}`,
			`{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `{"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"]}`, `{"enum":["a","b"]}`,
			`{"type":"string","format":"date-time"}`, `{"type":"integer","minimum":1}`, `{"const":"x"}`,
		}).Draw(t, "field")))
	}
	return json.RawMessage(`{"type":"object","properties":{` + strings.Join(fields, ",") + `}}`)
}

// namelessWords are refusals that name no tool.
var namelessWords = []string{
	"Invalid JSON schema in function parameters.", "tool definition is not valid", "schema compilation failed", "Unsupported regular expression in a tool definition",
	"function declaration could not be parsed: anyOf is not allowed here", "The provided JSON schema contains features not supported by xgrammar.",
	"tools.function.parameters is not a valid moonshot flavored json schema", "Failed to initialize samplers: failed to parse grammar",
}

// Wherever a bad tool is, and however a provider refuses it without a name, the turn succeeds within the bound, no good tool is left out, and the
// next turn costs one request. With no bad tool nothing is probed.
func TestCulpritLaw(t *testing.T) {
	wires := []callwright.WireName{callwright.WireOpenAI, callwright.WireResponses, callwright.WireAnthropic, callwright.WireGemini, callwright.WireOllama}
	rapid.Check(t, func(rt *rapid.T) {
		var tools []callwright.Tool
		for i := range rapid.IntRange(1, 60).Draw(rt, "tools") {
			tools = append(tools, callwright.Tool{Name: fmt.Sprintf("tool_%02d", i), Description: fmt.Sprintf("Is number %02d.", i), Schema: drawnSchema(rt)})
		}
		bad := rapid.IntRange(-1, len(tools)-1).Draw(rt, "bad")
		stubborn, streamed := rapid.Bool().Draw(rt, "stubborn"), rapid.Bool().Draw(rt, "streamed")
		words := rapid.SampledFrom(namelessWords).Draw(rt, "words")
		server := &pickyServer{words: inWords(words), refuses: func(b bodyTool) bool {
			return bad >= 0 && b.name == tools[bad].Name && (stubborn || strings.Contains(b.text, `"f0":`))
		}}
		client := reliable.New(picky(t, "lab", rapid.SampledFrom(wires).Draw(rt, "wire"), server), reliable.WithCapsStore(caps.NewMemory(nil)))
		for turn := range 2 {
			resp, err := turnOf(t.Context(), client, &callwright.Request{Messages: []callwright.Message{callwright.UserText("What is the secret?")}, Tools: tools}, streamed)
			if err != nil {
				rt.Fatalf("turn %d: %v", turn, err)
			}
			most := 1
			if turn == 0 && bad >= 0 {
				most = 1 + 5 + 2 + culprit.MaxProbes(len(tools)) // the first, up to five with changes, and the probes
			}
			if n := server.requests(); n > most {
				rt.Fatalf("turn %d took %d requests of %d tools, at most %d: %s", turn, n, len(tools), most, attemptsOf(resp.Report))
			}
			for i := range tools {
				sent := slices.ContainsFunc(server.accepted, func(b bodyTool) bool { return b.name == tools[i].Name })
				if left := i == bad && stubborn; sent == left {
					rt.Fatalf("turn %d: tool %d was sent: %v: %s", turn, i, sent, attemptsOf(resp.Report))
				}
			}
		}
	})
}

// Refusals of other parts of a request make no probe.
func TestNoCulpritForOtherRefusals(t *testing.T) {
	for _, words := range []string{
		"messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: call_1", "Invalid request", "", "Request contains an invalid argument.",
		"An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.", "Invalid schema for response_format 'answer'",
		"the model is not available in your region",
	} {
		server := &pickyServer{words: inWords(words), refuses: func(bodyTool) bool { return true }}
		plain := []callwright.Tool{{Name: "look", Schema: json.RawMessage(`{"type":"object","properties":{"x":{"type":"string"}}}`)}, {Name: "list", Schema: json.RawMessage(`{"type":"object","properties":{"y":{"type":"string"}}}`)}}
		client := reliable.New(picky(t, "lab", callwright.WireOpenAI, server), reliable.WithCapsStore(caps.NewMemory(nil)), reliable.WithOneMode())
		_, err := client.Generate(t.Context(), &callwright.Request{Messages: []callwright.Message{callwright.UserText("Hi?")}, Tools: plain})
		if n := server.requests(); err == nil || n != 1 {
			t.Errorf("%q: %d requests, %v", words, n, err)
		}
	}
}

// stubbornServer takes a tool in no form.
func stubbornServer(name string) *pickyServer {
	return &pickyServer{words: inWords("Invalid schema for function 'NAME': no."), refuses: func(b bodyTool) bool { return b.name == name }}
}

// threeTools are tools of which the second is refused.
func threeTools() []callwright.Tool {
	tools := goodTools(3)
	tools[1].Name = "mcp__mail__send"
	return tools
}

// What was learned of a tool holds for its schema alone: with another one it is offered again.
func TestCulpritOfferedAgain(t *testing.T) {
	server := stubbornServer("mcp__mail__send")
	client := reliable.New(picky(t, "lab", callwright.WireOpenAI, server), reliable.WithCapsStore(caps.NewMemory(nil)))
	req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("Hi?")}, Tools: threeTools()}
	for i, want := range []int{3, 1} {
		if _, err := client.Generate(t.Context(), req); err != nil || len(server.accepted) != 2 {
			t.Fatalf("request %d: %v, %d tools", i, err, len(server.accepted))
		}
		if n := server.requests(); n != want {
			t.Errorf("request %d took %d", i, n)
		}
	}
	server.refuses = func(bodyTool) bool { return false }
	req.Tools[1].Schema = json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"}}}`)
	if _, err := client.Generate(t.Context(), req); err != nil || len(server.accepted) != 3 || server.requests() != 1 {
		t.Errorf("%v, %d tools", err, len(server.accepted))
	}
}

// Policies that change nothing, and one that allows no change, leave no tool out and make no probe.
func TestCulpritByPolicy(t *testing.T) {
	for policy, most := range map[callwright.Policy]int{callwright.PolicyObserve: 1, callwright.PolicyOff: 1, callwright.PolicyStrict: 4} {
		server := stubbornServer("mcp__mail__send")
		server.words = inWords("tools[PLACE].function.parameters: is not valid")
		client := reliable.New(picky(t, "lab", callwright.WireOpenAI, server), reliable.WithCapsStore(caps.NewMemory(nil)), reliable.WithPolicy(policy), reliable.WithOneMode())
		_, err := client.Generate(t.Context(), &callwright.Request{Messages: []callwright.Message{callwright.UserText("Hi?")}, Tools: threeTools()})
		n := server.requests()
		if err == nil || n > most || server.answered != 0 {
			t.Errorf("%s: %d requests, %v", policy, n, err)
		}
		if err != nil && !strings.Contains(err.Error(), "tool `send` of server `mail`") {
			t.Errorf("%s: the error names no tool: %v", policy, err)
		}
	}
}

// A choice that requires the refused tool is an error that says so, or moves the request to another mode. One that allows it among others does without.
func TestCulpritChosen(t *testing.T) {
	for name, c := range map[string]struct {
		choice  callwright.Choice
		oneMode bool
		fails   bool
	}{
		"named":            {callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{"mcp__mail__send"}}, true, true},
		"allowed":          {callwright.Choice{Mode: callwright.ChoiceAuto, Names: []string{"mcp__mail__send", "mcp__files__action_00"}}, true, false},
		"the only allowed": {callwright.Choice{Mode: callwright.ChoiceAuto, Names: []string{"mcp__mail__send"}}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			server := stubbornServer("mcp__mail__send")
			options := []reliable.Option{reliable.WithCapsStore(caps.NewMemory(nil))}
			if c.oneMode {
				options = append(options, reliable.WithOneMode())
			}
			client := reliable.New(picky(t, "lab", callwright.WireOpenAI, server), options...)
			req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("Hi?")}, Tools: threeTools()}
			req.Params.Choice = c.choice
			_, err := client.Generate(t.Context(), req)
			if c.fails && (err == nil || !strings.Contains(err.Error(), "tool `send` of server `mail`")) || !c.fails && err != nil {
				t.Errorf("got %v", err)
			}
			if body := server.users[len(server.users)-1]; !c.fails && strings.Contains(body, "mcp__mail__send") {
				t.Errorf("it was sent: %s", body)
			}
		})
	}
}

// The tool that one model of a fallback chain refuses goes to the next.
func TestCulpritOfOneCandidate(t *testing.T) {
	server := stubbornServer("mcp__mail__send")
	other := &pickyServer{refuses: func(bodyTool) bool { return false }}
	capsStore := caps.NewMemory(nil)
	first, second := picky(t, "lab", callwright.WireOpenAI, server), picky(t, "other", callwright.WireAnthropic, other)
	req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("Hi?")}, Tools: threeTools()}
	if _, err := reliable.New(first, reliable.WithCapsStore(capsStore)).Generate(t.Context(), req); err != nil || len(server.accepted) != 2 {
		t.Fatalf("%v, %d tools", err, len(server.accepted))
	}
	req.Params.Choice = callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{"mcp__mail__send"}}
	resp, err := reliable.New(first, reliable.WithCapsStore(capsStore), reliable.WithOneMode(), reliable.WithFallback(second)).Generate(t.Context(), req)
	if err != nil && len(other.accepted) == 0 || len(other.accepted) != 3 {
		t.Errorf("%v, %d tools at the other: %+v", err, len(other.accepted), resp)
	}
}

// A tool that was only suspected of one model's refusal is not named where another model answers, and nothing is learned of it.
func TestSuspectOfOneCandidate(t *testing.T) {
	for _, streamed := range []bool{false, true} {
		bad := threeTools()
		bad[1].Schema = json.RawMessage(`{"type":"object","properties":{"to":{"anyOf":[{"type":"string"},{"type":"integer"}]}}}`)
		server := &pickyServer{words: inWords("function declaration could not be parsed: anyOf is not allowed here"), fails: 503, refuses: func(b bodyTool) bool { return strings.Contains(b.text, `"anyOf":`) }}
		other := &pickyServer{refuses: func(bodyTool) bool { return false }}
		capsStore := caps.NewMemory(nil)
		first, second := picky(t, "lab", callwright.WireOpenAI, server), picky(t, "other", callwright.WireAnthropic, other)
		client := reliable.New(first, reliable.WithCapsStore(capsStore), reliable.WithFallback(second))
		resp, err := turnOf(t.Context(), client, &callwright.Request{Messages: []callwright.Message{callwright.UserText("Hi?")}, Tools: bad}, streamed)
		if err != nil || len(other.accepted) != 3 {
			t.Fatalf("%v, %d tools at the other", err, len(other.accepted))
		}
		if len(server.users) < 2 || strings.Contains(server.users[1], `"anyOf":`) {
			t.Fatalf("no tool was suspected: %s", attemptsOf(resp.Report))
		}
		if why, _ := culpritOf(resp.Report); why != "" {
			t.Errorf("the report names %s", why)
		}
		facts, err := capsStore.Facts(t.Context(), "lab/m")
		if i := slices.IndexFunc(facts, func(f caps.Fact) bool {
			return strings.Contains(f.Value, "mcp__mail__send") || strings.HasPrefix(f.Key, "tool_")
		}); err != nil || i >= 0 {
			t.Errorf("learned: %+v, %v", facts, err)
		}
	}
}
