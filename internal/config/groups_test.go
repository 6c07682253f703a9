package config_test

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
)

// A delayed is a transport whose models take their time.
type delayed struct {
	*upstreams
	delays map[string]time.Duration
}

func (d *delayed) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := d.upstreams.RoundTrip(r)
	if err == nil {
		d.mu.Lock()
		model := d.asked[len(d.asked)-1]
		d.mu.Unlock()
		time.Sleep(d.delays[model])
	}
	return resp, err
}

// groupRequest is a request with a text and some tools.
func groupRequest(model, text string, tools int) *callwright.Request {
	req := &callwright.Request{Model: callwright.ModelID(model), Messages: []callwright.Message{callwright.UserText(text)}}
	for i := range tools {
		req.Tools = append(req.Tools, callwright.Tool{Name: "tool" + string(rune('a'+i)), Schema: []byte(`{"type":"object","properties":{}}`)})
	}
	return req
}

// askGroup asks a model and returns the report.
func askGroup(t *testing.T, r *config.Registry, req *callwright.Request, streamed bool) *callwright.Report {
	t.Helper()
	client, err := r.Resolve(string(req.Model))
	if err != nil {
		t.Fatal(err)
	}
	var resp *callwright.Response
	if streamed {
		resp, err = callwright.Collect(client.Stream(t.Context(), req))
	} else {
		resp, err = client.Generate(t.Context(), req)
	}
	if e, ok := err.(*callwright.Error); ok {
		return e.Report
	}
	if err != nil {
		t.Fatal(err)
	}
	return resp.Report
}

// reasons are the texts of the notes of choices.
func reasons(notes []callwright.Note) string {
	var out []string
	for _, n := range notes {
		if n.Rule == "plan.group" {
			out = append(out, n.Now+": "+n.Why)
		}
	}
	return strings.Join(out, "\n")
}

