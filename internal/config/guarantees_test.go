package config_test

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// A guarantee is what a client demands of the calls of an answer.
type guarantee struct {
	name   string
	demand func(*callwright.Params)
	broken func(calls []callwright.Call) string // what is wrong with the calls that left, "" for nothing
}

func choosing(mode callwright.ChoiceMode, names ...string) func(*callwright.Params) {
	return func(p *callwright.Params) { p.Choice = callwright.Choice{Mode: mode, Names: names} }
}

// only reports what calls of other tools there are.
func only(names ...string) func([]callwright.Call) string {
	return func(calls []callwright.Call) string {
		for _, c := range calls {
			if !slices.Contains(names, c.Name) {
				return "a call of " + c.Name
			}
		}
		return ""
	}
}

// made reports that there is no call, or what is wrong with those there are.
func made(rest func([]callwright.Call) string) func([]callwright.Call) string {
	return func(calls []callwright.Call) string {
		if len(calls) == 0 {
			return "no call"
		}
		return rest(calls)
	}
}

var guarantees = []guarantee{
	{"required", choosing(callwright.ChoiceRequired), made(only("get_weather", "get_time"))},
	{"named", choosing(callwright.ChoiceNamed, "get_time"), made(only("get_time"))},
	{"none", choosing(callwright.ChoiceNone), only()},
	{"allowed", choosing(callwright.ChoiceAuto, "get_time"), only("get_time")},
	{"one of the allowed", choosing(callwright.ChoiceRequired, "get_time"), made(only("get_time"))},
	{"one call", func(p *callwright.Params) { no := false; p.Parallel = &no }, func(calls []callwright.Call) string {
		if len(calls) > 1 {
			return fmt.Sprint(len(calls), " calls")
		}
		return ""
	}},
	{"one call that is required", func(p *callwright.Params) {
		no := false
		p.Parallel, p.Choice.Mode = &no, callwright.ChoiceRequired
	}, func(calls []callwright.Call) string {
		if len(calls) != 1 {
			return fmt.Sprint(len(calls), " calls")
		}
		return ""
	}},
}

const (
	overOslo = `{"city":"Oslo"}`
	talk     = "It is cold there."
)

// tempers are models that keep to what is asked of them, and such as do not care.
var tempers = map[string]simulate.Script{
	"obeys": func(s simulate.Seen) simulate.Turn {
		words := strings.ToLower(s.System)
		for _, m := range s.History {
			words += strings.ToLower(m.Text)
		}
		forced := s.Choice == "required" || strings.Contains(words, "must call")
		switch {
		case s.Choice == "none" || strings.Contains(words, "do not call any tool"), len(s.Tools) == 0 && !strings.Contains(words, "get_time"):
			return simulate.Turn{Text: talk}
		case s.Choice == "get_time" || forced && !slices.Contains(s.Tools, "get_weather"), len(s.Tools) == 1 && s.Tools[0] == "get_time":
			return simulate.Turn{Calls: []simulate.Call{{Name: "get_time", Arguments: "{}"}}}
		}
		calls := []simulate.Call{{Name: "get_weather", Arguments: overOslo}, {Name: "get_time", Arguments: "{}"}}
		if s.Serial || strings.Contains(words, "at most one") {
			calls = calls[:1]
		}
		return simulate.Turn{Calls: calls}
	},
	"calls two tools in any case": func(simulate.Seen) simulate.Turn {
		return simulate.Turn{Calls: []simulate.Call{{Name: "get_weather", Arguments: overOslo}, {Name: "get_time", Arguments: "{}"}}}
	},
	"calls the wrong tool in any case": func(simulate.Seen) simulate.Turn {
		return simulate.Turn{Calls: []simulate.Call{{Name: "get_weather", Arguments: overOslo}}}
	},
	"never calls": func(simulate.Seen) simulate.Turn { return simulate.Turn{Text: talk} },
	"calls and says": func(simulate.Seen) simulate.Turn {
		return simulate.Turn{Text: talk, Calls: []simulate.Call{{Name: "get_weather", Arguments: overOslo}, {Name: "get_time", Arguments: "{}"}}}
	},
}

// unsupported are facts of a receiver that knows nothing of what is demanded.
const unsupported = "{choice_field: false, choice_forced: false, parallel_field: false}"

