// Package reload reads the configuration of a gateway again while it runs.
package reload

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"reflect"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/health"
)

// A Config names the files that are read again, and the user of the result.
type Config struct {
	File string // the configuration; looked at also where it is not there yet
	// Read reads it.
	Read func(ctx context.Context) (*config.Config, error)
	Now  *config.Config // that holds
	// Use has requests from now on go by another. Where it fails nothing has changed.
	Use  func(ctx context.Context, next *config.Config) error
	Told func(used bool) // what became of each that was read
	// Around is called with the function that reads and uses a configuration, and calls it once. Nil calls it alone.
	Around func(read func())
	Log    *slog.Logger
}

// A Reloader reads the configuration again when it is told to, by SIGHUP, and when a file of it changes. One that is
// wrong is told of, and the one that holds stays.
type Reloader struct {
	Config
	started *config.Config // with which the process began
	hung    chan os.Signal
	seen    map[string]stamp
	wrong   atomic.Pointer[refusal] // the configuration that was read last, where it was refused
}

// A refusal is a configuration that was refused.
type refusal struct {
	at     time.Time
	errors []string // each with its place
}

// A stamp describes a file: when it was written, how large it is, and its text.
type stamp struct {
	at   time.Time
	size int64
	sum  [sha256.Size]byte
}

// watchEvery is how often files are looked at. A file that changed is read when it is the same at the next look: it may
// be half written.
const watchEvery = 500 * time.Millisecond

// New makes a Reloader. From then on SIGHUP does not end the process: a terminal that goes away sends one, too.
func New(cfg Config) *Reloader {
	r := &Reloader{Config: cfg, started: cfg.Now, hung: make(chan os.Signal, 1)}
	signal.Notify(r.hung, syscall.SIGHUP)
	r.seen = r.look()
	return r
}

// Run reads the configuration again until ctx ends.
func (r *Reloader) Run(ctx context.Context) {
	defer signal.Stop(r.hung)
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	last := r.seen
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.hung:
			r.Log.Info("SIGHUP: the configuration is read again")
			r.seen = r.look()
			r.reload(ctx)
		case <-tick.C:
			now := r.look()
			if hasChanged(r.seen, now) && !hasChanged(last, now) {
				r.seen = now
				r.reload(ctx)
			}
			last = now
		}
	}
}

// files are those that the configuration is read from.
func (r *Reloader) files() []string {
	out := append([]string{r.File}, r.Now.Files()...)
	if prices := string(r.Now.PricesFile); prices != "" {
		out = append(out, prices)
	}
	return out
}

// look returns the stamps of the files. Texts are read only where the time or the size of a file has changed.
func (r *Reloader) look() map[string]stamp {
	out := map[string]stamp{}
	for _, name := range r.files() {
		info, err := os.Stat(name)
		if err != nil {
			continue
		}
		s := stamp{at: info.ModTime(), size: info.Size()}
		if before, ok := r.seen[name]; ok && before.at.Equal(s.at) && before.size == s.size {
			s.sum = before.sum
		} else if text, err := os.ReadFile(name); err == nil {
			s.sum = sha256.Sum256(text)
		}
		out[name] = s
	}
	return out
}

// hasChanged reports whether the text of a file is another, or a file has come or gone.
func hasChanged(before, now map[string]stamp) bool {
	if len(before) != len(now) {
		return true
	}
	for name, s := range now {
		if b, ok := before[name]; !ok || b.sum != s.sum {
			return true
		}
	}
	return false
}

// reload reads the configuration and uses it.
func (r *Reloader) reload(ctx context.Context) {
	if r.Around == nil {
		r.readAndUse(ctx)
		return
	}
	r.Around(func() { r.readAndUse(ctx) })
}

func (r *Reloader) readAndUse(ctx context.Context) {
	conf, err := r.Read(ctx)
	if err == nil {
		err = r.Use(ctx, conf)
	}
	r.Told(err == nil)
	if err != nil {
		r.reportRefusal(err)
		return
	}
	r.wrong.Store(nil)
	r.Now = conf
	r.seen = r.look()
	r.Log.Info("the configuration was read again and is used", "providers", len(conf.Providers), "models", len(conf.Models))
	for _, e := range conf.Warnings() {
		r.Log.Warn("configuration: " + e.Brief())
	}
	if keys := fixedKeys(r.started, conf); len(keys) > 0 {
		r.Log.Warn("these keys of the configuration changed and are used after a restart only", "keys", strings.Join(keys, ", "))
	}
}

// reportRefusal logs the faults of a configuration, each with its place.
func (r *Reloader) reportRefusal(err error) {
	texts := []string{err.Error()}
	if list, ok := errors.AsType[config.Errors](err); ok {
		texts = texts[:0]
		for _, e := range list {
			texts = append(texts, e.Brief())
		}
	}
	for _, text := range texts {
		r.Log.Error("the configuration is wrong: the one before stays in use", "error", text)
	}
	r.wrong.Store(&refusal{time.Now(), texts})
}

// Problems returns the problem of a configuration that was refused, with the place of its first error, until one is
// used again. It is safe for concurrent use.
func (r *Reloader) Problems() []health.Problem {
	w := r.wrong.Load()
	if w == nil {
		return nil
	}
	cause := w.errors[0]
	if n := len(w.errors) - 1; n > 0 {
		cause += fmt.Sprintf(" (and %d more)", n)
	}
	cause = fmt.Sprintf("%s; refused %s ago, the one before stays in use", cause, time.Since(w.at).Truncate(time.Second))
	return []health.Problem{{Severity: health.Degraded, Subject: "configuration", Topic: health.TopicConfiguration,
		Cause: cause, Remedy: "correct the file; callwright config check lists its errors"}}
}

// fixed are the keys of a configuration that hold as long as a process runs, with their values.
var fixed = []struct {
	key  string
	says func(c *config.Config) any
}{
	{"listen", func(c *config.Config) any { return c.Listen }},
	{"state", func(c *config.Config) any { return c.State }},
	{"server.connections", func(c *config.Config) any { return c.Server.Connections }},
	{"server.header_bytes", func(c *config.Config) any { return c.Server.HeaderBytes }},
	{"server.history_cache", func(c *config.Config) any { return c.Server.Histories() }},
	{"server.read_timeout", func(c *config.Config) any { return c.Server.ReadTimeout }},
	{"server.idle_timeout", func(c *config.Config) any { return c.Server.IdleTimeout }},
	{"server.tls", func(c *config.Config) any { return c.Server.TLS }},
	{"metrics", func(c *config.Config) any { return c.Metrics }},
	{"ui", func(c *config.Config) any { return c.UI }},
	{"telemetry", func(c *config.Config) any { return c.Telemetry }},
	{"alerts", func(c *config.Config) any { return c.Alerts }},
	{"trace", func(c *config.Config) any { return c.Trace }},
}

// fixedKeys lists those of them in which two configurations differ.
func fixedKeys(a, b *config.Config) []string {
	var out []string
	for _, f := range fixed {
		if !reflect.DeepEqual(f.says(a), f.says(b)) {
			out = append(out, f.key)
		}
	}
	return out
}
