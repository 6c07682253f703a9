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

// A traceFile records requests and responses in a file, a folder or NATS. A nil *traceFile records nothing.
type traceFile struct {
	w     *trace.Writer
	place string          // file name or NATS hosts, for messages
	log   trace.LogReader // nil if requests cannot be looked up in it
	end   func() error
	once  sync.Once // guards the call of end
	ended error     // result of end
}

// openTraceOf opens the trace of a gateway: the file or folder of a flag or of the configuration, or the trace on NATS.
func openTraceOf(flag string, conf *config.Config, kept *state.State, opts ...trace.Option) (*traceFile, error) {
	if flag != "" || conf.Trace.NATS != config.On {
		return openTrace(cmp.Or(flag, string(conf.Trace.File)), &conf.Trace, opts...)
	}
	log := kept.Traces(conf.Trace.Log())
	return &traceFile{w: trace.NewLogWriter(log, contentOf(&conf.Trace, opts)...), place: conf.State.NATS.Hosts(), log: log,
		end: func() error { return nil }}, nil
}

// contentOf appends the option that omits message contents, if the configuration requires it.
func contentOf(conf *config.Trace, opts []trace.Option) []trace.Option {
	if conf.Content != nil && !*conf.Content {
		return append(opts, trace.WithoutContent())
	}
	return opts
}

// setTraceContent sets conf.Content from a flag "on" or "off"; "" keeps the configured value.
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

// openTrace opens the trace file or folder with the given name; "" returns nil. New entries are appended to a file. In
// a folder they go to a new file. A name that ends in a slash is a folder, which may not exist yet.
func openTrace(name string, conf *config.Trace, opts ...trace.Option) (*traceFile, error) {
	if name == "" {
		return nil, nil
	}
	t := &traceFile{}
	if plain := strings.TrimRightFunc(name,
		func(r rune) bool { return r < utf8.RuneSelf && os.IsPathSeparator(uint8(r)) }); plain != name && plain != "" {
		if info, err := os.Stat(plain); err == nil && !info.IsDir() {
			return nil, misuseError{fmt.Errorf("the trace %s: a name with a slash at its end means a folder, but %s is a file: omit the slash, or name another folder", name, plain)}
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

// options returns the registry options that record the bytes sent by providers.
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

// around returns a model that records the requests to m. For a nil trace it returns m.
func (t *traceFile) around(m callwright.Model, opts ...trace.RecordOption) callwright.Model {
	if t == nil {
		return m
	}
	return trace.Record(m, t.w, opts...)
}

// health returns a problem if the last entry could not be written.
func (t *traceFile) health() []health.Problem {
	if t == nil {
		return nil
	}
	err := t.w.WriteError()
	if err == nil {
		return nil
	}
	return []health.Problem{{Severity: health.Degraded, Subject: "trace", Cause: health.WithoutOp(err).Error(),
		Remedy: "free space on the disk, or make the file writable; until then requests are not recorded"}}
}

// close writes pending entries and closes the trace. Later calls return the same error.
func (t *traceFile) close() error {
	if t == nil {
		return nil
	}
	t.once.Do(func() { t.ended = t.end() })
	return cmp.Or(t.w.Err(), t.ended)
}
