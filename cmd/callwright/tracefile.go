package main

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// A traceFile is where requests and answers are recorded; nil records nothing.
type traceFile struct {
	w     *trace.Writer
	place string          // as people are told of it
	log   trace.LogReader // nil where it cannot be read by request
	end   func() error
	once  sync.Once // calls end
	ended error     // of that
}

// openTraceOf opens the trace of a gateway: the one that a flag names, or that of the configuration, in a file or with
// the state.
func openTraceOf(flag string, conf *config.Config, kept *state.State, opts ...trace.Option) (*traceFile, error) {
	if flag != "" || conf.Trace.NATS != config.On {
		return openTrace(cmp.Or(flag, string(conf.Trace.File)), &conf.Trace, opts...)
	}
	log := kept.Traces(conf.Trace.Log())
	return &traceFile{w: trace.NewLogWriter(log, contentOf(&conf.Trace, opts)...), place: conf.State.NATS.Hosts(), log: log,
		end: func() error { return nil }}, nil
}

// contentOf returns the options of a trace with the configured handling of contents.
func contentOf(conf *config.Trace, opts []trace.Option) []trace.Option {
	if conf.Content != nil && !*conf.Content {
		return append(opts, trace.WithoutContent())
	}
	return opts
}

// setTraceContent applies the flag for the contents of the trace; "" leaves it to the configuration.
func setTraceContent(conf *config.Trace, flag string) error {
	switch flag {
	case "":
	case "on", "off":
		conf.Content = new(flag == "on")
	default:
		return misuseError{fmt.Errorf("--trace-content: expected on or off, got %q", flag)}
	}
	return nil
}

// openTrace opens the file or the folder of a trace, "" for none, as configured. Existing entries stay: new ones are
// appended, in a folder in a file of their own. A name that ends in a slash is that of a folder.
func openTrace(name string, conf *config.Trace, opts ...trace.Option) (*traceFile, error) {
	if name == "" {
		return nil, nil
	}
	t := &traceFile{}
	if plain := strings.TrimRightFunc(name,
		func(r rune) bool { return r < utf8.RuneSelf && os.IsPathSeparator(uint8(r)) }); plain != name && plain != "" {
		if info, err := os.Stat(plain); err == nil && !info.IsDir() {
			return nil, misuseError{fmt.Errorf("the trace %s: a name that ends in a slash is that of a folder, and %s is a file: leave the slash out, or name another folder", name, plain)}
		}
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() || os.IsPathSeparator(name[len(name)-1]) {
		f, err := trace.OpenFolder(name, nil, conf.Log())
		if err != nil {
			return nil, misuseError{err}
		}
		t.w, t.place, t.log, t.end = trace.NewWriter(f, contentOf(conf, opts)...), f.Name(), f, f.Close
	} else {
		f, err := trace.OpenFile(name)
		if err != nil {
			return nil, misuseError{err}
		}
		t.w, t.place, t.end = trace.NewWriter(f, contentOf(conf, opts)...), f.Name(), f.Close
	}
	return t, nil
}

// options are those of a registry whose models are recorded: the bytes that providers send are.
func (t *traceFile) options() []config.Option {
	if t == nil {
		return nil
	}
	return []config.Option{config.WithTransport(func(provider string, spoken callwright.WireName, next http.RoundTripper) http.RoundTripper {
		to := trace.Endpoint{Provider: provider, Wire: spoken}
		if codec, ok := codecs.Of(spoken); ok {
			to.DecodeError = codec.DecodeError
		}
		return t.w.Transport(next, to)
	})}
}

// around records the requests to a model; it returns the model itself where nothing is recorded.
func (t *traceFile) around(m callwright.Model, opts ...trace.RecordOption) callwright.Model {
	if t == nil {
		return m
	}
	return trace.Record(m, t.w, opts...)
}

// health returns the problem where nothing is recorded for now.
func (t *traceFile) health() []health.Problem {
	if t == nil {
		return nil
	}
	err := t.w.WriteError()
	if err == nil {
		return nil
	}
	return []health.Problem{{Severity: health.Degraded, Subject: "trace", Cause: health.WithoutOp(err).Error(),
		Remedy: "free space on the disk, or make the file writable: requests are answered without a trace meanwhile"}}
}

// close writes the waiting entries, ends the file and returns its first error, also when it is called again.
func (t *traceFile) close() error {
	if t == nil {
		return nil
	}
	t.once.Do(func() { t.ended = t.end() })
	return cmp.Or(t.w.Err(), t.ended)
}
