package jsonx

import (
	"bytes"
	"encoding/json"
	"io"
)

// Marshal returns a Go value as compact JSON without escaping '<', '>' and '&'. A json.RawMessage in v keeps its bytes
// except white space between tokens.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// WriteLine writes v to w as Marshal does, followed by a newline, in one Write.
func WriteLine(w io.Writer, v any) error {
	text, err := Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
