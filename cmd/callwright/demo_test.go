package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/callwright/callwright/cmd/callwright/internal/demo"
	"go.uber.org/goleak"
)

// runDemo runs the command line and gives its exit status and standard output.
func runDemo(t *testing.T, env map[string]string, args ...string) (status int, out string) {
	t.Helper()
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent()) // not those of a server that an earlier test stopped
	var stdout, stderr bytes.Buffer
	std := streams{in: strings.NewReader(""), out: &stdout, err: &stderr}
	status = run(t.Context(), append([]string{"demo"}, args...), std, func(name string) (string, bool) {
		v, ok := env[name]
		return v, ok
	})
	if status != exitDone {
		t.Logf("standard error: %s", &stderr)
	}
	return status, stdout.String()
}

func TestDemoShowsEveryCase(t *testing.T) {
	needsLong(t)
	for _, columns := range []string{"", "40", "100"} {
		env := map[string]string{"COLUMNS": columns}
		width := map[string]int{"": 80, "40": 40, "100": 100}[columns]
		status, out := runDemo(t, env)
		if status != exitDone {
			t.Fatalf("exit status %d\n%s", status, out)
		}
		for _, c := range demo.Cases() {
			if !strings.Contains(out, "\n"+c.Name+"\n") && !strings.HasPrefix(out, c.Name+"\n") {
				t.Errorf("%s is not shown", c.Name)
			}
		}
		lines := strings.Split(strings.TrimSpace(out), "\n")
		for _, line := range lines[:len(lines)-1] {
			if utf8.RuneCountInString(line) > width {
				t.Errorf("wider than %d columns: %s", width, line)
			}
		}
	}
}

func TestDemoAsData(t *testing.T) {
	needsLong(t)
	status, out := runDemo(t, nil, "--json")
	if status != exitDone {
		t.Fatalf("exit status %d", status)
	}
	var doc struct {
		OK    bool
		Cases []struct {
			Name     string
			Sent     []demo.Sent
			Received *demo.Received
			Notes    *[]struct{ Rule string }
			Others   []demo.Other
			OK       bool
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	cases := demo.Cases()
	if !doc.OK || len(doc.Cases) != len(cases) {
		t.Fatalf("ok is %t, %d cases of %d", doc.OK, len(doc.Cases), len(cases))
	}
	for i, c := range doc.Cases {
		switch {
		case c.Name != cases[i].Name || !c.OK:
			t.Errorf("case %d is %s, ok is %t", i, c.Name, c.OK)
		case len(c.Sent) == 0 || len(c.Sent[0].Lines) == 0:
			t.Errorf("%s: nothing was sent", c.Name)
		case c.Received == nil || len(c.Received.Turns) == 0 && c.Received.Error == nil:
			t.Errorf("%s: nothing was received", c.Name)
		case c.Notes == nil:
			t.Errorf("%s: expected notes", c.Name)
		case len(c.Others) == 0:
			t.Errorf("%s: ran in one way only", c.Name)
		}
	}
}

// A demo that is interrupted says so, and shows only what was finished.
func TestDemoInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	var b bytes.Buffer
	d := demoCommand{cases: demo.Cases()}
	err := d.run(ctx, &app{std: streams{out: &b}, env: noEnv})
	if !errors.Is(err, errInterrupted) && !errors.Is(err, context.Canceled) || strings.Contains(b.String(), "WRONG") {
		t.Errorf("got %v\n%s", err, &b)
	}
}

// A case that does not go as it should fails the command: this one is never shown.
func TestDemoFails(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent()) // not those of a server that an earlier test stopped
	var b bytes.Buffer
	d := demoCommand{cases: []demo.Case{{Name: "empty", About: "nothing"}}}
	err := d.run(t.Context(), &app{std: streams{out: &b}, env: func(string) (string, bool) { return "", false }})
	if want := "1 of 1 cases had an unexpected result"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