// What a client demands of calls is satisfied, or an error says that it is not, whichever API the client and the receiver speak,
// whether the receiver knows the demand, and whatever its model does. Nothing is cut in silence, and no answer is left empty.
func TestGuarantees(t *testing.T) {
	for _, to := range codecs.All() {
		for temper, script := range tempers {
			srv := httptest.NewServer(simulate.New(script))
			t.Cleanup(srv.Close)
			r := registry(t, parse(t, "providers: {lab: {wire: "+string(to.Name())+", base_url: "+baseOf(to.Name(), srv.URL)+
				"}}\nmodels: {knows: {model: lab/m}, ignorant: {model: lab/m, caps: "+unsupported+"}}"))
			for _, model := range []string{"knows", "ignorant"} {
				client, err := r.Resolve(model)
				if err != nil {
					t.Fatal(err)
				}
				for _, g := range guarantees {
					for _, from := range append([]wire.Codec{nil}, codecs.All()...) {
						demanded(t, g, model, from, func(t *testing.T, req *callwright.Request) {
							t.Run(fmt.Sprintf("%s/%s/%s", to.Name(), temper, model), func(t *testing.T) { holds(t, g, temper, client, req) })
						})
					}
				}
			}
		}
	}
}

// baseOf is the base address of a server for a wire.
func baseOf(wire callwright.WireName, url string) string {
	if wire == callwright.WireOpenAI || wire == callwright.WireResponses {
		url += "/v1"
	}
	return url
}

// demanded asks with a request for a guarantee, as a client in Go makes it, or as one comes over a wire that can say it.
func demanded(t *testing.T, g guarantee, model string, from wire.Codec, ask func(*testing.T, *callwright.Request)) {
	t.Helper()
	req := weather(model)
	req.Tools = append(req.Tools, callwright.Tool{Name: "get_time"})
	g.demand(&req.Params)
	if from == nil {
		t.Run(g.name+"/in Go", func(t *testing.T) { ask(t, req) })
		return
	}
	body, _, err := from.EncodeRequest(req, model, caps.Caps{})
	if err != nil {
		t.Fatal(err)
	}
	came, err := from.DecodeRequest(body)
	if err != nil {
		t.Fatal(err)
	}
	if came.Model = callwright.ModelID(model); came.Params.Choice.Mode == req.Params.Choice.Mode && (came.Params.Parallel == nil) == (req.Params.Parallel == nil) {
		t.Run(g.name+"/over "+string(from.Name()), func(t *testing.T) { ask(t, came) })
	}
}

// holds asks whole and streamed.
func holds(t *testing.T, g guarantee, temper string, client *reliable.Client, req *callwright.Request) {
	t.Helper()
	resp, err := client.Generate(t.Context(), req)
	checkGuarantee(t, g, temper, resp, err)
	streamed, err := collect(t, client, req)
	checkGuarantee(t, g, temper, streamed, err)
}

// The same holds for every provider that refuses something of it, such as a demand for a call while its model thinks: what is refused
// is asked for otherwise.
func TestGuaranteesBesideThinking(t *testing.T) {
	srv := httptest.NewServer(simulate.New(tempers["obeys"]))
	t.Cleanup(srv.Close)
	done := map[string]bool{}
	for _, c := range simulate.Checks() {
		if done[c.Wire+c.Profile] {
			continue
		}
		done[c.Wire+c.Profile] = true
		r := registry(t, parse(t, "providers: {lab: {wire: "+c.Wire+", base_url: "+baseOf(callwright.WireName(c.Wire), srv.URL)+"}}"))
		model := "lab/strict-" + c.Profile
		client, err := r.Resolve(model)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range guarantees {
			for _, effort := range []string{"", "high", "none"} {
				demanded(t, g, model, nil, func(t *testing.T, req *callwright.Request) {
					t.Run(c.Wire+"/"+c.Profile+"/effort "+effort, func(t *testing.T) {
						req := *req
						req.Params.Thinking.Effort = effort
						holds(t, g, "obeys", client, &req)
					})
				})
			}
		}
	}
}

// collect is a streamed answer as a whole one.
func collect(t *testing.T, client *reliable.Client, req *callwright.Request) (*callwright.Response, error) {
	t.Helper()
	var c callwright.Collector
	var report *callwright.Report
	for ev, err := range client.Stream(t.Context(), req) {
		if err != nil {
			return nil, err
		}
		if done, ok := ev.(callwright.Done); ok {
			report = done.Report
			continue
		}
		c.Add(ev)
	}
	resp := c.Response()
	resp.Report = report
	return resp, nil
}

