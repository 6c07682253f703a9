package inbound_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// TestCutDocument: of a document that was broken off anywhere, the calls that are whole are run, and the one that is not is refused as cut: none is lost,
// and none is made of half a call.
func TestCutDocument(t *testing.T) {
	cities := []string{"Oslo", "Paris", "São Paulo", `"quoted" ]}`, "[{"}
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		var ends, begins []int // of the calls
		blank := rapid.SampledFrom([]string{"", " ", "\n  "}).Draw(t, "blank")
		text.WriteString("{" + blank)
		scratch := rapid.SampledFrom([]string{"", "I look."}).Draw(t, "scratchpad")
		if scratch != "" {
			text.WriteString(`"scratchpad":` + blank + `"I look.",`)
		}
		text.WriteString(`"toolCalls":` + blank + "[" + blank)
		calls := rapid.SliceOfN(rapid.SampledFrom(cities), 1, 5).Draw(t, "cities")
		for i, city := range calls {
			if i > 0 {
				text.WriteString("," + blank)
			}
			quoted, err := json.Marshal(city)
			if err != nil {
				t.Fatal(err)
			}
			begins = append(begins, text.Len())
			text.WriteString(`{"name":` + blank + `"get_weather","arguments":{"city":` + blank + string(quoted) + `}}`)
			ends = append(ends, text.Len())
		}
		cut := rapid.IntRange(begins[0], text.Len()).Draw(t, "cut")
		finish := callwright.FinishLength
		var end jsonx.Checker
		if err := end.FeedString(text.String()[:cut]); err != nil {
			t.Fatal(err)
		}
		if end.InString() {
			finish = rapid.SampledFrom([]callwright.Finish{callwright.FinishLength, callwright.FinishStop}).Draw(t, "finish") // some say that they stopped
		}
		whole := 0
		for whole < len(ends) && ends[whole] <= cut {
			whole++
		}
		var got []callwright.Event
		a, events := answer(t, func(set *inbound.Setup) { set.Mode, set.Document = caps.JSONSchema, true })
		take(a, callwright.TextDelta{Text: text.String()[:cut]}, callwright.End{Finish: finish})
		got = *events
		if len(a.Outcome.Good) != whole || len(a.Outcome.Invalid) > 1 {
			t.Fatalf("%q\nruns %d calls, want %d\nrefused %+v\nevents %+v", text.String()[:cut], len(a.Outcome.Good), whole, a.Outcome.Invalid, got)
		}
		for _, c := range a.Outcome.Invalid {
			if c.Why != callwright.InvalidTruncated {
				t.Fatalf("refused as %s", c.Why)
			}
		}
		if said := a.Outcome.Visible.String(); whole > 0 && said != "" {
			t.Fatalf("it says %q", said)
		}
	})
}

// TestCutForms: half a call is not run in whatever form it stands in a document that was cut, and a call before the cut is.
func TestCutForms(t *testing.T) {
	const whole = `{"name":"get_weather","arguments":{"city":"Oslo"}}`
	for text, good := range map[string]int{
		`{"toolCalls":` + whole[:len(whole)-2]:                       0,
		`{"toolCalls":` + whole[:len(whole)-4]:                       0,
		whole[:len(whole)-1]:                                         0,
		whole[:len(whole)-4]:                                         0,
		`{"tool":"get_weather","arguments":{"city":"Oslo"`:           0,
		`{"get_weather":{"city":"Oslo"`:                              0,
		`{"toolCalls":[` + whole + `]`:                               1,
		`{"toolCalls":[` + whole + `],"answer":"I lo`:                1,
		`{"answer":"I look it`:                                       0,
		`{"toolCalls":[` + whole + `,`:                               1,
		`{"toolCalls":[],"answer":"Use {\"name\": \"get_weather\", `: 0,
	} {
		a, _ := answer(t, func(set *inbound.Setup) { set.Mode, set.Document = caps.JSONSchema, true })
		take(a, callwright.TextDelta{Text: text}, callwright.End{Finish: callwright.FinishLength})
		if len(a.Outcome.Good) != good {
			t.Errorf("%s: runs %+v, want %d calls, refused %+v", text, a.Outcome.Good, good, a.Outcome.Invalid)
		}
		if said := a.Outcome.Visible.String(); strings.Contains(text, "I lo") != strings.Contains(said, "I lo") {
			t.Errorf("%s: says %q", text, said)
		}
		for _, c := range a.Outcome.Invalid {
			if c.Why != callwright.InvalidTruncated {
				t.Errorf("%s: refused as %s: %+v", text, c.Why, c)
			}
		}
	}
}
