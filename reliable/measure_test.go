package reliable_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

// An uneven is a model whose calls come right in some modes more often than in others. A wrong answer has a call that breaks its schema, and stays wrong when
// the model is asked again.
type uneven struct {
	id      callwright.ModelID
	caps    caps.Caps
	success map[caps.Mode]float64

	mu    sync.Mutex
	drawn *rand.Rand
	asked []caps.Mode // the mode of each request
}

func newUneven(success map[caps.Mode]float64, c caps.Caps) *uneven {
	return &uneven{id: "lab/m", caps: c, success: success, drawn: rand.New(rand.NewPCG(1, 2))}
}

func (u *uneven) ID() callwright.ModelID         { return u.id }
func (u *uneven) Caps(context.Context) caps.Caps { return u.caps }

// modeOf is the mode of a request as the model sees it.
func modeOf(req *callwright.Request) caps.Mode {
	switch f := req.Params.Format; {
	case len(req.Tools) > 0:
		return caps.Native
	case f != nil && f.Schema != nil:
		return caps.JSONSchema
	case f != nil:
		return caps.JSONObject
	}
	return caps.Text
}

func (u *uneven) answer(req *callwright.Request) []callwright.Event {
	u.mu.Lock()
	defer u.mu.Unlock()
	mode := modeOf(req)
	u.asked = append(u.asked, mode)
	args := oslo
	if u.drawn.Float64() >= u.success[mode] {
		args = `{"town":5}`
	}
	used := callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 90, Output: 10}}
	switch mode {
	case caps.Native:
		return slices.Insert(native("get_weather", args, callwright.FinishCalls), 1, callwright.Event(used))
	case caps.Text:
		return slices.Insert(text(`<tool_call>{"name":"get_weather","arguments":`+args+`}</tool_call>`), 1, callwright.Event(used))
	case caps.JSONSchema, caps.JSONObject, caps.Parsed:
	}
	return slices.Insert(text(`{"toolCalls":[{"name":"get_weather","arguments":`+args+`}]}`), 1, callwright.Event(used))
}

func (u *uneven) Generate(_ context.Context, req *callwright.Request) (*callwright.Response, error) {
	var all callwright.Collector
	for _, b := range batchesOf(u.answer(req)) {
		all.AddBatch(b)
	}
	return all.Response(), nil
}

func (u *uneven) Stream(_ context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		for _, ev := range u.answer(req) {
			if !yield(ev, nil) {
				return
			}
		}
	}
}

// A fleet is gateways that share what they learn, and a time that goes on with each request.
type fleet struct {
	clients   []*reliable.Client
	capsStore caps.Store
	at        time.Time
}

func newFleet(m callwright.Model, gateways int, opts ...reliable.Option) *fleet {
	f := &fleet{at: time.Unix(1_795_000_000, 0)}
	now := func() time.Time { return f.at }
	f.capsStore = caps.NewMemory(now)
	for range gateways {
		f.clients = append(f.clients, reliable.New(m, append([]reliable.Option{reliable.WithCapsStore(f.capsStore), reliable.WithClock(now)}, opts...)...))
	}
	return f
}

// ask makes a number of requests, one to each gateway in turn, and returns the mode in which each was asked first.
func (f *fleet) ask(t *testing.T, n int, req *callwright.Request) []caps.Mode {
	t.Helper()
	var first []caps.Mode
	for i := range n {
		c := f.clients[i%len(f.clients)]
		resp, err := c.Generate(t.Context(), req)
		rep := reportOf(resp, err)
		if rep == nil || len(rep.Attempts) == 0 {
			t.Fatalf("request %d: %v", i, err)
		}
		first = append(first, rep.Attempts[0].Mode)
		f.at = f.at.Add(10 * time.Second)
	}
	return first
}

// fact is what is known of the success of the modes.
func (f *fleet) fact(t *testing.T) string {
	t.Helper()
	facts, err := f.capsStore.Facts(t.Context(), "lab/m")
	if err != nil {
		t.Fatal(err)
	}
	for _, fact := range facts {
		if fact.Key == "mode_success" {
			return fact.Value
		}
	}
	return ""
}

func share(of []caps.Mode, m caps.Mode) float64 {
	n := 0
	for _, got := range of {
		if got == m {
			n++
		}
	}
	return float64(n) / float64(len(of))
}

