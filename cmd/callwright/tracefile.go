package main

import (
	"net/http"
	"os"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/config"
	"github.com/callwright/callwright/trace"
	"github.com/callwright/callwright/wire/codecs"
)

// A traceFile is where requests and answers are recorded; nil records nothing.
type traceFile struct {
	w *trace.Writer
	f *os.File
}

// openTrace opens the file of a trace, "" for none, as the configuration says. What is in it stays: what is recorded now stands behind.
func openTrace(name string, conf *config.Trace, opts ...trace.Option) (*traceFile, error) {
	if name == "" {
		return nil, nil
	}
	f, err := trace.OpenFile(name)
	if err != nil {
		return nil, misuseError{err}
	}
	if conf.Content != nil && !*conf.Content {
		opts = append(opts, trace.WithoutContent())
	}
	return &traceFile{w: trace.NewWriter(f, opts...), f: f}, nil
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

// around records what is asked of a model; the model itself where nothing is recorded.
func (t *traceFile) around(m callwright.Model, opts ...trace.RecordOption) callwright.Model {
	if t == nil {
		return m
	}
	return trace.Record(m, t.w, opts...)
}

// err is the first error of the file.
func (t *traceFile) err() error {
	if t == nil {
		return nil
	}
	return t.w.Err()
}

func (t *traceFile) close() {
	if t != nil {
		_ = t.f.Close() // each line is written whole before
	}
}
