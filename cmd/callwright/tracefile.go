package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

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
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, misuseError{err}
	}
	if err := makeReady(f); err != nil {
		_ = f.Close()
		return nil, err
	}
	if conf.Content != nil && !*conf.Content {
		opts = append(opts, trace.WithoutContent())
	}
	return &traceFile{w: trace.NewWriter(f, opts...), f: f}, nil
}

// lineBegin is how each line of a trace begins.
const lineBegin = `{"trace":`

// makeReady makes a file ready to be appended to. One that is no trace stays as it is, and what is no file, such as a pipe, is taken.
func makeReady(f *os.File) error {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	head := make([]byte, len(lineBegin))
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !strings.HasPrefix(lineBegin, string(head[:n])) {
		return misuseError{fmt.Errorf("%s is no trace: name a new file, or one that was written as a trace", f.Name())}
	}
	return cutTorn(f)
}

// cutTorn cuts a last line that a crash left without its end.
func cutTorn(f *os.File) error {
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil || end == 0 {
		return err
	}
	const piece = 64 << 10
	buf := make([]byte, piece)
	for at := end; at > 0; {
		n := min(at, piece)
		at -= n
		if _, err := f.ReadAt(buf[:n], at); err != nil {
			return err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			if keep := at + int64(i) + 1; keep < end {
				return f.Truncate(keep)
			}
			return nil
		}
	}
	return f.Truncate(0)
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
