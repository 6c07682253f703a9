// Package command obtains the API key of a provider from a program, such as a client of a secret store.
package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/processgroup"
	"github.com/callwright/callwright/internal/provider/auth"
	"github.com/callwright/callwright/internal/redact"
)

const (
	maxOutput = 64 << 10
	maxErrors = 4 << 10
	killWait  = 2 * time.Second // wait for a killed program to close its outputs
)

// A Config describes the program that prints the key.
type Config struct {
	Place string   // path of the setting, for errors
	Args  []string // the program and its arguments; no shell is used
	// Life is the lifetime of a key for which the program states none. 0 means auth.DefaultLife.
	Life time.Duration
	// Header returns the header field for the key.
	Header func(key string) (name, value string)
	// Now returns the current time. Nil means time.Now.
	Now func() time.Time
	// Log receives the standard error of a failed program, which clients must not see. Nil means that the error contains
	// it.
	Log *slog.Logger
}

// New creates a source of credentials that sends the key that a program prints. The output is the key itself or one of
// these JSON objects:
//
//	{"token": "...", "expires_in": 3600}
//	{"key": "...", "expires_at": "2027-01-31T12:00:00Z"}
//	{"kind": "ExecCredential", "status": {"token": "...", "expirationTimestamp": "2027-01-31T12:00:00Z"}}
//
// The last one is the output of kubectl credential plugins
// (https://kubernetes.io/docs/reference/config-api/client-authentication.v1/). The program runs when a key is needed,
// and again before the key expires. After 30 s it is killed with its child processes.
func New(c Config) *auth.Token {
	if c.Life <= 0 {
		c.Life = auth.DefaultLife
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	p := &program{Config: c}
	return auth.NewToken(auth.TokenConfig{Source: "the command " + filepath.Base(c.Args[0]), Header: c.Header, Fetch: p.run,
		Hidden: p.hiddenTexts, Now: c.Now})
}

// A program is a Config with the last output of the program.
type program struct {
	Config
	printed atomic.Pointer[string]
}

// hiddenTexts returns the last output of the program, since even an invalid output may contain a secret.
func (p *program) hiddenTexts() []string {
	if text := p.printed.Load(); text != nil {
		return []string{*text}
	}
	return nil
}

// run runs the program and reads the key.
func (p *program) run(ctx context.Context) (auth.ExpiringCredential[string], error) {
	out, errs := &bounded{most: maxOutput}, &bounded{most: maxErrors}
	c := exec.CommandContext(ctx, p.Args[0], p.Args[1:]...)
	c.Stdout, c.Stderr, c.WaitDelay = out, errs, killWait
	processgroup.EndTogether(c)
	began := p.Now()
	err := c.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // it succeeded, and left a child process that holds its outputs open, such as a key agent
	}
	text := strings.TrimSpace(out.String())
	p.printed.Store(&text)
	name := filepath.Base(p.Args[0])
	switch {
	case ctx.Err() != nil:
		return auth.ExpiringCredential[string]{}, auth.Unavailable(p.Place, "%s printed no key within 30 s%s", name, p.reportStderr(errs, text))
	case errors.Is(err, exec.ErrNotFound):
		return auth.ExpiringCredential[string]{}, auth.Missing(p.Place, "%s is not found: correct the command, or its path", name)
	case err != nil:
		return auth.ExpiringCredential[string]{}, auth.Missing(p.Place, "%s failed (%v)%s", name, cause(err), p.reportStderr(errs, text))
	case out.cut:
		return auth.ExpiringCredential[string]{}, auth.Missing(p.Place,
			"%s printed more than %d bytes: expected a key, or JSON with token and expires_in", name, maxOutput)
	}
	got, wrong := p.read(text, began)
	if wrong != "" {
		return auth.ExpiringCredential[string]{}, auth.Missing(p.Place, "%s %s%s", name, wrong, p.reportStderr(errs, text))
	}
	return got, nil
}

