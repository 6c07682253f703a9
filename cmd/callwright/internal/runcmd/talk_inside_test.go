package runcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

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

// Where nobody is at a terminal, what a server of tools asks for is declined, and that is said.
func TestElicitInPipe(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		var said bytes.Buffer
		in := Input{In: strings.NewReader("a\n"), Out: io.Discard, Err: &said, Env: noEnv}
		action, content, err := newTalk(in, asJSON, false).within(t.Context())(t.Context(), "shed", "Who\x1b are you?", nil)
		if action != "decline" || content != nil || err != nil {
			t.Errorf("got %s %s, %v", action, content, err)
		}
		if want := "the MCP server shed asks: Who␛ are you?\n  declined: there is no terminal to answer at\n"; said.String() != want {
			t.Errorf("said %q", &said)
		}
	}
}

// A line that was typed for a question which is over answers no other one, and a question ends with the run.
func TestLateAnswer(t *testing.T) {
	r, w := io.Pipe()
	in := Input{In: r, Out: io.Discard, Err: io.Discard, Env: noEnv}
	talk := newTalk(in, false, false)
	over, end := context.WithCancel(t.Context())
	end()
	if d, err := talk.ask(over, agent.Question{Name: "first"}); d != agent.Later || !errors.Is(err, context.Canceled) {
		t.Errorf("got %q, %v", d, err)
	}
	if _, err := io.WriteString(w, "yes\n"); err != nil { // of the first
		t.Fatal(err)
	}
	for len(talk.reading) == 0 { // until it is there
		time.Sleep(time.Millisecond)
	}
	go func() { _, _ = io.WriteString(w, "no\n") }()
	if d, err := talk.ask(t.Context(), agent.Question{Name: "second"}); d != agent.No || err != nil {
		t.Errorf("got %q, %v", d, err)
	}
	go func() { _ = w.Close() }()
	for range 2 {
		if d, err := talk.ask(t.Context(), agent.Question{Name: "third"}); d != agent.Later || err != nil {
			t.Errorf("got %q, %v", d, err)
		}
	}
}
