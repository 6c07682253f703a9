package jsonlines

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/callwright/callwright/internal/jsonx"
)

// maxLine is the maximum length of a line in bytes.
const maxLine = 64 << 20

// Answer reads JSON lines and writes the result of answer for each as a JSON line. If answer fails, it writes a line
// with the id of the input and the error, and continues. Answer returns an error if all lines failed, if a line is
// longer than 64 MiB, if ctx is done, or if reading or writing fails. It writes the results of all lines before.
func Answer(ctx context.Context, in io.Reader, out io.Writer, answer func(line []byte) (any, error)) error {
	w := bufio.NewWriterSize(out, 64<<10)
	r := bufio.NewScanner(flushed{in, w})
	r.Buffer(make([]byte, 64<<10), maxLine)
	var b count
	for n := 1; r.Scan() && ctx.Err() == nil; n++ {
		line := bytes.TrimSpace(bytes.TrimPrefix(r.Bytes(), []byte("\ufeff")))
		if len(line) == 0 {
			continue
		}
		if err := jsonx.WriteLine(w, b.line(line, n, answer)); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(r.Err(), bufio.ErrTooLong):
		return fmt.Errorf("a line is longer than %d MiB", maxLine>>20)
	case r.Err() != nil:
		return r.Err()
	}
	return b.err()
}

// flushed is a reader that flushes the output before it blocks for more input.
type flushed struct {
	io.Reader
	w *bufio.Writer
}

func (f flushed) Read(p []byte) (int, error) {
	if err := f.w.Flush(); err != nil {
		return 0, err
	}
	return f.Reader.Read(p)
}

// A count counts input lines and the failed ones among them.
type count struct {
	lines, failed int
	first         error // error of the first failed line
}

func (b *count) err() error {
	if b.lines == 0 || b.failed < b.lines {
		return nil
	}
	return fmt.Errorf("no line could be read: %w", b.first)
}

type failedLine struct {
	ID    json.RawMessage `json:"id"`
	Error string          `json:"error"`
}

// line returns the output for input line n (from 1): the result, or an object with the error.
func (b *count) line(line []byte, n int, answer func(line []byte) (any, error)) any {
	b.lines++
	got, err := answer(line)
	if err == nil {
		return got
	}
	if b.failed++; b.first == nil {
		b.first = fmt.Errorf("line %d: %w", n, err)
	}
	failed := failedLine{ID: idOf(line), Error: err.Error()}
	if failed.ID == nil {
		failed = failedLine{ID: json.RawMessage("null"), Error: fmt.Sprintf("line %d: %v", n, err)}
	}
	return failed
}

// idOf returns the raw JSON of a line's "id", nil if it has none.
func idOf(line []byte) json.RawMessage {
	var only struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &only) != nil {
		return nil
	}
	return only.ID
}
