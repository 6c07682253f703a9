package main

import (
	"bytes"
	"io"
	"os"
	"time"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/trace"
)

// A traceFile is where a run is recorded; nil records nothing.
type traceFile struct {
	w *trace.Writer
	f *os.File
}

// openTrace opens the file of a trace, "" for none. What is in it stays: a run that goes on is recorded behind its beginning.
func openTrace(name string) (*traceFile, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, misuseError{err}
	}
	if err := cutTorn(f); err != nil {
		_ = f.Close()
		return nil, err
	}
	return &traceFile{w: trace.NewWriter(f), f: f}, nil
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

// add records what a run told of its tools. What was asked of the model is recorded where it is asked.
func (t *traceFile) add(ev agent.Event) {
	if t == nil {
		return
	}
	e := trace.Entry{ID: ev.Call}
	switch ev.Kind {
	case agent.EventCall:
		e.Kind, e.Data = trace.KindCall, jsonOf(struct {
			Name      string `json:"name"`
			Arguments any    `json:"arguments"`
		}{ev.Name, ev.Arguments})
	case agent.EventResult:
		e.Kind, e.Data = trace.KindResult, jsonOf(ev.Result)
		e.Duration = time.Duration(ev.MS * float64(time.Millisecond))
	default:
		return
	}
	_ = t.w.Append(e) // the writer keeps its first error
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

// jsonOf writes what cannot fail to be written.
func jsonOf(v any) []byte {
	var b bytes.Buffer
	if err := writeLine(&b, v); err != nil {
		return []byte("null")
	}
	return bytes.TrimSpace(b.Bytes())
}
