package mcptool_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/mcptool"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
	"github.com/google/go-cmp/cmp"
)

// wires are the APIs, each with the provider whose checks requests are held to.
var wires = map[callwright.WireName]string{
	callwright.WireOpenAI: "openai", callwright.WireResponses: "openai", callwright.WireAnthropic: "anthropic", callwright.WireGemini: "gemini-3", callwright.WireOllama: "ollama",
}

// A step is a call that a scripted model makes: of the first declared tool whose name has it in it.
type step struct{ tool, arguments string }

// allDone is what a scripted model says after its steps.
const allDone = "All done."

// scripted is a model that makes one call in each answer, and then says that it is done. It goes by the history alone.
func scripted(steps ...step) simulate.Script {
	return func(seen simulate.Seen) simulate.Turn {
		if seen.Turn >= len(steps) {
			return simulate.Turn{Text: allDone}
		}
		next := steps[seen.Turn]
		i := slices.IndexFunc(seen.Tools, func(name string) bool { return strings.Contains(name, next.tool) })
		if i < 0 {
			return simulate.Turn{Text: "There is no tool " + next.tool + "."}
		}
		return simulate.Turn{Calls: []simulate.Call{{Name: seen.Tools[i], Arguments: next.arguments}}}
	}
}

// overWire is a scripted model behind an API, and the server that plays it.
func overWire(t *testing.T, wire callwright.WireName, script simulate.Script) (callwright.Model, *simulate.Server) {
	t.Helper()
	server := simulate.New(script, simulate.Strict(wires[wire]))
	srv := httptest.NewServer(server)
	t.Cleanup(srv.Close)
	base := srv.URL
	if wire == callwright.WireOpenAI || wire == callwright.WireResponses {
		base += "/v1"
	}
	p, err := provider.New(provider.Config{Name: strings.Split(wires[wire], "-")[0], Wire: wire, BaseURL: base, APIKey: provider.NewSecret("any")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return reliable.New(p.Model("native")), server
}

// run is a run of an agent with the tools of a server, to its end. watch is told of each event.
func run(t *testing.T, m callwright.Model, tools agent.Source, watch func(agent.Event), opts ...agent.Option) (*agent.Result, error) {
	t.Helper()
	opts = append([]agent.Option{agent.From(tools), agent.WithFailures(agent.FailuresTolerated)}, opts...)
	var res *agent.Result
	for ev, err := range agent.New(m, opts...).Stream(t.Context(), callwright.UserText("Do it.")) {
		if err != nil {
			return res, err
		}
		if ev.Final != nil {
			res = ev.Final
		}
		if watch != nil {
			watch(ev)
		}
	}
	return res, nil
}

// An ending is what came of a call in a run: the envelope, and the parts beside it.
type ending struct {
	agent.Envelope
	parts []callwright.Part
}

// endings are what the model was told of its calls, in their order.
func endings(t *testing.T, res *agent.Result) (out []ending) {
	t.Helper()
	for _, m := range res.Messages {
		for _, p := range m.Parts {
			r, ok := p.(callwright.Result)
			if !ok {
				continue
			}
			var e ending
			text, _ := r.Parts[0].(callwright.Text)
			if err := json.Unmarshal([]byte(text.Text), &e.Envelope); err != nil {
				t.Fatalf("%s: %v", text.Text, err)
			}
			if e.OK == r.IsError {
				t.Errorf("the flag of the result says otherwise: %s", text.Text)
			}
			e.parts = r.Parts[1:]
			out = append(out, e)
		}
	}
	return out
}

// code is that of the first error, "" without one.
func (e ending) code() agent.Code {
	if len(e.Errors) == 0 {
		return ""
	}
	return e.Errors[0].Code
}

// A list that changes during a run is what the model is offered next, under the names of its provider.
func TestLoopListChanges(t *testing.T) {
	each(t, func(t *testing.T, open func(fixture, mcptool.Config) *mcptool.Server) {
		s := open(fixture{}, mcptool.Config{Name: "one"})
		calls := func(seen simulate.Seen) (n int) {
			for _, m := range seen.History {
				n += len(m.Calls)
			}
			return n
		}
		m, _ := overWire(t, callwright.WireOpenAI, func(seen simulate.Seen) simulate.Turn {
			at := func(tool string) int {
				return slices.IndexFunc(seen.Tools, func(name string) bool { return name == "one_"+tool })
			}
			switch fresh := at("new"); {
			case calls(seen) == 0:
				return simulate.Turn{Calls: []simulate.Call{{Name: seen.Tools[at("change")], Arguments: `{}`}}}
			case fresh < 0: // the server's notice is still on its way
				return simulate.Turn{Calls: []simulate.Call{{Name: seen.Tools[at("pid")], Arguments: `{}`}}}
			case at("crash") >= 0:
				return simulate.Turn{Text: "a tool that is gone is offered"}
			case seen.History[len(seen.History)-1].Results != nil && !strings.Contains(seen.Results[len(seen.Results)-1], "hello"):
				return simulate.Turn{Calls: []simulate.Call{{Name: seen.Tools[fresh], Arguments: `{"say": "hello"}`}}}
			}
			return simulate.Turn{Text: allDone}
		})
		res, err := run(t, m, pollingPID{s}, nil, agent.WithMaxSteps(0))
		if err != nil || res.Text != allDone {
			t.Fatalf("got %+v, %v", res, err)
		}
		if got := endings(t, res); string(got[len(got)-1].Data) != `"{\"say\":\"hello\"}"` {
			t.Errorf("the new tool gave %s", got[len(got)-1].Data)
		}
	})
}

// A pollingPID is a server whose tool pid may be called again and again.
type pollingPID struct{ *mcptool.Server }

// Tools returns the tools of the server.
func (p pollingPID) Tools(ctx context.Context) ([]agent.Tool, error) {
	tools, err := p.Server.Tools(ctx)
	for i := range tools {
		tools[i].Polling = strings.HasSuffix(tools[i].Name, ":pid")
	}
	return tools, err
}

// The run goes on where a server dies at each of its calls: each is answered, the server is started again until that was done too often, and
// then its calls fail and other tools do what they are for.
func TestLoopOutlivesServer(t *testing.T) {
	c := mcptool.Config{Name: "one"}
	stdio(t, fixture{Crash: true}, &c)
	s := open(t, c)
	steps := []step{{"echo", `{"n": 0}`}, {"echo", `{"n": 1}`}, {"echo", `{"n": 2}`}, {"echo", `{"n": 3}`}, {"echo", `{"n": 4}`}, {"echo", `{"n": 5}`}, {"pid", `{}`}, {"spare", `{}`}}
	m, server := overWire(t, callwright.WireAnthropic, scripted(steps...))
	spare := agent.Tool{Name: "spare", Schema: json.RawMessage(`{"type": "object"}`), Run: func(context.Context, json.RawMessage) (agent.Output, error) {
		return agent.Output{Data: json.RawMessage(`"at hand"`)}, nil
	}}
	res, err := run(t, m, s, nil, agent.Tools(spare))
	if err != nil || res.Stop != agent.StopAnswered || res.Text != allDone {
		t.Fatalf("got %+v, %v", res, err)
	}
	var got []string
	for _, e := range endings(t, res) {
		got = append(got, string(e.code())+string(e.Data))
	}
	const dies, down = "INTERRUPTEDnull", "TOOL_FAILEDnull"
	if d := cmp.Diff([]string{dies, dies, dies, dies, dies, down, down, `"at hand"`}, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	for _, seen := range server.Requests() {
		if len(seen.Tools) != 10 {
			t.Errorf("offered %q", seen.Tools)
		}
	}
	if why := endings(t, res)[6].Errors[0].Message; !strings.Contains(why, `"one"`) || !strings.Contains(why, "exit status 4") || strings.Contains(why, c.Command[0]) {
		t.Errorf("the model is told %q", why)
	}
}