// A group asks the member that fits a request best, and the report and the plan say why.
func TestGroups(t *testing.T) {
	const any = "g: {any: [lab/a, lab/b], prefer: order}"
	fails := strings.Fields(strings.Repeat("500 ", 30))
	for name, c := range map[string]struct {
		models  string
		before  int    // requests before the one that is looked at
		text    string // of the request, "Hi" where it is empty
		tools   int
		answers map[string][]string
		delays  map[string]time.Duration
		asked   string
		why     string
	}{
		"the order":   {models: any, asked: "a", why: "lab/a: order: the first member of the group that can answer"},
		"the context": {models: any + ", lab/a: {caps: {max_context: 100}}", text: strings.Repeat("word ", 200), asked: "b", why: "left out: lab/a (its context has 100 tokens, the request about 251)"},
		"the tools":   {models: any + ", lab/a: {caps: {max_tools: 1}}", tools: 2, asked: "b", why: "left out: lab/a (it accepts 1 of the 2 tools)"},
		"the modes":   {models: any + ", lab/a: {mode: native, caps: {tools: no}}", tools: 1, asked: "b", why: "left out: lab/a (it supports tools in none of the configured modes)"},
		"a breaker": {models: any + ", lab/a: {breaker: {failures: 1}, max_retries: 0}", before: 1, answers: map[string][]string{"a": {"500"}}, asked: "b",
			why: "left out: lab/a (its circuit breaker is open, 30 s left)"},
		"a limit": {models: any, before: 1, answers: map[string][]string{"a": {"429 retry-after=60"}}, asked: "b", why: "left out: lab/a (limited, 60 s left)"},
		"the success rate": {models: "g: {any: [lab/a, lab/b]}, lab/a: {breaker: off, max_retries: 0}", before: 8, answers: map[string][]string{"a": fails}, asked: "b",
			why: "lab/b: health: lab/b 100 % of"},
		"the latency": {models: "g: {any: [lab/a, lab/b], prefer: latency}", before: 2, delays: map[string]time.Duration{"a": 3 * time.Second, "b": time.Second}, asked: "b",
			why: "lab/b: latency: lab/b 1.00 s, lab/a 3.00 s"},
		"the price":           {models: "g: {any: [lab/a, lab/b], prefer: cost}", asked: "b", why: "lab/b: cost: lab/b 0.001025 USD, lab/a 0.010250 USD"},
		"the next member":     {models: any, answers: map[string][]string{"a": {"400 x=1 {\"error\":{\"code\":\"content_filter\",\"message\":\"no\"}}"}}, asked: "a b", why: "lab/a: order"},
		"a group in groups":   {models: "g: {any: [h, lab/c], prefer: order}, h: {any: [lab/a, lab/b]}", answers: map[string][]string{"a": {"400 x=1 {\"error\":{\"code\":\"content_filter\",\"message\":\"no\"}}"}, "b": {"400 x=1 {\"error\":{\"code\":\"content_filter\",\"message\":\"no\"}}"}}, asked: "a b c", why: "lab/a: order"},
		"an alias of a group": {models: "g: {model: h}, h: {any: [lab/a, lab/b], prefer: order}, lab/a: {caps: {max_tools: 1}}", tools: 2, asked: "b", why: "it accepts 1 of the 2 tools"},
		"a group as a fallback": {models: "g: {model: lab/c, fallbacks: [h]}, h: {any: [lab/a, lab/b], prefer: order}, lab/a: {caps: {max_tools: 1}}", tools: 2, answers: map[string][]string{"c": {"401"}}, asked: "c b",
			why: "lab/b: order: the first member of the group that can answer; left out: lab/a (it accepts 1 of the 2 tools)"},
		"the fallbacks of a group":   {models: "g: {any: [lab/a, lab/b], prefer: order, fallbacks: [lab/c]}", answers: map[string][]string{"a": {"400 x=1 {\"error\":{\"code\":\"content_filter\",\"message\":\"no\"}}"}, "b": {"400 x=1 {\"error\":{\"code\":\"content_filter\",\"message\":\"no\"}}"}}, asked: "a b c", why: "lab/a: order"},
		"a provider without its key": {models: "g: {any: [groq/x, lab/b], prefer: order}", asked: "b", why: "left out: groq/x (it cannot be used: providers.groq.api_key: GROQ_API_KEY is not set"},
	} {
		for _, streamed := range []bool{false, true} {
			t.Run(name+map[bool]string{false: "/whole", true: "/streamed"}[streamed], func(t *testing.T) {
				prices := filepath.Join(t.TempDir(), "prices.yaml")
				if err := os.WriteFile(prices, []byte("lab/a: {input: 10, output: 10}\nlab/b: {input: 1, output: 1}\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				synctest.Test(t, func(t *testing.T) {
					u := &delayed{&upstreams{answers: map[string][]string{"a": {"ok"}, "b": {"ok"}, "c": {"ok"}}, counts: map[string]int{}}, c.delays}
					for model, answers := range c.answers {
						u.answers[model] = answers
					}
					r := registry(t, parse(t, "discover: off\nprices_file: "+prices+"\nproviders: {lab: {base_url: 'http://lab.test/v1'}}\nmodels: {"+c.models+"}"),
						config.WithTransport(func(string, callwright.WireName, http.RoundTripper) http.RoundTripper { return u }))
					text := c.text
					if text == "" {
						text = "Hi"
					}
					for range c.before {
						askGroup(t, r, groupRequest("g", text, c.tools), streamed)
					}
					u.take()
					client, err := r.Resolve("g")
					if err != nil {
						t.Fatal(err)
					}
					plan, err := client.Explain(t.Context(), groupRequest("g", text, c.tools))
					if err != nil || !strings.Contains(reasons(plan.Notes), c.why) {
						t.Errorf("the plan says %q, want %q (%v)", reasons(plan.Notes), c.why, err)
					}
					rep := askGroup(t, r, groupRequest("g", text, c.tools), streamed)
					if asked := u.take(); asked != c.asked || !strings.Contains(reasons(rep.Notes), c.why) {
						t.Errorf("asked %s by %q, want %s by %q", asked, reasons(rep.Notes), c.asked, c.why)
					}
				})
			})
		}
	}
}

