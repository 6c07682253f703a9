package bymode_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/modestat"
	"github.com/callwright/callwright/internal/probe"
	"github.com/callwright/callwright/internal/probe/bymode"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/simulate"
	"github.com/google/go-cmp/cmp"
)

// Each question has a right answer that its tools take, no other one is right, and each beginning of eight has every kind of question.
func TestQuestions(t *testing.T) {
	all := bymode.AllQuestions()
	texts := map[string]bool{}
	for i, q := range all {
		if texts[q.Text] {
			t.Errorf("%q is asked twice", q.Text)
		}
		texts[q.Text] = true
		if !q.Right(q.Calls) {
			t.Errorf("%q: its own calls are not right", q.Text)
		}
		for n, c := range q.Calls {
			at := slices.IndexFunc(q.Tools, func(tl callwright.Tool) bool { return tl.Name == c.Name })
			if at < 0 {
				t.Fatalf("%q: %s is no tool of it", q.Text, c.Name)
			}
			s, err := schema.Compile(q.Tools[at].Schema)
			if err != nil {
				t.Fatal(err)
			}
			if broken := s.Validate(c.Arguments); len(broken) > 0 {
				t.Errorf("%q: %v", q.Text, broken)
			}
			other := slices.Clone(q.Calls)
			other[n].Arguments = []byte(`{}`)
			if q.Right(other) || q.Right(slices.Delete(slices.Clone(q.Calls), n, n+1)) || q.Right(append(slices.Clone(q.Calls), c)) {
				t.Errorf("%q: call %d may be another one", q.Text, n)
			}
		}
		if len(q.Calls) == 0 && q.Right([]callwright.Call{{Name: q.Tools[0].Name, Arguments: []byte(`{}`)}}) {
			t.Errorf("%q: a call is right", q.Text)
		}
		if i%8 != 7 {
			continue
		}
		var none, several, choice int
		for _, q := range all[i-7 : i+1] {
			switch {
			case len(q.Calls) == 0:
				none++
			case len(q.Calls) > 1:
				several++
			}
			if len(q.Tools) > 1 && len(q.Calls) > 0 {
				choice++
			}
		}
		if none < 2 || several < 2 || choice < 2 {
			t.Errorf("of the questions up to %d, %d want no call, %d several, %d one of several tools", i+1, none, several, choice)
		}
	}
}

// Values are compared as people would.
func TestRight(t *testing.T) {
	calls := func(name, args string) []callwright.Call {
		return []callwright.Call{{Name: name, Arguments: []byte(args)}}
	}
	ask := func(text string) bymode.Asked {
		all := bymode.AllQuestions()
		return all[slices.IndexFunc(all, func(q bymode.Asked) bool { return strings.Contains(q.Text, text) })]
	}
	for _, c := range []struct {
		question, name, args string
		want                 bool
	}{
		{"Lisbon", "get_weather", `{"city": "lisbon."}`, true},
		{"Lisbon", "get_weather", `{"city": "Lisboa"}`, false},
		{"Lisbon", "get_weather", `{"city": "Lisbon", "unit": "C"}`, false},
		{"Lisbon", "weather", `{"city": "Lisbon"}`, false},
		{"250 US dollars", "convert_currency", `{"to":"eur","from":"usd","amount":250.0}`, true},
		{"250 US dollars", "convert_currency", `{"to":"eur","from":"usd","amount":"250"}`, false},
		{"the kitchen", "set_light", `{"room":"Kitchen","on":false}`, true},
		{"the kitchen", "set_light", `{"room":"Kitchen","on":true}`, false},
		{"the kitchen", "set_light", `{"room":"Kitchen","on":false,"brightness":0}`, true},
		{"the kitchen", "set_light", `{"room":"Kitchen"}`, false},
		{"Luigi", "book_table", `{"guests":4,"restaurant":"Luigi's","contact":{"phone":"555-0134","name":"Ann Lee"}}`, true},
		{"Luigi", "book_table", `{"guests":4,"restaurant":"Luigi's","contact":{"name":"Ann Lee"}}`, false},
	} {
		if got := ask(c.question).Right(calls(c.name, c.args)); got != c.want {
			t.Errorf("%s %s: %v", c.name, c.args, got)
		}
	}
}

// uneven answers so many of the first questions right in each mode.
func uneven(right map[caps.Mode]int) simulate.Script {
	all := bymode.AllQuestions()
	return func(req simulate.Seen) simulate.Turn {
		i := slices.IndexFunc(all, func(q bymode.Asked) bool { return strings.Contains(req.User, q.Text) })
		mode := caps.Text
		switch format := string(req.Format); {
		case len(req.Tools) > 0:
			mode = caps.Native
		case strings.Contains(format, "properties"):
			mode = caps.JSONSchema
		case format != "":
			mode = caps.JSONObject
		}
		if i < 0 || i >= right[mode] {
			return simulate.Turn{Calls: []simulate.Call{{Name: "get_weather", Arguments: `{"town":5}`}}}
		}
		if len(all[i].Calls) == 0 {
			return simulate.Turn{Text: "I know that by heart."}
		}
		turn := simulate.Turn{}
		for _, c := range all[i].Calls {
			turn.Calls = append(turn.Calls, simulate.Call{Name: c.Name, Arguments: string(c.Arguments)})
		}
		return turn
	}
}

