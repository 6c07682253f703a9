package reliable_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
)

// unmarkedTexts are answers with a call without marks in place of %s.
var unmarkedTexts = []string{
	`{"name": "get_weather", "arguments": %s}`,
	`Result: {"name": "get_weather", "arguments": %s}`,
	`[{"name": "get_weather", "arguments": %s}]`,
	"Config:\n```json\n{\"name\": \"get_weather\", \"arguments\": %s}\n```\nDone.",
	"```json\n{\"name\": \"get_weather\", \"arguments\": %s}\n```",
	"I look.\n\n{\"get_weather\": %s}\n\nOne moment.",
}

// A call without marks that is not run, because the request allows none or its arguments are wrong, stays in the text as it is: whole and
// streamed, in pieces of any size. One that is run leaves it.
func TestUnmarkedTextStays(t *testing.T) {
	texts := slices.Clone(unmarkedTexts)
	for i := range texts {
		texts[i] = strings.ReplaceAll(texts[i], "%s", `{"town": 5}`)
	}
	none := []string{"Use it so:\nget_weather(city=\"Riga\")\nthen stop."}
	for _, s := range unmarkedTexts {
		none = append(none, strings.ReplaceAll(s, "%s", `{"city": "Riga"}`))
	}
	for _, c := range []struct {
		choice callwright.Choice
		texts  []string
	}{{callwright.Choice{Mode: callwright.ChoiceNone}, none}, {callwright.Choice{}, texts}} {
		for _, said := range c.texts {
			for _, n := range []int{len(said), 1, 7} {
				for _, stream := range []bool{false, true} {
					m := reliable.New(&scripted{name: "lab/m", answers: []any{pieces(said, n, callwright.FinishStop)}}, reliable.WithMaxCorrections(0), reliable.WithOneMode())
					if d := cmp.Diff([]string{"finish stop", "text " + said}, asking(t.Context(), m, ask(c.choice), stream)); d != "" {
						t.Errorf("%v, pieces of %d, streamed %t (-want +got)\n%s", c.choice, n, stream, d)
					}
				}
			}
		}
	}
}

// Text that stays is not said where the model is asked again, and the request that asks says it once.
func TestUnmarkedTextIsCorrected(t *testing.T) {
	for _, said := range unmarkedTexts {
		said = strings.ReplaceAll(said, "%s", `{"town": 5}`)
		for i, mode := range []caps.Mode{caps.Native, caps.Text, caps.Native, caps.Text} {
			stream := i > 1
			m := &scripted{name: "lab/m", answers: []any{pieces(said, 5, callwright.FinishStop), inHermes}}
			got := asking(t.Context(), reliable.New(m, reliable.WithMaxCorrections(1), reliable.WithModes(mode), reliable.WithOneMode()), ask(callwright.Choice{}), stream)
			if !slices.Contains(got, "call get_weather "+oslo) || strings.Contains(strings.Join(got, "\n"), "town") {
				t.Errorf("%q, streamed %t: %q", said, stream, got)
			}
			if len(m.asked) != 2 {
				t.Fatalf("%q: asked %d times", said, len(m.asked))
			}
			turns := ""
			for _, turn := range m.asked[1].Messages {
				if turn.Role == callwright.RoleAssistant {
					turns += callwright.TextOf(turn.Parts)
				}
			}
			if strings.Count(turns, `"town"`) != 1 {
				t.Errorf("%q: the correction says %q", said, turns)
			}
		}
	}
}
