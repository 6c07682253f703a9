package command_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider/auth"
	"github.com/callwright/callwright/internal/provider/auth/authtest"
	"github.com/callwright/callwright/internal/provider/auth/command"
)

// The test's own program stands for the one that prints a key, where it is told to.
func TestMain(m *testing.M) {
	if says := os.Getenv("COMMAND_TEST_OUTPUT"); says != "" {
		count()
		fmt.Fprint(os.Stderr, os.Getenv("COMMAND_TEST_ERRORS"))
		if says != "nothing" {
			fmt.Print(says)
		}
		if os.Getenv("COMMAND_TEST_FAIL") != "" {
			os.Exit(3)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// count writes down that the program ran.
func count() {
	if dir := os.Getenv("COMMAND_TEST_DIR"); dir != "" {
		f, err := os.CreateTemp(dir, "run-*")
		if err == nil {
			_ = f.Close()
		}
	}
}

const key = authtest.Canary + "-key"

// What a program prints is a key with its end, in each of the forms; else the error has the setting, the program and what it wrote to its standard error,
// and nothing of what it printed.
func TestForms(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for name, c := range map[string]struct {
		out, errs string
		fail      bool
		life      time.Duration // from now
		err       string
	}{
		"text":              {out: key + "\n", life: time.Hour},
		"token, seconds":    {out: `{"token":"` + key + `","expires_in":90}`, life: 90 * time.Second},
		"token, as text":    {out: `{"token":"` + key + `","expires_in":"90"}`, life: 90 * time.Second},
		"token, duration":   {out: `{"token":"` + key + `","expires_in":"2m"}`, life: 2 * time.Minute},
		"key, time":         {out: `{"key":"` + key + `","expires_at":"2026-01-02T04:04:05Z"}`, life: time.Hour},
		"key alone":         {out: `{"key":"` + key + `"}`, life: time.Hour},
		"kubectl":           {out: `{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"` + key + `","expirationTimestamp":"2026-01-02T03:14:05Z"}}`, life: 10 * time.Minute},
		"with errors":       {out: key, errs: "warning: old", life: time.Hour},
		"nothing":           {out: "nothing", errs: "not logged in", err: "printed no key: expected a key, or JSON with token: not logged in"},
		"no key":            {out: `{"expires_in":9}`, err: "printed no key"},
		"two lines":         {out: key + "\nmore", errs: "key: " + key, err: "printed more than one line: expected a key alone, or JSON with token: key: [redacted]"},
		"broken JSON":       {out: `{"token":"` + key, err: "printed invalid JSON"},
		"bad end":           {out: `{"token":"` + key + `","expires_at":"soon"}`, errs: key, err: "printed an invalid expiry: expected a time such as 2027-01-31T12:00:00Z: [redacted]"},
		"bad life":          {out: `{"token":"` + key + `","expires_in":"soon"}`, err: "printed an invalid expires_in"},
		"ended":             {out: `{"token":"` + key + `","expires_at":"2026-01-02T03:04:05Z"}`, err: "have already expired"},
		"failed":            {out: key, errs: "vault is sealed\nfor " + key, fail: true, err: "failed (exit status 3): vault is sealed for [redacted]"},
		"failed in silence": {out: "nothing", fail: true, err: "failed (exit status 3)"},
		"too much":          {out: strings.Repeat("x", 70000), err: "printed more than 65536 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("COMMAND_TEST_OUTPUT", c.out)
			t.Setenv("COMMAND_TEST_ERRORS", c.errs)
			if c.fail {
				t.Setenv("COMMAND_TEST_FAIL", "yes")
			}
			at := now
			var mu sync.Mutex
			clock := func() time.Time { mu.Lock(); defer mu.Unlock(); return at }
			dir := t.TempDir()
			t.Setenv("COMMAND_TEST_DIR", dir)
			a := command.New(command.Config{Place: "providers.lab.api_key", Args: []string{os.Args[0]}, Life: time.Hour, Header: auth.Bearer, Now: clock})
			defer func() { _ = a.Close() }()
			got, err := authorized(t, a)
			if c.err != "" {
				if callwright.KindOf(err) != callwright.KindAuth || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), authtest.Canary) {
					t.Errorf("got %v", err)
				}
				if name != "ended" && !strings.Contains(err.Error(), "providers.lab.api_key: "+filepath.Base(os.Args[0])+" ") {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil || got != "Bearer "+key {
				t.Fatalf("got %q, %v", got, err)
			}
			// It is used to its end, and not beyond.
			for _, step := range []struct {
				at   time.Duration
				runs int
			}{{c.life * 7 / 10, 1}, {c.life, 2}} {
				mu.Lock()
				at = now.Add(step.at)
				mu.Unlock()
				_, _ = authorized(t, a)
				if runs, _ := os.ReadDir(dir); len(runs) != step.runs {
					t.Errorf("%d runs after %s", len(runs), step.at)
				}
			}
			if text := fmt.Sprintf("%v %+v", a, a.Describe()); strings.Contains(text, authtest.Canary) {
				t.Errorf("a secret is shown: %s", text)
			}
		})
	}
}

// With a log, what a program wrote to its standard error is there and not in the error, which clients see.
func TestStandardErrorInLog(t *testing.T) {
	t.Setenv("COMMAND_TEST_OUTPUT", key)
	t.Setenv("COMMAND_TEST_ERRORS", "vault at 10.1.2.3 is sealed, for "+key)
	t.Setenv("COMMAND_TEST_FAIL", "yes")
	t.Setenv("COMMAND_TEST_DIR", t.TempDir())
	var log bytes.Buffer
	a := command.New(command.Config{Place: "providers.lab.api_key", Args: []string{os.Args[0]}, Header: auth.Bearer, Log: slog.New(slog.NewTextHandler(&log, nil))})
	defer func() { _ = a.Close() }()
	_, err := authorized(t, a)
	if err == nil || strings.Contains(err.Error(), "10.1.2.3") || !strings.Contains(err.Error(), "failed (exit status 3): the log has its standard error") {
		t.Errorf("got %v", err)
	}
	if text := log.String(); !strings.Contains(text, `stderr="vault at 10.1.2.3 is sealed, for [redacted]"`) || !strings.Contains(text, "setting=providers.lab.api_key") {
		t.Errorf("got %s", text)
	}
}

func authorized(t *testing.T, a *auth.Token) (string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://a.test", nil)
	if err != nil {
		t.Fatal(err)
	}
	err = a.Authorize(t.Context(), req, nil)
	return req.Header.Get("Authorization"), err
}

// A program that is not there is an error of its own. No shell reads the arguments.
func TestPrograms(t *testing.T) {
	a := command.New(command.Config{Place: "p", Args: []string{"no-such-program-anywhere"}, Header: auth.Bearer})
	defer func() { _ = a.Close() }()
	if _, err := authorized(t, a); err == nil || !strings.Contains(err.Error(), "p: no-such-program-anywhere is not found: correct the command, or its path") {
		t.Errorf("got %v", err)
	}
	echo, err := exec.LookPath("echo")
	if err != nil {
		t.Skip("there is no echo")
	}
	b := command.New(command.Config{Place: "p", Args: []string{echo, "$HOME;`id`"}, Header: auth.Bearer})
	defer func() { _ = b.Close() }()
	if got, err := authorized(t, b); got != "Bearer $HOME;`id`" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}
