// Package reload reloads the configuration of a running gateway.
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

// A Config configures a Reloader.
type Config struct {
	File string // configuration file; watched even if it does not exist yet
	// Read loads the configuration.
	Read func(ctx context.Context) (*config.Config, error)
	Now  *config.Config // the current configuration
	// Use applies a configuration to later requests. If it fails, nothing has changed.
	Use  func(ctx context.Context, next *config.Config) error
	Told func(used bool) // called after each reload; used is false if it failed
	// Around, if not nil, wraps each reload: it must call read exactly once.
	Around func(read func())
	Log    *slog.Logger
}

// A Reloader reloads the configuration on SIGHUP and when one of its files changes. If the new configuration is
// invalid, it logs the errors and keeps the current one.
type Reloader struct {
	Config
	started *config.Config // configuration at the start of the process
	hung    chan os.Signal
	seen    map[string]stamp
	wrong   atomic.Pointer[refusal] // the last configuration if it was rejected, else nil
}

// A refusal describes a rejected configuration.
type refusal struct {
	at     time.Time
	errors []string // messages with positions
}

// A stamp identifies the content of a file: modification time, size and checksum.
type stamp struct {
	at   time.Time
	size int64
	sum  [sha256.Size]byte
}

// watchEvery is the interval of checks for changed files. A changed file is loaded when it is unchanged at the next
// check, because it may be incomplete before.
const watchEvery = 500 * time.Millisecond

// New returns a Reloader. From then on SIGHUP does not terminate the process, even if it is sent by a closed terminal.
func New(cfg Config) *Reloader {
	r := &Reloader{Config: cfg, started: cfg.Now, hung: make(chan os.Signal, 1)}
	signal.Notify(r.hung, syscall.SIGHUP)
	r.seen = r.look()
	return r
}

// Run reloads the configuration on signals and file changes until ctx is done.
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
			r.Log.Info("SIGHUP: the configuration is reloaded")
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

// files returns the files from which the configuration is loaded.
func (r *Reloader) files() []string {
	out := append([]string{r.File}, r.Now.Files()...)
	if prices := string(r.Now.PricesFile); prices != "" {
		out = append(out, prices)
	}
	return out
}

// look returns the stamps of the files. It only reads files whose time or size has changed.
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

// hasChanged reports whether the content of a file differs, or a file was created or deleted.
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

// reload loads and applies the configuration.
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
	r.Log.Info("the configuration was reloaded", "providers", len(conf.Providers), "models", len(conf.Models))
	for _, e := range conf.Warnings() {
		r.Log.Warn("configuration: " + e.Brief())
	}
	if keys := fixedKeys(r.started, conf); len(keys) > 0 {
		r.Log.Warn("changes of these configuration keys need a restart", "keys", strings.Join(keys, ", "))
	}
}

// reportRefusal logs the errors of a configuration with their positions.
func (r *Reloader) reportRefusal(err error) {
	texts := []string{err.Error()}
	if list, ok := errors.AsType[config.Errors](err); ok {
		texts = texts[:0]
		for _, e := range list {
			texts = append(texts, e.Brief())
		}
	}
	for _, text := range texts {
		r.Log.Error("the configuration is invalid: the previous one stays in use", "error", text)
	}
	r.wrong.Store(&refusal{time.Now(), texts})
}

// Problems returns the problem that the last configuration was rejected, with the position of its first error. It
// returns nil if the last configuration was applied. It is safe for concurrent use.
func (r *Reloader) Problems() []health.Problem {
	w := r.wrong.Load()
	if w == nil {
		return nil
	}
	cause := w.errors[0]
	if n := len(w.errors) - 1; n > 0 {
		cause += fmt.Sprintf(" (and %d more)", n)
	}
	cause = fmt.Sprintf("%s; rejected %s ago, the previous configuration stays in use", cause, time.Since(w.at).Truncate(time.Second))
	return []health.Problem{{Severity: health.Degraded, Subject: "configuration", Topic: health.TopicConfiguration,
		Cause: cause, Remedy: "correct the file; callwright config check lists its errors"}}
}

// fixed lists the configuration keys that a reload cannot change, with functions that return their values.
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

// fixedKeys returns the keys of fixed in which two configurations differ.
func fixedKeys(a, b *config.Config) []string {
	var out []string
	for _, f := range fixed {
		if !reflect.DeepEqual(f.says(a), f.says(b)) {
			out = append(out, f.key)
		}
	}
	return out
}
