package directive_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/directive"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// finishes are the words of the simulated server for how an answer ended.
var finishes = map[callwright.Finish]string{callwright.FinishStop: "stop", callwright.FinishLength: "length"}

// Every answer is read alike over every API, whole and streamed, from a bare model and from a reliable client.
func TestEveryWire(t *testing.T) {
	reg := registry(t)
	for _, wire := range wires {
		t.Run(string(wire), func(t *testing.T) {
			t.Parallel()
			var turn simulate.Turn
			s := serve(t, func(simulate.Seen) simulate.Turn { return turn }, simulate.Piece(9))
			bare := s.over(t, wire, "native")
			for _, c := range answers {
				if !utf8.ValidString(c.answer) || c.answer == "" {
					continue // no API can carry the one, and none takes the other for an answer
				}
				if c.finish == "" {
					c.finish = callwright.FinishStop
				}
				turn = simulate.Turn{Text: c.answer, Finish: finishes[c.finish]}
				for name, client := range map[string]*directive.Client{
					"bare":     directive.New(bare, reg),
					"reliable": directive.New(reliable.New(bare), reg),
				} {
					for _, way := range ways {
						t.Run(c.name+"/"+name+"/"+way, func(t *testing.T) {
							turn, events, err := asking(t, client, ask(), way)
							if err != nil {
								t.Fatal(err)
							}
							expect(t, turn, events, c.want, c.rules)
							if turn.Response == nil || turn.Response.Text() == "" {
								t.Errorf("the answer is not there: %+v", turn.Response)
							}
						})
					}
				}
			}
		})
	}
}

var weather = []callwright.Tool{{Name: "get_weather", Description: "Tells the weather.", Schema: []byte(simulate.WeatherSchema)}}

// Directives stand beside calls in one turn, where the provider takes a form of the answer beside tools and where it does not.
func TestBesideCalls(t *testing.T) {
	reg := registry(t)
	answer := simulate.Turn{Text: `{"assistant_text":"One moment.","directives":[` + opens + `]}`, Calls: []simulate.Call{{Name: "get_weather", Arguments: `{"city":"Oslo"}`}}}
	want := []string{"text One moment.", opened, `call get_weather {"city":"Oslo"}`}
	for _, wire := range wires {
		for _, model := range []string{"native", "strict-gemini-2.5"} {
			s := serve(t, says(answer))
			bare := s.over(t, wire, model)
			for _, name := range []string{"bare", "reliable"} {
				for _, way := range ways {
					m := callwright.Model(bare)
					if name == "reliable" {
						m = reliable.New(bare) // which has learned nothing yet
					}
					t.Run(string(wire)+"/"+model+"/"+name+"/"+way, func(t *testing.T) {
						req := ask()
						req.Tools = weather
						turn, events, err := asking(t, directive.New(m, reg), req, way)
						if err != nil {
							t.Fatal(err)
						}
						mode, notes := directive.ModeSchema, ""
						if wire == callwright.WireGemini && model != "native" && name == "bare" {
							mode, notes = directive.ModePrompt, "plan.learned plan.other_mode"
						}
						expect(t, turn, events, want, notes)
						if turn.Mode != mode {
							t.Errorf("asked by %s, want %s", turn.Mode, mode)
						}
						seen := s.Requests()
						last := seen[len(seen)-1]
						if len(last.Tools) != 1 || !strings.Contains(last.System, "open_file") || !strings.HasPrefix(last.System, "You edit.") {
							t.Errorf("sent tools %v and %q", last.Tools, last.System)
						}
						msg := turn.Message()
						if len(callwright.CallsOf(msg.Parts)) != 1 || !strings.Contains(callwright.TextOf(msg.Parts), "One moment.") {
							t.Errorf("the message is %+v", msg)
						}
					})
				}
			}
		}
	}
}

// A model without tools of its own writes calls as text, beside its document.
func TestBesideCallsInText(t *testing.T) {
	m := &script{caps: caps.Caps{Tools: caps.No}, piece: 5, answers: []any{
		`{"assistant_text":"One moment.","directives":[` + opens + "]}\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>",
	}}
	req := ask()
	req.Tools = weather
	turn, events, err := asking(t, directive.New(reliable.New(m), registry(t)), req, "streamed")
	if err != nil {
		t.Fatal(err)
	}
	expect(t, turn, events, []string{"text One moment.", opened, `call get_weather {"city": "Oslo"}`}, "")
}
