package reliable_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
	"pgregory.net/rapid"
)

// minted is an id as callwright makes it at a time.
func minted(at time.Time) string {
	return fmt.Sprintf("call_%012x7abc8abcdef012345678", at.UnixMilli())
}

// talkedIn is a conversation whose first call has an id.
func talkedIn(ids ...string) *callwright.Request {
	req := ask(callwright.Choice{})
	for _, id := range ids {
		call := callwright.Call{ID: id, Name: "get_weather", Arguments: []byte(oslo)}
		req.Messages = append(req.Messages, callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{call}}, callwright.ToolResult(call, "cold"))
	}
	return req
}

// A conversation keeps the mode in which it began when another one has come to lead: what the provider has of it in its cache is in that mode. It does so at
// any gateway.
func TestConversationsKeepTheirMode(t *testing.T) {
	at := time.Unix(1_795_000_000, 0)
	since := fmt.Sprint(" since=", at.UnixMilli())
	before, after := minted(at.Add(-time.Hour)), minted(at.Add(time.Minute))
	const textLeads, nativeLeads = "native=0+0-9 text=9+0-0 lead=text", "native=9+0-0 text=0+0-9"
	for _, c := range []struct {
		name, fact string
		req        *callwright.Request
		later      time.Duration
		opts       []reliable.Option
		want       caps.Mode
	}{
		{"a new conversation", textLeads + " before=native" + since, ask(callwright.Choice{}), time.Hour, nil, caps.Text},
		{"with calls of the provider", textLeads + " before=native" + since, talkedIn("toolu_1", after), time.Hour, nil, caps.Native},
		{"with calls of the provider, before the mode has a name", textLeads + since, talkedIn("toolu_1"), time.Hour, nil, caps.Native},
		{"begun before", textLeads + " before=native" + since, talkedIn(before, after), time.Hour, nil, caps.Native},
		{"begun before, by default", textLeads + since, talkedIn(before), time.Hour, nil, caps.Native},
		{"begun after", textLeads + " before=native" + since, talkedIn(after), time.Hour, nil, caps.Text},
		{"begun before, a day ago", textLeads + " before=native" + since, talkedIn(before), 25 * time.Hour, nil, caps.Text},
		{"text before native", nativeLeads + " before=text" + since, talkedIn(before), time.Hour, nil, caps.Text},
		{"text before native, with calls of the provider", nativeLeads + " before=text" + since, talkedIn("toolu_1"), time.Hour, nil, caps.Native},
		{"no change is known", textLeads, talkedIn(before), time.Hour, nil, caps.Text},
		{"ids of the program's own", textLeads + " before=native" + since, talkedIn("mine-1"), time.Hour, []reliable.Option{reliable.WithIDs(func(string) string { return "mine-2" })}, caps.Text},
		{"configured", textLeads + " before=native" + since, talkedIn(before), time.Hour, []reliable.Option{reliable.WithModes(caps.Text)}, caps.Text},
		{"without another mode", textLeads + " before=native" + since, talkedIn(before), time.Hour, []reliable.Option{reliable.WithOneMode()}, caps.Native},
		{"a mode that is refused now", textLeads + " before=native" + since, talkedIn(before), time.Hour, []reliable.Option{reliable.WithFacts(caps.Fact{Key: "tools", Value: "no"})}, caps.Text},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFleet(newUneven(map[caps.Mode]float64{caps.Text: 1, caps.Native: 1}, caps.Caps{}), 2, c.opts...)
			f.at = at
			if err := f.capsStore.Learn(t.Context(), "lab/m", caps.Fact{Key: "mode_success", Value: c.fact, Source: caps.Learned, Expires: at.Add(48 * time.Hour)}); err != nil {
				t.Fatal(err)
			}
			f.at = at.Add(c.later)
			for range 2 { // the second time the plan is kept
				if got := f.ask(t, 2, c.req); share(got, c.want) < 1 {
					t.Errorf("got %v, want %s", got, c.want)
				}
			}
		})
	}
}

// However the success of the modes goes, a conversation is asked in one mode for a day, but for the other modes of its own fallback chain. The calls of a
// conversation are of the mode in which it was asked last.
func TestConversationsNeverChangeMode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newUneven(map[caps.Mode]float64{caps.Native: 1, caps.Text: 1}, caps.Caps{})
		f := newFleet(m, 2, reliable.WithMaxCorrections(0))
		type conversation struct {
			mode caps.Mode
			ids  []string
			at   time.Time
		}
		var open []*conversation
		changes := 0
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"begin", "go on", "go on", "others", "change"}).Draw(t, "step") {
			case "begin":
				open = append(open, &conversation{at: f.at})
				fallthrough
			case "go on":
				if len(open) == 0 {
					continue
				}
				c := rapid.SampledFrom(open).Draw(t, "conversation")
				ex, err := f.clients[rapid.IntRange(0, 1).Draw(t, "gateway")].Explain(t.Context(), talkedIn(c.ids...))
				if err != nil {
					t.Fatal(err)
				}
				switch mode := ex.Chain[0].Mode; {
				case c.mode == "":
					c.mode = mode
				case c.mode != mode && changes < 2:
					t.Fatalf("%s became %s", c.mode, mode)
				}
				if c.ids = append(c.ids, minted(f.at)); c.mode == caps.Native {
					c.ids[len(c.ids)-1] = fmt.Sprintf("toolu_%d", len(c.ids))
				}
				f.at = f.at.Add(time.Second)
			case "others":
				for range 30 {
					_, _ = f.clients[0].Generate(t.Context(), ask(callwright.Choice{}))
					f.at = f.at.Add(10 * time.Second)
				}
			case "change":
				changes++
				m.success = map[caps.Mode]float64{caps.Native: rapid.Float64Range(0, 1).Draw(t, "native"), caps.Text: rapid.Float64Range(0, 1).Draw(t, "text")}
			}
		}
	})
}
