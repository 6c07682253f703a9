package reliable_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
	"pgregory.net/rapid"
)

// A deaf model is behind a server that may leave tools out. It answers by how it was asked.
type deaf struct {
	scripted
	native, described []callwright.Event // the answers to requests with tools, and to those that describe them
	sent              int                // requests with tools
}

func (m *deaf) Generate(_ context.Context, req *callwright.Request) (*callwright.Response, error) {
	if len(req.Tools) > 0 {
		m.sent++
		return collected(m.native), nil
	}
	return collected(m.described), nil
}

var (
	required = callwright.Choice{Mode: callwright.ChoiceRequired}
	plainly  = text("It is cold.")
	cutShort = []callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: "It is"}, callwright.End{Finish: callwright.FinishLength}}
	bareCall = text(`{"name":"get_weather","arguments":{"city":"Oslo"}}`)
	nothing  = []callwright.Event{callwright.Begin{}, callwright.End{Finish: callwright.FinishStop}}
)

// turns are requests to a deaf model by what they come to: one counts as ignored tools, one begins the count anew, one says nothing.
var turns = map[string]struct {
	native, described []callwright.Event
	choice            callwright.Choice
	says              string
	counts, anew      bool
}{
	"a call as text":                       {native: inHermes, choice: required, counts: true},
	"a named call as text":                 {native: inHermes, choice: forcedOne, counts: true},
	"nothing, but in another mode":         {native: plainly, described: inHermes, choice: required, counts: true},
	"not a word, but in another mode":      {native: nothing, described: inHermes, choice: required, counts: true},
	"nothing in any mode":                  {native: plainly, described: plainly, choice: required},
	"a call as text that none required":    {native: inHermes},
	"nothing that was required":            {native: plainly},
	"a call as text that the client shows": {native: inHermes, choice: required, says: "Write <tool_call>{...} for calls."},
	"a call in no format":                  {native: bareCall, choice: required},
	"an answer that was cut":               {native: cutShort, described: inHermes, choice: required},
	"a native call":                        {native: goodCall, choice: required, anew: true},
	"a native call that none required":     {native: goodCall, anew: true},
	"a damaged native call":                {native: native("get_weather", `{"city":"Oslo",}`, callwright.FinishCalls), choice: required, anew: true},
}

func (m *deaf) turn(t interface{ Fatal(...any) }, client *reliable.Client, name string) {
	turn := turns[name]
	m.native, m.described = turn.native, turn.described
	req := ask(turn.choice)
	if turn.says != "" {
		req.Messages = append([]callwright.Message{callwright.SystemText(turn.says)}, req.Messages...)
	}
	if _, err := client.Generate(context.Background(), req); err != nil && turn.counts {
		t.Fatal(err)
	}
}

// However requests come, tools are held for ignored once three on end counted, with none in between that began anew, and never else. From
// then on they are conveyed in another way.
func TestIgnoredToolsAreLearned(t *testing.T) {
	var names []string
	for name := range turns {
		names = append(names, name)
	}
	slices.Sort(names)
	learned := 0
	rapid.Check(t, func(t *rapid.T) {
		capsStore := caps.NewMemory(nil)
		m := &deaf{scripted: scripted{name: "lab/m"}}
		client := reliable.New(m, reliable.WithCapsStore(capsStore))
		var came []string
		for count := 0; count < 3 && len(came) < 12; {
			name := rapid.SampledFrom(names).Draw(t, "turn")
			if rapid.Bool().Draw(t, "counting") {
				name = "nothing, but in another mode"
			}
			came = append(came, name)
			m.turn(t, client, name)
			switch turn := turns[name]; {
			case turn.counts:
				count++
			case turn.anew:
				count = 0
			}
			facts, _ := capsStore.Facts(context.Background(), "lab/m")
			ignored := slices.ContainsFunc(facts, func(f caps.Fact) bool { return f.Key == "tools" && f.Value == "no" })
			if ignored != (count == 3) {
				t.Fatalf("after %s: learned %t", strings.Join(came, "; "), ignored)
			}
			if ignored {
				learned++
				before := m.sent
				if m.turn(t, client, "nothing, but in another mode"); m.sent != before {
					t.Fatal("tools were sent again")
				}
			}
		}
	})
	if learned == 0 {
		t.Error("it was never learned")
	}
}