// A member may be an alias with settings of its own, over which those of the group stand, and lists have the group.
func TestGroupsOfAliases(t *testing.T) {
	r := registry(t, parse(t, `
discover: off
providers: {lab: {base_url: "http://127.0.0.1:9/v1"}}
models:
  g: {any: [worded, lab/b], prefer: order, params: {temperature: 0.5}}
  worded: {model: lab/a, mode: text, params: {seed: 7}}
`))
	client, err := r.Resolve("g")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := client.Explain(t.Context(), groupRequest("g", "Hi", 1))
	if err != nil {
		t.Fatal(err)
	}
	body := string(plan.Chain[0].Body)
	if first := plan.Chain[0]; first.Model != "lab/a" || first.Mode != "text" || !strings.Contains(body, `"seed":7`) || !strings.Contains(body, `"temperature":0.5`) {
		t.Errorf("got %s %s %s", first.Model, first.Mode, body)
	}
	if got := r.List(t.Context()); !slices.Contains(got, "g") {
		t.Errorf("the group is not in the list: %v", got)
	}
	if cards := r.Cards(t.Context(), "g"); cards[0].Model != "lab/a" || !slices.Equal(cards[0].Fallbacks, []callwright.ModelID{"lab/b"}) {
		t.Errorf("%+v", cards)
	}
}

// What is known of the members stays when the configuration changes.
func TestGroupsKeepTheirRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := &upstreams{answers: map[string][]string{"a": {"500"}, "b": {"ok"}}, counts: map[string]int{}}
		conf := "discover: off\nproviders: {lab: {base_url: 'http://lab.test/v1', breaker: off, max_retries: 0}}\nmodels: {g: {any: [lab/a, lab/b]}}"
		live, err := config.NewLive(parse(t, conf), config.WithEnv(env()), config.WithTransport(func(string, callwright.WireName, http.RoundTripper) http.RoundTripper { return u }))
		if err != nil {
			t.Fatal(err)
		}
		defer live.Close()
		for range 8 {
			askGroup(t, live.Registry(), groupRequest("g", "Hi", 0), false)
		}
		if err := live.Replace(parse(t, conf)); err != nil {
			t.Fatal(err)
		}
		u.take()
		if askGroup(t, live.Registry(), groupRequest("g", "Hi", 0), false); u.take() != "b" {
			t.Error("the records are forgotten")
		}
	})
}

// Breakers and retries go by their settings.
func TestTries(t *testing.T) {
	failed := waitStep{asked: "a", fails: "provider_error 0s"}
	for name, c := range map[string]struct {
		settings string
		answers  []string
		steps    []waitStep
	}{
		"a breaker":            {"breaker: {failures: 2, pause: 10s}, max_retries: 0", []string{"500", "500", "ok"}, []waitStep{failed, failed, {fails: "unavailable 10s"}, {after: 11 * time.Second, asked: "a"}}},
		"failures too far off": {"breaker: {failures: 2, window: 6s}, max_retries: 0", []string{"500"}, []waitStep{failed, {after: 20 * time.Second, asked: "a", fails: "provider_error 0s"}, failed, {fails: "unavailable 30s"}}},
		"less than half":       {"breaker: {failures: 2}, max_retries: 0", []string{"ok", "ok", "ok", "ok", "500"}, []waitStep{{asked: "a"}, {asked: "a"}, {asked: "a"}, {asked: "a"}, failed, failed, failed, failed, {fails: "unavailable 30s"}}},
		"no breaker":           {"breaker: off, max_retries: 0", []string{"500"}, slices.Repeat([]waitStep{failed}, 30)},
		"the usual breaker":    {"max_retries: 0", []string{"500"}, append(slices.Repeat([]waitStep{failed}, 20), waitStep{fails: "unavailable 30s"})},
		"retries":              {"retries: {max: 3, backoff: 100ms}", []string{"500", "500", "500", "ok"}, []waitStep{{asked: "a a a a", waited: 900 * time.Millisecond}}},
		"no retries":           {"retries: {max: 0}", []string{"500", "ok"}, []waitStep{failed}},
		"other failures":       {"retries: {on: [timeout, rate_limited]}", []string{"500", "ok"}, []waitStep{failed}},
		"such failures":        {"retries: {on: [unavailable]}", []string{"500", "ok"}, []waitStep{{asked: "a a", waited: 700 * time.Millisecond}}},
		"no wait for a limit":  {"retries: {on: [unavailable]}", []string{"429 retry-after=2", "ok"}, []waitStep{{asked: "a", fails: "rate_limited 2s"}}},
	} {
		t.Run(name, func(t *testing.T) { runWaits(t, c.settings, map[string][]string{"a": c.answers}, c.steps) })
	}
}

