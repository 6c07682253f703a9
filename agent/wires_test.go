package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// A run comes to the same answer over every API, and in text whatever the format of its calls.
func TestEveryWireAndDialect(t *testing.T) {
	const answer = "It is 12 degrees in both."
	weather := simulate.Weather()
	srv := httptest.NewServer(simulate.New(func(seen simulate.Seen) simulate.Turn {
		turn := weather(seen)
		if len(turn.Calls) == 0 && strings.Count(fmt.Sprint(seen.History), "12 degrees") >= 2 {
			turn.Text = answer // formats show results in many ways
		}
		return turn
	}))
	defer srv.Close()
	over := func(wire callwright.WireName, opts ...reliable.Option) callwright.Model {
		return reliable.New(providerOver(t, srv.URL, wire).Model("native"), opts...)
	}
	models := map[string]callwright.Model{}
	for _, wire := range wires {
		models["over "+string(wire)] = over(wire)
	}
	formats := 0
	for _, f := range dialect.Formats() {
		if f.Families != "" {
			models["in "+f.Name] = over(callwright.WireOpenAI, reliable.WithModes(caps.Text), reliable.WithDialect(f.Name))
			formats++
		}
	}
	if formats < 10 {
		t.Fatalf("%d formats can be asked for", formats)
	}
	for name, m := range models {
		for _, way := range []string{"whole", "streamed"} {
			t.Run(name+"/"+way, func(t *testing.T) {
				called := 0
				weather := agent.Tool{Name: "get_weather", Description: "Tells the weather.", Schema: json.RawMessage(simulate.WeatherSchema), Run: func(_ context.Context, arguments json.RawMessage) (agent.Output, error) {
					var in struct{ City string }
					if err := json.Unmarshal(arguments, &in); err != nil || in.City != "Oslo" && in.City != "Rome" {
						return agent.Output{}, fmt.Errorf("no city %q", in.City)
					}
					called++
					return agent.Output{Data: json.RawMessage(`"12 degrees"`)}, nil
				}}
				a := agent.New(m, agent.Tools(weather), agent.WithParallel(1))
				var res *agent.Result
				var err error
				if way == "whole" {
					res, err = a.Run(t.Context(), callwright.UserText("What is the weather in Oslo and Rome?"))
				} else {
					for ev, failed := range a.Stream(t.Context(), callwright.UserText("What is the weather in Oslo and Rome?")) {
						res, err = ev.Final, failed
					}
				}
				if err != nil {
					t.Fatal(err)
				}
				if called != 2 || res.Text != answer {
					t.Errorf("%d calls, answered %q", called, res.Text)
				}
			})
		}
	}
}

// spellings are ways to write the name of facts_commit, and those of its alias commit_facts.
var spellings = []string{
	"facts_commit", "FACTS_COMMIT", "Facts_Commit", "facts-commit", "facts.commit", "factsCommit", "FactsCommit", "factscommit", `facts\_commit`,
	"functions.facts_commit", "workspace:facts_commit", "workspace__facts_commit", "mcp__workspace__factsCommit", "workspace/Facts-Commit", "Workspace.FactsCommit",
	"WSFactsCommit", "workspace_facts_commit", "facts_commit:0", "commit_facts", "CommitFacts", "workspace:commit-facts",
}

