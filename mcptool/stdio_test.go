package mcptool_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/mcptool"
)

// kill ends a process and waits until nothing is left of it.
func kill(t *testing.T, pid string) {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(pid))
	if err != nil {
		t.Fatal(err)
	}
	p, err := os.FindProcess(n)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the process is gone", func() bool { return !alive(n) })
}

// A server gets what is listed, and of ours only what programs need.
func TestEnvironment(t *testing.T) {
	t.Setenv("SECRET", "leaked")
	t.Setenv("PASSED", "on")
	c := mcptool.Config{Env: []string{"GIVEN=yes=1", "PASSED", "ABSENT"}}
	stdio(t, fixture{}, &c)
	var got []string
	for _, entry := range strings.Split(said(t, open(t, c), "environment", ""), "\n") {
		name, _, _ := strings.Cut(entry, "=")
		switch name {
		case "PATH", "HOME", "USERPROFILE", "TMPDIR", "TEMP", "SYSTEMROOT", fixtureVariable:
		default:
			got = append(got, entry)
		}
	}
	if strings.Join(got, " ") != "GIVEN=yes=1 PASSED=on" {
		t.Errorf("got %q", got)
	}
}

// A server that dies fails the call that is under way, and is there again for the next.
func TestCrash(t *testing.T) {
	var c mcptool.Config
	stdio(t, fixture{}, &c)
	s := open(t, c)
	_, err := call(t.Context(), t, s, "crash", "{}")
	if codeOf(err) != agent.CodeInterrupted || !strings.Contains(err.Error(), "is not known") {
		t.Errorf("got %v", err)
	}
	if got := said(t, s, "echo", `{"a":1}`); got != `{"a":1}` {
		t.Errorf("after the restart: %s", got)
	}
	kill(t, said(t, s, "pid", ""))
	if got := said(t, s, "echo", "{}"); got != "{}" { // it could not be sent, or was sent after the restart
		t.Errorf("after the second restart: %s", got)
	}
}

// A server that dies again and again is left alone, and the error says what it said itself.
func TestCrashLoop(t *testing.T) {
	var c mcptool.Config
	stdio(t, fixture{}, &c)
	s := open(t, c)
	crash := tools(t, s)[2]
	var err error
	began := time.Now()
	n := 0
	for err = nil; err == nil || codeOf(err) == agent.CodeInterrupted; n++ {
		_, err = crash.Run(t.Context(), nil)
	}
	if n != 6 || time.Since(began) < 1500*time.Millisecond {
		t.Errorf("left alone after %d calls within %v", n, time.Since(began))
	}
	for _, want := range []string{"started again 4 times", "left alone for", "exit status 5", "out of cheese[31m"} {
		if codeOf(err) != agent.CodeToolFailed || !strings.Contains(err.Error(), want) {
			t.Errorf("expected %q, got %v", want, err)
		}
	}
	if got := tools(t, s); len(got) != 9 {
		t.Errorf("it has no tools any more that could fail: %v", names(got))
	}
}

func kindOf(err error) callwright.Kind {
	e, _ := err.(*callwright.Error)
	if e == nil {
		return ""
	}
	return e.Kind
}

// A server that does not come up says why, after what was started, and nothing of it is left.
func TestStartFails(t *testing.T) {
	for _, c := range []struct {
		start, want string
	}{
		{"exit", "exit status 3; its standard error ends with:\nno such licence"},
		{"hang", "not ready within 200ms"},
	} {
		conf := mcptool.Config{Name: "bad", Timeout: 10 * time.Second}
		if c.start == "hang" {
			conf.Timeout = 200 * time.Millisecond
		}
		stdio(t, fixture{Start: c.start}, &conf)
		conf.Command = append(conf.Command, "--root", "/no where")
		s, err := mcptool.Open(t.Context(), conf)
		what := `the MCP server "bad" ("` + filepath.ToSlash(conf.Command[0]) + ` --root /no where"): `
		if s != nil || kindOf(err) != callwright.KindUnavailable || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: got %v", c.start, err)
		}
		conf.Name = ""
		if _, err := mcptool.Open(t.Context(), conf); !strings.Contains(err.Error(), strings.Trim(what[len(`the MCP server "bad" (`):], "): ")) {
			t.Errorf("%s, without a name: got %v", c.start, err)
		}
	}
	if _, err := mcptool.Open(t.Context(), mcptool.Config{Command: []string{"no-such-program-anywhere"}}); kindOf(err) != callwright.KindUnavailable {
		t.Errorf("got %v", err)
	}
}

func TestBadConfig(t *testing.T) {
	for _, c := range []mcptool.Config{
		{}, {Command: []string{""}}, {Command: []string{"a"}, URL: "http://x"}, {URL: "ftp://x"}, {URL: "http:///x"}, {Name: "a:b", Command: []string{"a"}},
		{Name: strings.Repeat("a", 33), Command: []string{"a"}},
	} {
		if _, err := mcptool.Open(t.Context(), c); kindOf(err) != callwright.KindInvalid {
			t.Errorf("%+v: got %v", c, err)
		}
	}
}

// A server that does not read holds up neither a call that is given up nor the end.
func TestDeafServer(t *testing.T) {
	if !longtest.IsEnabled() {
		t.Skip("it takes some seconds")
	}
	var c mcptool.Config
	stdio(t, fixture{Start: "deaf", Pages: []string{`{"tools": [{"name": "any", "inputSchema": {"type": "object"}}]}`}}, &c)
	s := open(t, c)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := call(ctx, t, s, "any", `{"a": "`+strings.Repeat("x", 1<<20)+`"}`); err == nil || ctx.Err() == nil {
		t.Errorf("got %v", err)
	}
}