// Settings of a model lie over those of its provider, member by member.
func TestBoundsLieOver(t *testing.T) {
	for text, want := range map[string]string{
		"providers: {lab: {base_url: 'http://lab.test/v1', max_retries: 5}}\nmodels: {m: {model: lab/a, retries: {max: 0}}}":                             "a",
		"providers: {lab: {base_url: 'http://lab.test/v1', retries: {max: 5}}}\nmodels: {m: {model: lab/a, max_retries: 0}}":                             "a",
		"providers: {lab: {base_url: 'http://lab.test/v1', retries: {max: 1, on: [unavailable]}}}\nmodels: {m: {model: lab/a, retries: {backoff: 1ms}}}": "a a",
		"providers: {lab: {base_url: 'http://lab.test/v1', breaker: off, max_retries: 2}}\nmodels: {m: {model: lab/a, breaker: {failures: 1}}}":          "a",
		"providers: {lab: {base_url: 'http://lab.test/v1', breaker: {failures: 1}, max_retries: 2}}\nmodels: {m: {model: lab/a, breaker: off}}":          "a a a",
		"providers: {lab: {base_url: 'http://lab.test/v1', breaker: {failures: 1}, max_retries: 2}}\nmodels: {m: {model: lab/a, breaker: {pause: 1m}}}":  "a",
		"providers: {lab: {base_url: 'http://lab.test/v1', timeouts: {total: 100ms}}}\nmodels: {m: {model: lab/a, timeouts: {first_byte: 1m}}}":          "a",
		"providers: {lab: {base_url: 'http://lab.test/v1', timeouts: {total: 100ms}}}\nmodels: {m: {model: lab/a, timeouts: {total: 1m}}}":               "a a a",
	} {
		synctest.Test(t, func(t *testing.T) {
			u := &upstreams{answers: map[string][]string{"a": {"500"}}, counts: map[string]int{}}
			r := registry(t, parse(t, "discover: off\n"+text), config.WithTransport(func(string, callwright.WireName, http.RoundTripper) http.RoundTripper { return u }))
			if askGroup(t, r, groupRequest("m", "Hi", 0), false); strings.Join(u.asked, " ") != want {
				t.Errorf("%s: asked %v, want %s", text, u.asked, want)
			}
		})
	}
}

// A fallback for some kinds of failures is tried after these alone, also behind one that is passed over.
func TestFallbacksByKind(t *testing.T) {
	const on = "fallbacks: [{model: lab/b, on: [context, refused]}, {model: lab/c, on: [unavailable, rate_limited]}]"
	for name, c := range map[string]struct{ answer, asked string }{
		"a refusal":     {`400 x=1 {"error":{"code":"content_filter","message":"no"}}`, "a b"},
		"too long":      {`400 x=1 {"error":{"code":"context_length_exceeded","message":"no"}}`, "a b"},
		"a wrong key":   {"401", "a c"},
		"a limit":       {"429 retry-after=60", "a c"},
		"no such thing": {"409", "a"},
	} {
		t.Run(name, func(t *testing.T) {
			step := waitStep{asked: c.asked}
			if c.asked == "a" {
				step.fails = "conflict 0s"
			}
			runWaits(t, on, map[string][]string{"a": {c.answer}, "b": {"ok"}, "c": {"ok"}}, []waitStep{step})
		})
	}
}
