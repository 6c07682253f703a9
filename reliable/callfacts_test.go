package reliable_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
)

// calls is an answer with so many native calls.
func calls(n int) []callwright.Event {
	events := []callwright.Event{callwright.Begin{}}
	for i := range n {
		events = append(events, callwright.CallBegin{Index: i, ID: fmt.Sprint("call_", i), Name: "get_weather"},
			callwright.CallDelta{Index: i, Text: fmt.Sprintf(`{"city":"Oslo","days":%d}`, i)}, callwright.CallEnd{Index: i})
	}
	return append(events, callwright.End{Finish: callwright.FinishCalls})
}

// A configured number of calls an answer is kept, whole and streamed, held and flowing, and what the client says stands; one that is only known
// is noted where it is passed, once.
func TestCallsPerAnswer(t *testing.T) {
	no, yes := false, true
	for name, c := range map[string]struct {
		source   caps.Source
		most     int
		parallel *bool
		came     int
		left     int
		rule     string
		asked    *bool // the switch for parallel calls that the model gets
	}{
		"configured":                   {source: caps.Configured, most: 3, came: 5, left: 3, rule: "guarantee.calls_per_answer"},
		"an override":                  {source: caps.Override, most: 3, came: 5, left: 3, rule: "guarantee.calls_per_answer"},
		"configured, not passed":       {source: caps.Configured, most: 3, came: 3, left: 3},
		"one is configured":            {source: caps.Configured, most: 1, came: 2, left: 1, rule: "guarantee.one_call", asked: &no},
		"one, the client takes more":   {source: caps.Configured, most: 1, parallel: &yes, came: 2, left: 1, rule: "guarantee.one_call", asked: &yes},
		"three, the client takes one":  {source: caps.Configured, most: 3, parallel: &no, came: 5, left: 1, rule: "guarantee.one_call", asked: &no},
		"no limit is configured":       {source: caps.Configured, most: 0, came: 5, left: 5},
		"shipped":                      {source: caps.Shipped, most: 3, came: 5, left: 5, rule: "judge.many_calls"},
		"shipped, not passed":          {source: caps.Shipped, most: 3, came: 3, left: 3},
		"one is shipped":               {source: caps.Shipped, most: 1, came: 2, left: 2, rule: "judge.many_calls"},
		"one is shipped, a call alone": {source: caps.Shipped, most: 1, came: 1, left: 1},
	} {
		for way, deliver := range deliveries {
			for _, stream := range []callwright.StreamCalls{callwright.StreamHeld, callwright.StreamFlowing} {
				t.Run(fmt.Sprint(name, "/", way, "/", stream), func(t *testing.T) {
					known := caps.Caps{}.WithFacts([]caps.Fact{{Key: "calls_per_answer", Value: fmt.Sprint(c.most), Source: c.source}})
					m := &scripted{name: "lab/m", caps: known, answers: []any{calls(c.came)}}
					req := ask(callwright.Choice{})
					req.Params.Parallel = c.parallel
					resp, err := deliver(reliable.New(m, reliable.WithStreamCalls(stream)), req)
					if err != nil {
						t.Fatal(err)
					}
					if got := len(resp.Calls()); got != c.left {
						t.Errorf("%d calls left, want %d", got, c.left)
					}
					want := map[string]int{"guarantee.one_call": c.came - c.left, "guarantee.calls_per_answer": c.came - c.left, "judge.many_calls": 1}[c.rule]
					count := 0
					for _, n := range resp.Report.Notes {
						if r := n.Rule; r == c.rule {
							count++
						} else if strings.HasPrefix(r, "guarantee.") || r == "judge.many_calls" {
							t.Errorf("noted %s", r)
						}
					}
					if count != want {
						t.Errorf("noted %s %d times, want %d", c.rule, count, want)
					}
					if got := m.asked[0].Params.Parallel; (got == nil) != (c.asked == nil) || got != nil && *got != *c.asked {
						t.Errorf("asked for parallel calls: %v", got)
					}
				})
			}
		}
	}
}