func checkGuarantee(t *testing.T, g guarantee, temper string, resp *callwright.Response, err error) {
	t.Helper()
	if err != nil {
		if typed, ok := errors.AsType[*callwright.Error](err); !ok || typed.Kind == "" || temper == "obeys" {
			t.Errorf("unexpected error %v", err)
		}
		return
	}
	calls := resp.Calls()
	if why := g.broken(calls); why != "" {
		t.Errorf("%s left: %s", why, resp.Text())
	}
	if len(calls) == 0 && strings.TrimSpace(resp.Text()) == "" {
		t.Error("the answer is empty")
	}
	made := map[string]int{"calls two tools in any case": 2, "calls and says": 2, "calls the wrong tool in any case": 1}[temper]
	if len(calls) < made && !reported(resp.Report) {
		t.Errorf("%d of %d calls left and no note says why: %v", len(calls), made, resp.Report.Notes)
	}
}

// reported reports whether a note says why calls were left out, or not made.
func reported(r *callwright.Report) bool {
	return slices.ContainsFunc(r.Notes, func(n callwright.Note) bool {
		family, _, _ := strings.Cut(n.Rule, ".")
		return slices.Contains([]string{"guarantee", "judge", "choice"}, family)
	})
}

// answers draws what a model may answer: any calls, sound or not, with or without words.
func answers() *rapid.Generator[simulate.Turn] {
	return rapid.Custom(func(t *rapid.T) simulate.Turn {
		turn := simulate.Turn{Text: rapid.SampledFrom([]string{"", "", " ", talk}).Draw(t, "text"), Reasoning: rapid.SampledFrom([]string{"", "", "Hm."}).Draw(t, "reasoning")}
		n := rapid.IntRange(0, 3).Draw(t, "calls")
		if n == 0 {
			turn.Text = strings.TrimSpace(turn.Text) // white space alone is the model's own answer
		}
		for range n {
			turn.Calls = append(turn.Calls, rapid.SampledFrom([]simulate.Call{
				{Name: "get_weather", Arguments: overOslo}, {Name: "get_time", Arguments: "{}"}, {Name: "get_weather", Arguments: `{"town":1}`}, {Name: "get_news", Arguments: "{}"},
			}).Draw(t, "call"))
		}
		return turn
	})
}

// Whatever a model answers, and answers when it is asked again: what a guarantee cuts leaves an answer with words or calls, or an error.
func TestCutCallsLeaveNoEmptyAnswer(t *testing.T) {
	for _, to := range codecs.All() {
		for _, mode := range []string{"native", "text", "json_schema"} {
			t.Run(string(to.Name())+"/"+mode, func(t *testing.T) {
				var turns []simulate.Turn
				asked := 0
				srv := httptest.NewServer(simulate.New(func(simulate.Seen) simulate.Turn {
					turn := turns[min(asked, len(turns)-1)]
					asked++
					return turn
				}))
				t.Cleanup(srv.Close)
				models := "knows: {model: lab/m, mode: " + mode + ", retry_other_mode: false}, ignorant: {model: lab/m, mode: " + mode + ", retry_other_mode: false, caps: " + unsupported + "}"
				r := registry(t, parse(t, "providers: {lab: {wire: "+string(to.Name())+", base_url: "+baseOf(to.Name(), srv.URL)+"}}\nmodels: {"+models+"}"))
				rapid.Check(t, func(rt *rapid.T) {
					model := rapid.SampledFrom([]string{"knows", "ignorant"}).Draw(rt, "model")
					g := rapid.SampledFrom(guarantees).Draw(rt, "guarantee")
					turns = rapid.SliceOfN(answers(), 1, 3).Draw(rt, "answers")
					client, err := r.Resolve(model)
					if err != nil {
						rt.Fatal(err)
					}
					req := weather(model)
					req.Tools = append(req.Tools, callwright.Tool{Name: "get_time"})
					g.demand(&req.Params)
					for _, ask := range []func() (*callwright.Response, error){
						func() (*callwright.Response, error) { return client.Generate(t.Context(), req) },
						func() (*callwright.Response, error) { return collect(t, client, req) },
					} {
						asked = 0
						resp, err := ask()
						if err != nil {
							if typed, ok := errors.AsType[*callwright.Error](err); !ok || typed.Kind == "" {
								rt.Errorf("unexpected error %v", err)
							}
							continue
						}
						if why := g.broken(resp.Calls()); why != "" {
							rt.Errorf("%s: %s left", g.name, why)
						}
						if len(resp.Calls()) == 0 && strings.TrimSpace(resp.Text()) == "" {
							rt.Errorf("%s: the answer is empty: %v", g.name, resp.Report.Notes)
						}
					}
				})
			})
		}
	}
}
