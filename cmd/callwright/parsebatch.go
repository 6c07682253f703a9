package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxLine bounds one line of a batch.
const maxLine = 64 << 20

// batch reads and writes JSON lines. A line that cannot be read gives an error line, and the rest goes on.
func batch(in io.Reader, out io.Writer) error {
	r := bufio.NewScanner(in)
	r.Buffer(make([]byte, 64<<10), maxLine)
	w := bufio.NewWriterSize(out, 64<<10)
	for r.Scan() {
		line := bytes.TrimSpace(r.Bytes())
		if len(line) == 0 {
			continue
		}
		if err := writeLine(w, parseLine(line)); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if errors.Is(r.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("a line is longer than %d MiB", maxLine>>20)
	}
	return r.Err()
}

type failedLine struct {
	ID    json.RawMessage `json:"id"`
	Error string          `json:"error"`
}

func parseLine(line []byte) any {
	var job parseJob
	if err := json.Unmarshal(line, &job); err != nil {
		return failedLine{ID: idOf(line), Error: err.Error()}
	}
	got, err := job.parse()
	if err != nil {
		return failedLine{ID: job.ID, Error: err.Error()}
	}
	return got
}

// idOf finds the id of a line whose other members are of the wrong type.
func idOf(line []byte) json.RawMessage {
	var only struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &only) != nil || only.ID == nil {
		return json.RawMessage("null")
	}
	return only.ID
}

func writeLine(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
