package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/callwright/callwright/config"
	"github.com/callwright/callwright/internal/jsonx"
)

// maxLine bounds one line of a batch.
const maxLine = 64 << 20

// batch reads and writes JSON lines; answer says what is written for one. A line that cannot be read gives an error line, and the
// rest goes on. It fails when no line could be read, and when it was interrupted, with what was finished written.
func batch(ctx context.Context, a *app, answer func(line []byte) (any, error)) error {
	awaitTerminal(a, "JSON lines")
	w := bufio.NewWriterSize(a.std.out, 64<<10)
	r := bufio.NewScanner(flushed{a.input(ctx), w})
	r.Buffer(make([]byte, 64<<10), maxLine)
	b := batchCount{}
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
		return errInterrupted
	case errors.Is(r.Err(), bufio.ErrTooLong):
		return fmt.Errorf("a line is longer than %d MiB", maxLine>>20)
	case r.Err() != nil:
		return r.Err()
	}
	return b.err()
}

// flushed is a reader that hands on what was written before it waits for more.
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

// A batchCount counts the lines of a batch, and those that could not be read.
type batchCount struct {
	lines, failed int
	first         error // why the first of these failed
}

func (b *batchCount) err() error {
	if b.lines == 0 || b.failed < b.lines {
		return nil
	}
	return fmt.Errorf("no line could be read: %w", b.first)
}

type failedLine struct {
	ID    json.RawMessage `json:"id"`
	Error string          `json:"error"`
}

// line returns what is written for line n.
func (b *batchCount) line(line []byte, n int, answer func(line []byte) (any, error)) any {
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

func parseLine(line []byte, job parseJob) (*parsed, error) {
	if err := readLine(line, &job); err != nil {
		return nil, err
	}
	if err := checkMembers(line, &job); err != nil {
		return nil, err
	}
	got, err := job.parse()
	if err != nil {
		return nil, err
	}
	return got, job.refusal(got)
}

// readLine reads a line of a batch into a struct.
func readLine(line []byte, into any) error {
	if err := jsonx.Valid(line); err != nil {
		return err
	}
	err := json.Unmarshal(line, into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if wrong.Field == "" {
			return fmt.Errorf("expected an object, got %s", wrong.Value)
		}
		return fmt.Errorf("member %q: expected %s, got %s", wrong.Field, kindName(wrong.Type), wrong.Value)
	}
	return err
}

// readable are the members of which a line needs one.
var readable = []string{"text", "chunks", "native_calls"}

// checkMembers refuses a line that says nothing to read, and members that look like a slip: what was meant would be left out.
func checkMembers(line []byte, job *parseJob) error {
	known, nothing := lineMembers[parseJob](), job.Text == nil && job.Chunks == nil && job.NativeCalls == nil
	meant := known
	if nothing {
		meant = readable
	}
	var strangers []string
	for k := range jsonx.Members(line) {
		name := k.String()
		if slices.Contains(known, name) {
			continue
		}
		if near := config.Nearest(name, meant); near != "" {
			return fmt.Errorf("unknown member %q: did you mean %q?", name, near)
		}
		strangers = append(strangers, name)
	}
	switch {
	case !nothing:
		return nil
	case len(strangers) > 0:
		return fmt.Errorf("expected a member %s, got %s", strings.Join(readable, ", "), strings.Join(strangers, ", "))
	}
	return fmt.Errorf("expected a member %s", strings.Join(readable, ", "))
}

// lineMembers returns the members that a line may have.
func lineMembers[T any]() []string {
	var names []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if name := f.Tag.Get("json"); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// kindName is what a member has to be, in the words of JSON.
func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "a list"
	case reflect.Struct:
		return "an object"
	case reflect.Bool:
		return "true or false"
	}
	return "a string"
}

// idOf finds the id of a line, nil where it has none.
func idOf(line []byte) json.RawMessage {
	var only struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &only) != nil {
		return nil
	}
	return only.ID
}