// cause returns the reason why a program failed: its exit status, or the error of its start without the path.
func cause(err error) error {
	if of, ok := errors.AsType[*exec.Error](err); ok {
		return of.Err
	}
	return err
}

// reportStderr logs the standard error of a failed program, or returns it for the error. It masks the secrets in the
// standard output printed.
func (p *program) reportStderr(errs *bounded, printed string) string {
	hide := redact.Of(printed)
	for _, text := range tokensOf(printed) {
		hide = hide.With(text)
	}
	text := auth.ShortenText(hide.Text(errs.String()))
	switch {
	case text == "":
		return ""
	case p.Log != nil:
		p.Log.Warn("key command failed", "setting", p.Place, "stderr", text)
		return ": the log has its standard error"
	}
	return ": " + text
}

// A printed is the output of a program that prints JSON.
type printed struct {
	Token     string          `json:"token"`
	Key       string          `json:"key"`
	ExpiresIn json.RawMessage `json:"expires_in"`
	ExpiresAt string          `json:"expires_at"`
	Status    struct {
		Token string `json:"token"`
		End   string `json:"expirationTimestamp"`
	} `json:"status"`
}

func (p *printed) token() string {
	for _, t := range []string{p.Token, p.Key, p.Status.Token} {
		if t != "" {
			return t
		}
	}
	return ""
}

// tokensOf returns the texts in an output that may be secrets.
func tokensOf(text string) []string {
	var out printed
	if json.Unmarshal([]byte(text), &out) != nil {
		return strings.Fields(text)
	}
	return []string{out.Token, out.Key, out.Status.Token}
}

// read parses the output of the program. wrong describes an error without quoting the output, "" for none.
func (p *program) read(text string, began time.Time) (got auth.ExpiringCredential[string], wrong string) {
	got = auth.ExpiringCredential[string]{Value: text, End: began.Add(p.Life)}
	if jsonx.IsObject([]byte(text)) {
		var out printed
		if err := json.Unmarshal([]byte(text), &out); err != nil {
			return got, "printed invalid JSON: expected token, and expires_in or expires_at"
		}
		got.Value = out.token()
		if end := out.ExpiresAt + out.Status.End; end != "" {
			at, err := time.Parse(time.RFC3339, end)
			if err != nil {
				return got, "printed an invalid expiry: expected a time such as 2027-01-31T12:00:00Z"
			}
			got.End = at
		}
		if len(out.ExpiresIn) > 0 {
			life, ok := duration(out.ExpiresIn)
			if !ok {
				return got, "printed an invalid expires_in: expected seconds, or a duration such as 1h"
			}
			got.End = began.Add(life)
		}
	}
	switch {
	case got.Value == "":
		return got, "printed no key: expected a key, or JSON with token"
	case strings.ContainsFunc(got.Value, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return got, "printed more than one line: expected a key alone, or JSON with token"
	}
	return got, ""
}

// duration parses a positive number of seconds, as a JSON number or string, or a duration such as "1h". It returns
// false for any other value.
func duration(v json.RawMessage) (time.Duration, bool) {
	text := jsonx.TextOf(v)
	if text == "" {
		text = string(v)
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return d, true
	}
	d, err := time.ParseDuration(text + "s")
	return d, err == nil && d > 0
}

// A bounded is a writer that keeps the first bytes, up to its limit. The buffer is not embedded, since its ReadFrom
// would have no limit.
type bounded struct {
	kept bytes.Buffer
	most int
	cut  bool
}

var _ io.Writer = (*bounded)(nil)

// Write keeps the bytes that fit and drops the rest. It never fails, since an error would stop the program.
func (b *bounded) Write(p []byte) (int, error) {
	room := b.most - b.kept.Len()
	if room < len(p) {
		b.cut = true
		_, _ = b.kept.Write(p[:max(room, 0)])
		return len(p), nil
	}
	return b.kept.Write(p)
}

// String returns the kept bytes.
func (b *bounded) String() string { return b.kept.String() }