// A request counts once, however often the model was asked again, and what was counted is forgotten after a day.
func TestIgnoredToolsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &deaf{scripted: scripted{name: "lab/m"}}
		client := reliable.New(m)
		counted := func() (n string) {
			facts, _ := client.Facts(t.Context())
			for _, f := range facts {
				if f.Key == "ignored_tools" {
					n = f.Value
				}
			}
			return n
		}
		for _, want := range []string{"1", "2"} {
			if m.turn(t, client, "nothing, but in another mode"); counted() != want {
				t.Errorf("counted %q, want %s", counted(), want)
			}
		}
		if m.sent != 6 { // the first try and two corrections each
			t.Errorf("asked natively %d times", m.sent)
		}
		time.Sleep(25 * time.Hour)
		if m.turn(t, client, "a call as text"); counted() != "1" {
			t.Errorf("a day later %q", counted())
		}
		if m.turn(t, client, "a native call"); counted() != "" {
			t.Errorf("after a native call %q", counted())
		}
	})
}

// A request to which a native call came, though a damaged one, does not count.
func TestDamagedCallsAreNotIgnoredTools(t *testing.T) {
	m := &scripted{name: "lab/m", answers: []any{badCall, plainly, plainly, inHermes}}
	client := reliable.New(m)
	if _, err := client.Generate(t.Context(), ask(required)); err != nil {
		t.Fatal(err)
	}
	facts, _ := client.Facts(t.Context())
	if slices.ContainsFunc(facts, func(f caps.Fact) bool { return f.Key == "ignored_tools" }) || len(m.asked) != 4 {
		t.Errorf("asked %d times, learned %v", len(m.asked), facts)
	}
}

// Of what says that the calls of a model come right or need help, the higher source counts; of the same it is help.
func TestReliableByItsSource(t *testing.T) {
	fact := func(key string, src caps.Source) caps.Fact { return caps.Fact{Key: key, Value: "yes", Source: src} }
	for name, c := range map[string]struct {
		facts []caps.Fact
		flows bool
	}{
		"nothing is known":             {nil, false},
		"it is reliable":               {[]caps.Fact{fact("tool_call_reliable", caps.Shipped)}, true},
		"it needed help":               {[]caps.Fact{fact("tool_call_reliable", caps.Shipped), fact("needs_help", caps.Learned)}, false},
		"a probe found both":           {[]caps.Fact{fact("tool_call_reliable", caps.Probed), fact("needs_help", caps.Probed)}, false},
		"the user says it is reliable": {[]caps.Fact{fact("tool_call_reliable", caps.Configured), fact("needs_help", caps.Learned)}, true},
		"the user says it is not":      {[]caps.Fact{{Key: "tool_call_reliable", Value: "no", Source: caps.Configured}, {Key: "clean_calls", Value: "20", Source: caps.Learned}}, false},
	} {
		capsStore := caps.NewMemory(nil)
		for _, f := range c.facts {
			if f.Source == caps.Learned || f.Source == caps.Probed {
				if err := capsStore.Learn(t.Context(), "lab/m", f); err != nil {
					t.Fatal(err)
				}
			}
		}
		known := caps.Caps{}.WithFacts(slices.DeleteFunc(slices.Clone(c.facts), func(f caps.Fact) bool { return f.Source == caps.Learned || f.Source == caps.Probed }))
		m := &scripted{name: "lab/m", caps: known}
		if got := flows(t, m, reliable.New(m, reliable.WithCapsStore(capsStore))); got != c.flows {
			t.Errorf("%s: flows %t", name, got)
		}
	}
}
