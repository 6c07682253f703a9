package jsonx

import (
	"bytes"
	"encoding/json"
	"io"
)

// Marshal writes a Go value as compact JSON, with '<', '>' and '&' as they are: a json.RawMessage in it keeps its bytes
// but for white space between tokens.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// WriteLine writes a Go value to w as Marshal does, in a line of its own and in one piece.
func WriteLine(w io.Writer, v any) error {
	text, err := Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