// The mode whose calls come right is asked first within a number of requests, by one gateway and by several, and stays. Native is where nothing is better.
func TestModesBySuccess(t *testing.T) {
	schemas := caps.Caps{JSONSchema: caps.Yes, JSONObject: caps.Yes}
	for _, c := range []struct {
		name    string
		success map[caps.Mode]float64
		caps    caps.Caps
		want    caps.Mode
	}{
		{"native never", map[caps.Mode]float64{caps.Text: 1}, caps.Caps{}, caps.Text},
		{"native seldom", map[caps.Mode]float64{caps.Native: 0.3, caps.Text: 0.9}, caps.Caps{}, caps.Text},
		{"native as good", map[caps.Mode]float64{caps.Native: 0.9, caps.Text: 0.9}, caps.Caps{}, caps.Native},
		{"native better", map[caps.Mode]float64{caps.Native: 0.95, caps.Text: 0.5}, caps.Caps{}, caps.Native},
		{"native always", map[caps.Mode]float64{caps.Native: 1}, schemas, caps.Native},
		{"only a schema", map[caps.Mode]float64{caps.JSONSchema: 1}, schemas, caps.JSONSchema},
		{"only text of four", map[caps.Mode]float64{caps.Text: 1}, schemas, caps.Text},
		{"only JSON without a schema", map[caps.Mode]float64{caps.JSONObject: 1}, schemas, caps.JSONObject},
		{"none", map[caps.Mode]float64{}, caps.Caps{}, caps.Native},
	} {
		for _, gateways := range []int{1, 2} {
			t.Run(fmt.Sprintf("%s/%d", c.name, gateways), func(t *testing.T) {
				f := newFleet(newUneven(c.success, c.caps), gateways, reliable.WithMaxCorrections(1))
				f.ask(t, 40, ask(callwright.Choice{}))
				if got := f.ask(t, 60, ask(callwright.Choice{})); share(got, c.want) < 0.95 {
					t.Errorf("after 40 requests the first mode is %s in %.0f %% of them: %v\n%s", c.want, 100*share(got, c.want), got, f.fact(t))
				}
			})
		}
	}
}

// A model that gets better or worse is asked in another mode after some time; one whose modes are equal does not change between them.
func TestModesFollow(t *testing.T) {
	m := newUneven(map[caps.Mode]float64{caps.Native: 0.98, caps.Text: 0.98}, caps.Caps{})
	f := newFleet(m, 1, reliable.WithMaxCorrections(0))
	if got := f.ask(t, 300, ask(callwright.Choice{})); share(got, caps.Native) < 1 {
		t.Errorf("native is asked in %.2f of all", share(got, caps.Native))
	}
	m.success[caps.Native] = 0.2
	f.ask(t, 100, ask(callwright.Choice{}))
	if got := f.ask(t, 50, ask(callwright.Choice{})); share(got, caps.Text) < 1 {
		t.Errorf("after native got worse: %v\n%s", got, f.fact(t))
	}
	m.success[caps.Text] = 0.1
	m.success[caps.Native] = 0.99
	f.ask(t, 100, ask(callwright.Choice{}))
	if got := f.ask(t, 50, ask(callwright.Choice{})); share(got, caps.Native) < 1 {
		t.Errorf("after text got worse: %v\n%s", got, f.fact(t))
	}
}

// Modes that do equally well do not take turns, whatever chance does.
func TestModesDoNotFlap(t *testing.T) {
	for seed := range uint64(20) {
		m := newUneven(map[caps.Mode]float64{caps.Native: 0.7, caps.Text: 0.7}, caps.Caps{})
		m.drawn = rand.New(rand.NewPCG(seed, 3))
		got := newFleet(m, 2, reliable.WithMaxCorrections(0)).ask(t, 600, ask(callwright.Choice{}))
		changes := 0
		for i := range got[1:] {
			if got[i] != got[i+1] {
				changes++
			}
		}
		if changes > 3 {
			t.Errorf("seed %d: %d changes in %d requests", seed, changes, len(got))
		}
	}
}

