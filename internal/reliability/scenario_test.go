package reliability_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/simulate"
)

// A scenario is a request in which a fault shows, at a provider of which nothing is known, or at a known one that checks what the real one checks.
type scenario struct {
	class    string
	fault    simulate.FaultInfo // the zero one where a profile refuses
	what     string             // told apart from other scenarios of the fault
	model    string             // provider/name
	wire     string
	profile  string // that the server holds requests to
	settings string // further ones of the provider
	script   simulate.Script
	request  func(model string) *callwright.Request
	rounds   func(r *run) error // what is asked before the request that is judged, and what is looked at afterwards
	meant    intent
	ends     []end  // that are as good as being right, where nothing can be saved
	noted    string // a rule's class of which the report of a whole answer has a note with healing on
	agent    bool   // the loop of an agent asks
}

func (s *scenario) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s on %s", s.class, s.fault.Model(), s.what, s.wire))
}

// forms are the ways to ask in which the scenario shows.
func (s *scenario) forms() []bool {
	if s.fault.StreamOnly {
		return []bool{true}
	}
	return []bool{false, true}
}

// A run is one scenario at one server, under one policy.
type run struct {
	*scenario
	ctx    context.Context
	lab    *lab
	srv    *simulate.Server
	stream bool
	client callwright.Model
	resp   *callwright.Response // the one that is judged
}

// An outcome is how a scenario ended.
type outcome struct {
	*scenario
	end    end
	ok     bool
	why    string
	stream bool
	sent   int // requests to the provider, for the request that is judged
	asked  int // answers that were asked of the model for it
}

// play asks once, under a policy.
func (s *scenario) play(ctx context.Context, policy string, stream bool) (outcome, error) {
	var opts []simulate.Option
	if s.profile != "" {
		opts = append(opts, simulate.Strict(s.profile))
	}
	srv := simulate.New(s.script, opts...)
	provider, _, _ := strings.Cut(s.model, "/")
	l, err := newLab(srv, provider, settingsOf(provider, s.wire)+s.settings, policy)
	if err != nil {
		return outcome{}, err
	}
	defer l.Close()
	client, err := l.Resolve(s.model)
	if err != nil {
		return outcome{}, err
	}
	r := &run{scenario: s, ctx: ctx, lab: l, srv: srv, stream: stream, client: client}
	out := outcome{scenario: s, stream: stream}
	if s.agent {
		out.end, out.why = r.loop()
	} else {
		out.end, out.why = r.answer(policy)
	}
	out.sent = int(l.sent.Load())
	if r.resp != nil && r.resp.Report != nil {
		out.asked = len(r.resp.Report.Attempts)
	}
	out.ok = out.end == right || slices.Contains(s.ends, out.end)
	return out, nil
}

// answer asks the client itself.
func (r *run) answer(policy string) (end, string) {
	if r.rounds != nil {
		if err := r.rounds(r); err != nil {
			return failed(callwright.KindOf(err)), "before: " + err.Error()
		}
	}
	resp, err := ask(r.ctx, r.client, r.request(r.model), r.stream)
	r.resp = resp
	got, why := r.meant.judge(resp, err)
	if got == right && r.noted != "" && policy == "heal" && resp.Report != nil &&
		!slices.ContainsFunc(resp.Report.Notes, func(n callwright.Note) bool { return n.Fault == r.noted }) {
		return lost, "no note of " + r.noted
	}
	return got, why
}

const (
	question  = "What is the weather in Tromsø?"
	question2 = "What is the weather in Tromsø and Århus?"
)

// weatherSchema is that of the simulator with an argument that takes any text.
var weatherSchema = strings.Replace(simulate.WeatherSchema, `"units":`, `"note":{"type":"string"},"units":`, 1)

// fullArguments hold a value of every kind, so that each fault has something to damage and adds nothing.
func fullArguments(city string) string {
	return `{"city": "` + city + `", "days": 3, "hourly": true, "fields": ["wind", "rain"], "place": {"country": "NO"}, "note": "by sea", "units": "celsius"}`
}

// shortArguments leave out what may be left out.
func shortArguments(city string) string { return `{"city": "` + city + `"}` }

// weather is the script of a model that calls get_weather with such arguments.
func weather(arguments func(city string) string) simulate.Script {
	plain := simulate.Weather()
	return func(seen simulate.Seen) simulate.Turn {
		t := plain(seen)
		for i := range t.Calls {
			var asked struct{ City string }
			if json.Unmarshal([]byte(t.Calls[i].Arguments), &asked) == nil && asked.City != "" && t.Calls[i].Name == "get_weather" {
				t.Calls[i].Arguments = arguments(asked.City)
			}
		}
		return t
	}
}

// asking returns a request for the weather, with changes.
func asking(text string, changes ...func(*callwright.Request)) func(model string) *callwright.Request {
	return func(model string) *callwright.Request {
		req := &callwright.Request{
			Model: callwright.ModelID(model), Messages: []callwright.Message{callwright.UserText(text)},
			Tools: []callwright.Tool{{Name: "get_weather", Description: "Tells the weather.", Schema: json.RawMessage(weatherSchema)}},
		}
		req.Params.MaxTokens = "4096"
		for _, change := range changes {
			change(req)
		}
		return req
	}
}

// weatherIn are the calls for cities.
func weatherIn(arguments func(city string) string, cities ...string) []call {
	var out []call
	for _, c := range cities {
		out = append(out, call{"get_weather", arguments(c)})
	}
	return out
}
