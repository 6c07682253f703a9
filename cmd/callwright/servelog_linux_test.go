package main

import (
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

// On a terminal the log is short without --log-format, in colours unless its owner wants none. Any format may be asked for.
func TestLogOnATerminal(t *testing.T) {
	for _, tc := range []struct {
		name  string
		flags []string
		env   map[string]string
		want  string
	}{
		{"default", nil, map[string]string{"TERM": "xterm"}, "^\x1b\\[2m\\d\\d:\\d\\d:\\d\\d\x1b\\[0m \x1b\\[31m404\x1b\\[0m [0-9.]+ms nowhere/m \x1b\\[31mfailed\x1b\\[0m: not found: "},
		{"NO_COLOR", nil, map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, `^\d\d:\d\d:\d\d 404 [0-9.]+ms nowhere/m failed: not found: `},
		{"text", []string{"--log-format", "text"}, nil, "^time=.* msg=request .* outcome=failed "},
		{"json", []string{"--log-format", "json"}, nil, `^\{"time":.*,"msg":"request",.*"outcome":"failed",`},
	} {
		program, person := openTerminal(t)
		shown := &screen{}
		go shown.watch(person)
		ctx, stop := context.WithCancel(t.Context())
		args := append([]string{"serve", "--simulated", "--listen", "127.0.0.1:0"}, tc.flags...)
		exit := make(chan int, 1)
		go func() {
			exit <- run(ctx, args, streams{in: strings.NewReader(""), out: io.Discard, err: program}, func(name string) (string, bool) { v, ok := tc.env[name]; return v, ok })
		}()
		address := shown.find(t, `listens on (http://[0-9.:]+)`)
		resp, err := http.Post(address+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"nowhere/m","messages":[{"role":"user","content":"hi"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		line := shown.find(t, `(?m)^(.*nowhere/m.*?)\r?$`)
		if !regexp.MustCompile(tc.want).MatchString(line) {
			t.Errorf("%s: expected %s, got %q", tc.name, tc.want, line)
		}
		http.DefaultClient.CloseIdleConnections()
		stop()
		if code := <-exit; code != exitDone {
			t.Errorf("%s: exit status %d", tc.name, code)
		}
	}
}

// find waits for what a pattern names in what is shown.
func (s *screen) find(t *testing.T, pattern string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		s.mu.Lock()
		m := re.FindStringSubmatch(s.text.String())
		s.mu.Unlock()
		if m != nil {
			return m[1]
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t.Fatalf("never shown: %s in %q", pattern, s.text.String())
	return ""
}
