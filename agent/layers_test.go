package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
)

// The reliable client corrects within one answer, twice in a mode, and the agent asks on with what is left: neither repeats a request of the other.
func TestLayers(t *testing.T) {
	oslo, bad := calls("weather", `{"city":"Oslo"}`), calls("weather", `{"days":2}`)
	cut := callwright.Response{Parts: calls("weather", `{"city":"Os`), Finish: callwright.FinishLength, Usage: callwright.Usage{Known: true, Output: 5}}
	const (
		invalid = `judge: the model's calls are not valid: weather: no tool is named "weather"; the tools are: `
		empty   = "judge: the model gave an empty answer: neither text nor a call"
	)
	for name, c := range map[string]struct {
		answers []any
		asked   string // a letter for each request: t with tools, d with tools described in text, n with the choice none, - without tools
		notes   string // the agent's own
		text    string // of the answer, or the error
	}{
		"a good call":         {answers: []any{oslo, "Clear."}, asked: "tt", text: "Clear."},
		"an invalid call":     {answers: []any{bad, oslo, "Clear."}, asked: "ttt", text: "Clear."},
		"two invalid calls":   {answers: []any{bad, bad, oslo, "Clear."}, asked: "tttt", text: "Clear."},
		"three invalid calls": {answers: []any{bad, bad, bad, oslo, "Clear."}, asked: "tttdt", text: "Clear."},
		"only invalid calls":  {answers: []any{bad}, asked: "tttd---", notes: "loop.without_tools", text: invalid},
		"an empty answer":     {answers: []any{oslo, "", "Clear."}, asked: "ttt", text: "Clear."},
		"three empty answers": {answers: []any{oslo, "", "", "", "Clear."}, asked: "ttttd", text: "Clear."},
		"only empty answers":  {answers: []any{oslo, ""}, asked: "ttttdnnn-", notes: "loop.told empty_final", text: empty},
		"a cut call":          {answers: []any{cut, oslo, "Clear."}, asked: "ttt", text: "Clear."},
		"three cut calls":     {answers: []any{cut, cut, cut, "Clear."}, asked: "tttt", notes: "loop.told truncated", text: "Clear."},
		"an intent":           {answers: []any{"Let me check the weather:", oslo, "Clear."}, asked: "ttt", notes: "loop.told intent", text: "Clear."},
		"only intents":        {answers: []any{"Let me check the weather:"}, asked: "tt", notes: "loop.told intent", text: "Let me check the weather:"},
	} {
		t.Run(name, func(t *testing.T) {
			m := &script{answers: c.answers, caps: caps.Caps{Tools: caps.Yes}}
			a := agent.New(reliable.New(m), agent.Tools(weather(new([]string))))
			var notes []string
			text := ""
			for ev, err := range a.Stream(t.Context(), callwright.UserText("How is it in Oslo?")) {
				switch {
				case err != nil:
					text = err.Error()
				case ev.Final != nil:
					text = ev.Final.Text
				case ev.Kind == agent.EventNote && ev.Note.Rule == "loop.told":
					notes = append(notes, ev.Note.Rule+" "+ev.Note.Why)
				case ev.Kind == agent.EventNote && strings.HasPrefix(ev.Note.Rule, "loop."):
					notes = append(notes, ev.Note.Rule)
				}
			}
			got := []string{requestsOf(t, m.asked), strings.Join(notes, ", "), text}
			if d := cmp.Diff([]string{c.asked, c.notes, c.text}, got); d != "" {
				t.Errorf("requests, notes, text (-want +got)\n%s", d)
			}
		})
	}
}

// requestsOf is a letter for each request, by how it offers tools. It fails where a request comes again.
func requestsOf(t *testing.T, asked []*callwright.Request) string {
	t.Helper()
	letters := ""
	for i, req := range asked {
		for k, before := range asked[:i] {
			if cmp.Equal(before.Messages, req.Messages) && cmp.Equal(before.Tools, req.Tools) {
				t.Errorf("request %d is request %d again", i+1, k+1)
			}
		}
		switch {
		case len(req.Tools) > 0 && req.Params.Choice.Mode == callwright.ChoiceNone:
			letters += "n"
		case len(req.Tools) > 0:
			letters += "t"
		case strings.Contains(fmt.Sprint(req.Messages), "Tells the weather."):
			letters += "d"
		default:
			letters += "-"
		}
	}
	return letters
}
