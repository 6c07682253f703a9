package reliable_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable"
)

// A native call whose text was never escaped leaves with that text, or not at all: held and flowing, cut at every byte.
func TestUnescapedArguments(t *testing.T) {
	for _, text := range []string{
		`rmdir /s /q C:\data\new`, `C:\bin\temp\data.exe`, `\\server\new\data`, `C:\Program Files\new`, `\bword\d+\b`, `$\frac{\lambda}{\theta}$`, `\e[1m\b`,
	} {
		args := `{"city":"` + text + `"}`
		for at := 1; at < len(args); at++ {
			for mode, mayFail := range map[callwright.StreamCalls]bool{callwright.StreamHeld: false, callwright.StreamFlowing: true} {
				m := &scripted{name: "lab/m", answers: []any{[]callwright.Event{
					callwright.Begin{}, callwright.CallBegin{ID: "c1", Name: "get_weather"}, callwright.CallDelta{Text: args[:at]}, pause{},
					callwright.CallDelta{Text: args[at:]}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls},
				}}}
				resp, err := callwright.Collect(reliable.New(m, reliable.WithStreamCalls(mode)).Stream(t.Context(), ask(callwright.Choice{})))
				if err != nil {
					if !mayFail || callwright.KindOf(err) != callwright.KindInvalidCall {
						t.Errorf("%s, cut at %d, %v: %v", args, at, mode, err)
					}
					continue
				}
				got := ""
				for _, c := range resp.Calls() {
					city, _ := jsonx.Find(c.Arguments, "city")
					got, _ = jsonx.String(city)
				}
				if got != text {
					t.Errorf("%s, cut at %d, %v: got %q", args, at, mode, got)
				}
			}
		}
	}
}