// A tool for persons is never offered, and a call of it is refused over every API, in text whatever the format of its calls, and in documents.
func TestPersonOnly(t *testing.T) {
	srv := httptest.NewServer(simulate.New(func(seen simulate.Seen) simulate.Turn {
		format, written, _ := strings.Cut(seen.Model, "|")
		switch {
		case strings.Contains(string(seen.Body), "never offered"):
			return simulate.Turn{Text: "It was offered."}
		case strings.Contains(fmt.Sprint(seen.History), "NOT_ALLOWED"):
			return simulate.Turn{Text: "I may not."}
		case len(seen.History) > 1:
			return simulate.Turn{Text: "I was asked again."}
		}
		if f, ok := dialect.Lookup(format); ok {
			return simulate.Turn{Text: f.RenderCalls([]dialect.RenderedCall{{Name: written, Arguments: []byte(`{"id":"7"}`)}})}
		}
		return simulate.Turn{Calls: []simulate.Call{{Name: written, Arguments: `{"id":"7"}`}}}
	}))
	defer srv.Close()
	type way struct {
		wire   callwright.WireName
		format string
		opts   []reliable.Option
	}
	ways := map[string]way{
		"in a document":        {callwright.WireOpenAI, "", []reliable.Option{reliable.WithModes(caps.JSONSchema)}},
		"in a free document":   {callwright.WireOpenAI, "", []reliable.Option{reliable.WithModes(caps.JSONObject)}},
		"without a correction": {callwright.WireOpenAI, "", []reliable.Option{reliable.WithPolicy(callwright.PolicyOff)}},
	}
	for _, wire := range wires {
		ways["over "+string(wire)] = way{wire: wire}
	}
	for _, f := range dialect.Formats() {
		if f.Families != "" {
			ways["in "+f.Name] = way{callwright.WireOpenAI, f.Name, []reliable.Option{reliable.WithModes(caps.Text), reliable.WithDialect(f.Name)}}
		}
	}
	for name, w := range ways {
		t.Run(name, func(t *testing.T) {
			p := providerOver(t, srv.URL, w.wire)
			for _, written := range spellings {
				m := reliable.New(p.Model(w.format+"|"+written), w.opts...)
				a := agent.New(m, agent.Tools(personTool(t), weather(new([]string))), agent.WithAllowed("*", written))
				var notes []string
				var res *agent.Result
				for ev, err := range a.Stream(t.Context(), callwright.UserText("Commit fact 7.")) {
					if err != nil {
						t.Fatalf("%s: %v", written, err)
					}
					if ev.Kind == agent.EventNote && strings.HasPrefix(ev.Note.Rule, "loop.") {
						notes = append(notes, ev.Note.Rule)
					}
					res = ev.Final
				}
				if res == nil || res.Text != "I may not." || !slices.Equal(results(res.Messages), []string{"NOT_ALLOWED"}) || !slices.Equal(notes, []string{"loop.person_only"}) {
					t.Errorf("%s: %+v with %v", written, res, notes)
				}
			}
		})
	}
}

// A tool of an MCP server is sent under a name that the provider accepts, and its calls come back under the tool's own name. The limits of
// an unknown provider are learned from its refusals.
func TestNamesOfServersOverEveryWire(t *testing.T) {
	taken := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	for _, wire := range wires {
		for _, way := range []caps.Mode{caps.Native, caps.Text} {
			t.Run(string(wire)+"/"+string(way), func(t *testing.T) {
				srv := httptest.NewServer(simulate.New(func(seen simulate.Seen) simulate.Turn {
					for _, name := range seen.Tools {
						if !taken.MatchString(name) && wire != callwright.WireGemini && wire != callwright.WireOllama { // which take more
							return simulate.Turn{Status: http.StatusBadRequest, Text: "no name: " + name}
						}
					}
					switch {
					case len(seen.History) > 1:
						return simulate.Turn{Text: "Done."}
					case len(seen.Tools) == 0:
						return simulate.Turn{Text: "<tool_call>{\"name\": \"files:read.all\", \"arguments\": {}}</tool_call>"}
					}
					return simulate.Turn{Calls: []simulate.Call{{Name: seen.Tools[0], Arguments: "{}"}}}
				}))
				defer srv.Close()
				p := providerNamed(t, "lab", srv.URL, wire)
				read := tool("files:read.all", func(context.Context) (string, error) { return "text", nil })
				long := tool("files:"+strings.Repeat("x", 100), func(context.Context) (string, error) { return "", nil })
				m := reliable.New(p.Model("m"), reliable.WithModes(way), reliable.WithDialect("hermes"))
				res, err := agent.New(m, agent.Tools(read, long)).Run(t.Context(), callwright.UserText("Read."))
				if err != nil || !slices.Equal(results(res.Messages), []string{`"text"`}) {
					t.Errorf("%+v, %v", res, err)
				}
			})
		}
	}
}

var wires = []callwright.WireName{callwright.WireOpenAI, callwright.WireResponses, callwright.WireAnthropic, callwright.WireGemini, callwright.WireOllama}

// providerOver is a simulated provider as it is asked over a wire: the one whose own API it is.
func providerOver(t *testing.T, url string, wire callwright.WireName) *provider.Provider {
	t.Helper()
	return providerNamed(t, string(wire), url, wire)
}

func providerNamed(t *testing.T, name, url string, wire callwright.WireName) *provider.Provider {
	t.Helper()
	if wire == callwright.WireOpenAI || wire == callwright.WireResponses {
		url += "/v1"
	}
	p, err := provider.New(provider.Config{Name: name, Wire: wire, BaseURL: url, APIKey: provider.NewSecret("any")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}