func serve(t *testing.T, script simulate.Script) (callwright.Model, *simulate.Server) {
	t.Helper()
	fake := simulate.New(script)
	srv := httptest.NewServer(fake)
	t.Cleanup(srv.Close)
	p, err := provider.New(provider.Config{Name: "lab", Wire: callwright.WireOpenAI, BaseURL: srv.URL + "/v1", MaxRetries: new(0)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p.Model("one"), fake
}

func card(facts map[string]string) *probe.Card {
	c := &probe.Card{Model: "lab/one", Facts: map[string]string{}}
	for key, value := range facts {
		c.Keep(key, value, "said so")
	}
	return c
}

// Each open mode is asked the same questions, and the best one comes first.
func TestRun(t *testing.T) {
	all := map[string]string{"json_schema": "yes", "json_object": "yes"}
	for _, c := range []struct {
		name  string
		facts map[string]string
		right map[caps.Mode]int
		n     int
		want  []string // the modes with what came right
		first caps.Mode
	}{
		{"all well", all, map[caps.Mode]int{caps.Native: 8, caps.JSONSchema: 8, caps.JSONObject: 8, caps.Text: 8}, 8, []string{"native 8/8", "json_schema 8/8", "json_object 8/8", "text 8/8"}, caps.Native},
		{"text alone", all, map[caps.Mode]int{caps.Text: 8}, 8, []string{"native 0/8", "json_schema 0/8", "json_object 0/8", "text 8/8"}, caps.Text},
		{"a schema best", all, map[caps.Mode]int{caps.Native: 2, caps.JSONSchema: 7, caps.Text: 3}, 8, []string{"native 2/8", "json_schema 7/8", "json_object 0/8", "text 3/8"}, caps.JSONSchema},
		{"a little better", nil, map[caps.Mode]int{caps.Native: 6, caps.Text: 7}, 8, []string{"native 6/8", "text 7/8"}, caps.Native},
		{"no tools", map[string]string{"tools": "no"}, map[caps.Mode]int{caps.Text: 2}, 4, []string{"text 2/4"}, caps.Text},
		{"nothing is asked", all, nil, 0, nil, ""},
		{"more than there are", map[string]string{"tools": "no"}, map[caps.Mode]int{caps.Text: 99}, 99, []string{"text 16/16"}, caps.Text},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, fake := serve(t, uneven(c.right))
			got := card(c.facts)
			if err := bymode.Run(t.Context(), m, got, c.n, probe.Options{}); err != nil {
				t.Fatal(err)
			}
			var modes []string
			for _, r := range got.Modes {
				modes = append(modes, strings.Replace(strings.Fields(r.String())[0], "", string(r.Mode)+" ", 1)+"/"+strings.Fields(r.String())[2])
			}
			if d := cmp.Diff(c.want, modes); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			if got.First != c.first {
				t.Errorf("first: %s, want %s", got.First, c.first)
			}
			if n := len(fake.Requests()); n > bymode.MaxRequests(c.n) || n != got.Sent {
				t.Errorf("%d requests, %d are said, at most %d", n, got.Sent, bymode.MaxRequests(c.n))
			}
			if len(c.want) == 0 {
				return
			}
			tab, err := modestat.Parse(got.Facts["mode_success"])
			if err != nil || len(tab.Rows) != len(c.want) || tab.Since.IsZero() != (tab.Lead == "") {
				t.Errorf("%v %+v", err, tab)
			}
		})
	}
}

// A mode that the provider turns out to lack is not measured, at whichever question that is found; one whose provider fails ends the run with the modes before it.
func TestRunEnds(t *testing.T) {
	down, answered := false, 0 // answered: questions in mode json_schema before it is refused
	script := func(req simulate.Seen) simulate.Turn {
		switch {
		case strings.Contains(string(req.Format), "properties"):
			if answered--; answered >= 0 {
				break
			}
			return simulate.Turn{Status: 400, Text: "response_format is not supported by this model"}
		case len(req.Tools) == 0 && down:
			return simulate.Turn{Status: 503, Text: "out of order"}
		}
		return uneven(map[caps.Mode]int{caps.Native: 8, caps.JSONSchema: 8, caps.Text: 8})(req)
	}
	for _, c := range []struct {
		down  bool
		first int
	}{{false, 0}, {false, 3}, {true, 0}} {
		down, answered = c.down, c.first
		m, _ := serve(t, script)
		got := card(map[string]string{"json_schema": "yes"})
		err := bymode.Run(t.Context(), m, got, 8, probe.Options{})
		if (err != nil) != down || down && !strings.Contains(err.Error(), "mode text") {
			t.Errorf("down: %v: %v", down, err)
		}
		var modes []caps.Mode
		for _, r := range got.Modes {
			modes = append(modes, r.Mode)
		}
		want := []caps.Mode{caps.Native, caps.Text}
		if down {
			want = want[:1]
		}
		if d := cmp.Diff(want, modes); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
		if tab, err := modestat.Parse(got.Facts[modestat.Fact]); err != nil || len(tab.Rows) != len(want) {
			t.Errorf("%v %+v", err, tab)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m, _ := serve(t, script)
	if err := bymode.Run(ctx, m, card(nil), 8, probe.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}
