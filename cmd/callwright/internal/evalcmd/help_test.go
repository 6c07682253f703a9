package evalcmd_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/evalcmd"
	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/simulate"
)

// A misuse is an error of the command line.
type misuse struct{ error }

// A bench runs command lines.
type bench struct {
	env      map[string]string
	conf     config.Config
	out, err bytes.Buffer
	watch    io.Writer // gets standard error, too
}

// run carries a command line out.
func (b *bench) run(ctx context.Context, args ...string) error {
	b.out.Reset()
	b.err.Reset()
	var errs io.Writer = &b.err
	if b.watch != nil {
		errs = io.MultiWriter(&b.err, b.watch)
	}
	c := evalcmd.New(evalcmd.Input{
		Out: &b.out, Err: errs, Build: "test",
		Env: func(name string) (string, bool) { v, ok := b.env[name]; return v, ok },
		Config: func(context.Context, string) (*config.Config, string, error) {
			conf := b.conf
			return &conf, "", nil
		},
		State: func(ctx context.Context, conf *config.Config) (*state.State, error) {
			return state.OpenShared(ctx, conf, func(string) (string, bool) { return "", false }, slog.New(slog.DiscardHandler))
		},
		Misuse: func(err error) error { return misuse{err} },
	})
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs(args)
	return c.ExecuteContext(ctx)
}

// refused fails the test where a command line was not misuse.
func (b *bench) refused(t *testing.T, want string, args ...string) {
	t.Helper()
	err := b.run(t.Context(), args...)
	if _, ok := errors.AsType[misuse](err); !ok || err.Error() != want {
		t.Errorf("%q with %v: got %v, want %s", args, b.env, err, want)
	}
}

// A host is a provider that keeps what it was asked.
type host struct {
	*httptest.Server
	mu     sync.Mutex
	seen   []asked
	answer string // in place of the simulated model's
}

// asked is a request that a host got.
type asked struct {
	path, key string
	body      string
}

// answers has the host give one answer to all requests.
func (h *host) answers(text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.answer = text
}

func (h *host) said() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.answer
}

// newHost serves a simulated model.
func newHost(t *testing.T) *host {
	t.Helper()
	h, server := &host{}, simulate.New(simulate.AnyTools())
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			fmt.Fprintln(w, err)
			return
		}
		if r.Method == http.MethodPost {
			h.mu.Lock()
			h.seen = append(h.seen, asked{r.URL.Path, r.Header.Get("Authorization"), string(body)})
			h.mu.Unlock()
		}
		if answer := h.said(); answer != "" {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, answer)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		server.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	return h
}

// asked are the requests so far.
func (h *host) asked() []asked {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]asked(nil), h.seen...)
}

// tracesIn are the texts of the traces of a run.
func tracesIn(t *testing.T, dir string) (out []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "traces", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(b))
	}
	return out
}