// The document of json_schema mode takes as many calls as are allowed.
func TestCallsPerAnswerInADocument(t *testing.T) {
	for most, want := range map[string]string{"0": "", "1": "1", "4": "4"} {
		m := &scripted{name: "lab/m", answers: []any{text(`{"toolCalls":[{"name":"get_weather","arguments":{"city":"Oslo"}}]}`)}}
		client := reliable.New(m, reliable.WithModes(caps.JSONSchema), reliable.WithFacts(caps.Fact{Key: "calls_per_answer", Value: most}))
		if _, err := client.Generate(t.Context(), ask(callwright.Choice{})); err != nil {
			t.Fatal(err)
		}
		list, _ := jsonx.Lookup(m.asked[0].Params.Format.Schema, "anyOf")
		calls, _ := jsonx.Lookup(jsonx.First(list), "properties", "toolCalls", "maxItems")
		got := string(calls)
		if got != want {
			t.Errorf("%s calls: at most %q", most, got)
		}
	}
}

// A tool without parameters has a schema where a provider refuses it without, over every wire, in a client's own bytes too; elsewhere those stay.
func TestToolsWithoutParameters(t *testing.T) {
	bodies := map[callwright.WireName]string{
		callwright.WireOpenAI:    `{"model":"m","messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"now"}},{"type":"function","function":{"name":"day","parameters":{"type":"object"}}}]}`,
		callwright.WireResponses: `{"model":"m","input":"Hi","tools":[{"type":"function","name":"now"},{"type":"function","name":"day","parameters":{"type":"object"}}]}`,
		callwright.WireAnthropic: `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi"}],"tools":[{"name":"now"},{"name":"day","input_schema":{"type":"object"}}]}`,
		callwright.WireGemini:    `{"contents":[{"role":"user","parts":[{"text":"Hi"}]}],"tools":[{"functionDeclarations":[{"name":"now"},{"name":"day","parametersJsonSchema":{"type":"object"}}]}]}`,
		callwright.WireOllama:    `{"model":"m","messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"now"}},{"type":"function","function":{"name":"day","parameters":{"type":"object"}}}]}`,
	}
	for _, c := range codecs.All() {
		p, err := provider.New(provider.Config{Name: "lab", Wire: c.Name(), BaseURL: "http://127.0.0.1:1"})
		if err != nil {
			t.Fatal(err)
		}
		for _, requires := range []string{"yes", "no"} {
			req, err := c.DecodeRequest([]byte(bodies[c.Name()]))
			if err != nil {
				t.Fatal(err)
			}
			plan, err := reliable.New(p.Model("m"), reliable.WithFacts(caps.Fact{Key: "requires_schema", Value: requires})).Explain(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			candidate := plan.Chain[0]
			schemas := strings.Count(string(jsonx.Compact(nil, candidate.Body)), `{"type":"object","properties":{}}`)
			noted := slices.ContainsFunc(candidate.Notes, func(n callwright.Note) bool { return n.Rule == "tools.empty_schema" && n.Call == "now" })
			if required := requires == "yes"; noted != required || schemas != map[bool]int{true: 1}[required] {
				t.Errorf("%s, required %s: noted %t, %s", c.Name(), requires, noted, candidate.Body)
			}
		}
		p.Close()
	}
}

// Claude is asked for JSON in stronger words by its family, others where that is said; what is configured outranks the family.
func TestStrictJSONByFamily(t *testing.T) {
	for _, c := range []struct {
		model, said string
		want        bool
	}{{"claude-sonnet-4-5", "", true}, {"claude-sonnet-4-5", "no", false}, {"gpt-4o", "", false}, {"gpt-4o", "yes", true}} {
		known := caps.ShippedFor("lab", c.model)
		m := &scripted{name: callwright.ModelID("lab/" + c.model), caps: known, answers: []any{text(`{"toolCalls":[{"name":"get_weather","arguments":{"city":"Oslo"}}]}`)}}
		opts := []reliable.Option{reliable.WithModes(caps.JSONObject)}
		if c.said != "" {
			opts = append(opts, reliable.WithFacts(caps.Fact{Key: "strict_json_instructions", Value: c.said}))
		}
		if _, err := reliable.New(m, opts...).Generate(t.Context(), ask(callwright.Choice{})); err != nil {
			t.Fatal(err)
		}
		msgs, _ := m.asked[0].History()
		if got := strings.Contains(callwright.TextOf(msgs[0].Parts), "Write valid JSON only"); got != c.want {
			t.Errorf("%s, %q: %t", c.model, c.said, got)
		}
	}
}