// What the table of models says of modes counts before the first answers, and with them. A model that does otherwise is asked in another mode later.
func TestModesOfTheTable(t *testing.T) {
	shipped := caps.Caps{JSONSchema: caps.Yes}
	shipped.Counted.ModeSuccess = "native=6+0-14 json_schema=18+0-2"
	shipped = shipped.From(caps.Shipped)
	m := newUneven(map[caps.Mode]float64{caps.Native: 0.5, caps.JSONSchema: 0.9}, shipped)
	f := newFleet(m, 1, reliable.WithMaxCorrections(0))
	if got := f.ask(t, 60, ask(callwright.Choice{})); share(got, caps.JSONSchema) < 1 {
		t.Errorf("%v\n%s", got, f.fact(t))
	}
	m.success[caps.JSONSchema], m.success[caps.Native] = 0, 1
	f.ask(t, 60, ask(callwright.Choice{}))
	if got := f.ask(t, 40, ask(callwright.Choice{})); share(got, caps.Native) < 1 {
		t.Errorf("%v\n%s", got, f.fact(t))
	}
}

// Configured modes are asked in their order, whatever was measured; so is the only mode that may be.
func TestConfiguredModesWin(t *testing.T) {
	measured := caps.Fact{Key: "mode_success", Value: "native=0+0-60 json_schema=0+0-60 text=60+0-0 lead=text", Source: caps.Learned}
	for _, c := range []struct {
		opts []reliable.Option
		want []caps.Mode
	}{
		{nil, []caps.Mode{caps.Text, caps.Native, caps.JSONSchema}},
		{[]reliable.Option{reliable.WithModes(caps.Native)}, []caps.Mode{caps.Native}},
		{[]reliable.Option{reliable.WithModes(caps.JSONSchema, caps.Native, caps.Text)}, []caps.Mode{caps.JSONSchema, caps.Native, caps.Text}},
		{[]reliable.Option{reliable.WithModes(caps.Native, caps.Text), reliable.WithOneMode()}, []caps.Mode{caps.Native}},
		{[]reliable.Option{reliable.WithOneMode()}, []caps.Mode{caps.Text}},
		{[]reliable.Option{reliable.WithPolicy(callwright.PolicyOff)}, []caps.Mode{caps.Native}},
		{[]reliable.Option{reliable.WithPolicy(callwright.PolicyObserve)}, []caps.Mode{caps.Native}},
		{[]reliable.Option{reliable.WithFacts(caps.Fact{Key: "mode_success", Value: "native=60+0-0"})}, []caps.Mode{caps.Native, caps.JSONSchema, caps.Text}},
		{[]reliable.Option{reliable.WithModes(caps.Native), reliable.WithFacts(caps.Fact{Key: "tools", Value: "no"})}, []caps.Mode{caps.Text, caps.JSONSchema}},
	} {
		f := newFleet(newUneven(nil, caps.Caps{JSONSchema: caps.Yes}), 1, c.opts...)
		if err := f.capsStore.Learn(t.Context(), "lab/m", measured); err != nil {
			t.Fatal(err)
		}
		ex, err := f.clients[0].Explain(t.Context(), ask(callwright.Choice{}))
		if err != nil {
			t.Fatal(err)
		}
		var got []caps.Mode
		for _, s := range ex.Chain {
			got = append(got, s.Mode)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
	}
}

// A mode that the model is known to lack is never asked first because of what was measured.
func TestLackingModesStayLast(t *testing.T) {
	f := newFleet(newUneven(map[caps.Mode]float64{caps.Text: 1}, caps.Caps{Tools: caps.No, JSONSchema: caps.No}), 1)
	if err := f.capsStore.Learn(t.Context(), "lab/m", caps.Fact{Key: "mode_success", Value: "native=60+0-0 json_schema=60+0-0 json_object=60+0-0 text=1+0-60 lead=native", Source: caps.Learned}); err != nil {
		t.Fatal(err)
	}
	if got := f.ask(t, 5, ask(callwright.Choice{})); share(got, caps.Text) < 1 {
		t.Errorf("%v", got)
	}
}

// The report and the explanation say why a mode leads, and only then.
func TestModesAreExplained(t *testing.T) {
	f := newFleet(newUneven(map[caps.Mode]float64{caps.Text: 1, caps.Native: 1}, caps.Caps{}), 1)
	reasons := func() (reported, explained []string) {
		resp, err := f.clients[0].Generate(t.Context(), ask(callwright.Choice{}))
		if err != nil {
			t.Fatal(err)
		}
		ex, err := f.clients[0].Explain(t.Context(), ask(callwright.Choice{}))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range resp.Report.Notes {
			if n.Rule == "plan.mode" {
				reported = append(reported, n.Now+": "+n.Why)
			}
		}
		for _, n := range ex.Notes {
			explained = append(explained, n.Now+": "+n.Why)
		}
		for _, s := range ex.Chain {
			explained = append(explained, s.Success)
		}
		return reported, explained
	}
	reported, explained := reasons()
	if d := cmp.Diff([][]string{nil, {"", ""}}, [][]string{reported, explained}); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if err := f.capsStore.Learn(t.Context(), "lab/m", caps.Fact{Key: "mode_success", Value: "native=20+3-15/310t/1200ms text=36.6+0-3.4", Source: caps.Probed}); err != nil {
		t.Fatal(err)
	}
	reported, explained = reasons()
	why := "text: text: 92 % of 40 answers; native: 61 % of 38 answers"
	want := [][]string{{why}, {why, "92 % of 40 answers", "61 % of 38 answers, 3 of them with help, 310 tokens, 1.2 s"}}
	if d := cmp.Diff(want, [][]string{reported, explained}); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// Answers are counted once for each request and mode; what says nothing of the mode is not.
func TestAnswersAreCounted(t *testing.T) {
	healed := native("get_weather", `{"city":"Oslo","days":"3"}`, callwright.FinishCalls)
	refused := &callwright.Error{Kind: callwright.KindRefusedCall, Message: "the call could not be parsed"}
	for name, c := range map[string]struct {
		answers []any
		choice  callwright.Choice
		tools   bool
		opts    []reliable.Option
		want    string
	}{
		"a call":                        {answers: []any{goodCall}, tools: true, want: "native=4+0-0"},
		"a call that needed help":       {answers: []any{healed}, tools: true, want: "native=0+4-0"},
		"a call after a correction":     {answers: []any{badCall, goodCall}, tools: true, want: "native=0+0-4"},
		"no valid call in three":        {answers: []any{badCall, badCall, badCall, inHermes}, tools: true, want: "native=0+0-2 text=2+0-0"},
		"a call in text, asked for":     {answers: []any{inHermes}, tools: true, opts: []reliable.Option{reliable.WithModes(caps.Text)}, want: "text=4+0-0"},
		"a call in text, not asked":     {answers: []any{inHermes}, tools: true, want: "native=0+4-0"},
		"a call that could not be read": {answers: []any{refused, inHermes}, tools: true, want: "native=0+0-2 text=2+0-0"},
		"text":                          {answers: []any{text("Hello.")}, tools: true},
		"text where a call is wanted":   {answers: []any{text("Hello."), goodCall}, choice: forcedOne, tools: true, want: "native=0+0-4"},
		"no tools":                      {answers: []any{text("Hello.")}},
		"cut":                           {answers: []any{cutCall}, tools: true},
		"the provider is down":          {answers: []any{isDown}, tools: true},
		"policy off":                    {answers: []any{goodCall}, tools: true, opts: []reliable.Option{reliable.WithPolicy(callwright.PolicyOff)}},
		"policy observe":                {answers: []any{badCall}, tools: true, opts: []reliable.Option{reliable.WithPolicy(callwright.PolicyObserve)}},
	} {
		for _, streams := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " ", streams), func(t *testing.T) {
				m := &scripted{name: "lab/m"}
				f := newFleet(m, 1, c.opts...)
				for range 4 {
					m.asked, m.answers = nil, c.answers
					req := ask(c.choice)
					if !c.tools {
						req.Tools = nil
					}
					if streams {
						_, _ = callwright.Collect(f.clients[0].Stream(t.Context(), req))
					} else {
						_, _ = f.clients[0].Generate(t.Context(), req)
					}
				}
				var got []string
				for word := range strings.FieldsSeq(f.fact(t)) {
					word, _, _ = strings.Cut(word, "@")
					if word, _, _ = strings.Cut(word, "/"); !strings.HasPrefix(word, "since=") && !strings.HasPrefix(word, "lead=") {
						got = append(got, rounded(word))
					}
				}
				if d := cmp.Diff(c.want, strings.Join(got, " ")); d != "" {
					t.Errorf("(-want +got)\n%s", d)
				}
			})
		}
	}
}

// rounded is the counts of a mode without what decayed.
func rounded(word string) string {
	mode, counts, _ := strings.Cut(word, "=")
	var clean, helped, failed float64
	_, _ = fmt.Sscanf(counts, "%f+%f-%f", &clean, &helped, &failed)
	return fmt.Sprintf("%s=%.0f+%.0f-%.0f", mode, clean, helped, failed)
}
