package runcmd

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/callwright/callwright/agent"
)

func noEnv(string) (string, bool) { return "", false }

// Whoever closes the input at a question has not answered it: the run waits.
func TestAskEndOfInput(t *testing.T) {
	in := Input{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Env: noEnv}
	if d, err := newTalk(in, false, false).ask(t.Context(), agent.Question{Name: "drop"}); d != agent.Later || err != nil {
		t.Errorf("got %q, %v", d, err)
	}
}

// What runs is shown in one line of a terminal, which gives way to what came of it. Nothing of it is left in a pipe, and JSON has a line for each.
func TestProgressShown(t *testing.T) {
	arguments := json.RawMessage(`{"n":1}`)
	events := []agent.Event{
		{Kind: agent.EventText, Text: "I look."},
		{Kind: agent.EventCall, Call: "c1", Name: "slow", Arguments: arguments},
		{Kind: agent.EventProgress, Call: "c1", Name: "slow", Progress: &agent.Progress{Done: 1, Total: 4, Message: "reading\x1b[2J"}},
		{Kind: agent.EventProgress, Call: "c1", Name: "slow", Progress: &agent.Progress{Done: 1200}},
		{Kind: agent.EventProgress, Call: "other", Name: "slow", Progress: &agent.Progress{Done: 5}},
		{Kind: agent.EventResult, Call: "c1", Name: "slow", Arguments: arguments, MS: 12, Result: &agent.Envelope{OK: true}},
		{Kind: agent.EventFinal, Text: "Done.", Stop: agent.StopAnswered},
	}
	const gone, outcome = "\r\x1b[K", "* slow {\"n\":1}  12 ms  ok\n"
	for name, c := range map[string]struct {
		live, asJSON bool
		said         string
		lines        int
	}{
		"a terminal": {live: true, said: gone + "… slow {\"n\":1}" + gone + "… slow {\"n\":1}  25%  reading␛[2J" + gone + "… slow {\"n\":1}  1200" + gone + outcome, lines: 1},
		"a pipe":     {said: outcome, lines: 1},
		"JSON":       {asJSON: true, lines: len(events)},
	} {
		var stdout, stderr bytes.Buffer
		in := Input{In: strings.NewReader(""), Out: &stdout, Err: &stderr, Env: noEnv}
		talk := newTalk(in, c.asJSON, false)
		talk.err.Live = c.live
		for _, ev := range events {
			if err := talk.show(ev); err != nil {
				t.Fatal(err)
			}
		}
		if stderr.String() != c.said || strings.Count(stdout.String(), "\n") != c.lines {
			t.Errorf("%s: said %q, printed %q", name, &stderr, &stdout)
		}
		if c.asJSON && !strings.Contains(stdout.String(), `{"event":"progress","run":"","call":"c1","name":"slow","progress":{"done":1200}}`) {
			t.Errorf("%s: got %s", name, &stdout)
		}
	}
}

// What a run says last stands on a line of its own, also where the model was broken off in the middle of one.
func TestBrokenOffText(t *testing.T) {
	for _, ev := range []agent.Event{{Kind: agent.EventError, Text: "interrupted"}, {Kind: agent.EventFinal, Stop: agent.StopParked}} {
		var stdout bytes.Buffer
		in := Input{In: strings.NewReader(""), Out: &stdout, Err: io.Discard, Env: noEnv}
		talk := newTalk(in, false, false)
		talk.live = true
		for _, ev := range []agent.Event{{Kind: agent.EventText, Text: "First line\nhalf of"}, ev} {
			if err := talk.show(ev); err != nil {
				t.Fatal(err)
			}
		}
		if !strings.HasSuffix(stdout.String(), "half of\n") {
			t.Errorf("%s: got %q", ev.Kind, &stdout)
		}
	}
}
