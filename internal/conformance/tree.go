package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strconv"
)

// A tree is a decoded JSON value in which numbers keep their text. ok is false if there is no value.
type tree struct {
	v  any
	ok bool
}

// parse decodes exactly one JSON value.
func parse(text []byte) (tree, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return tree{}, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return tree{}, errors.New("text follows the JSON value")
	}
	return tree{v, true}, nil
}

// at returns the value at a path of object keys (string) and array indices (int).
func (t tree) at(path ...any) tree {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, _ := t.v.(map[string]any)
			v, ok := object[step]
			t = tree{v, ok}
		case int:
			list, _ := t.v.([]any)
			if step >= len(list) {
				return tree{}
			}
			t = tree{list[step], true}
		}
	}
	return t
}

// isNull reports whether the value is absent or null.
func (t tree) isNull() bool { return t.v == nil }

func (t tree) isString() bool { _, ok := t.v.(string); return ok }

func (t tree) isObject() bool { _, ok := t.v.(map[string]any); return ok }

func (t tree) isList() bool { _, ok := t.v.([]any); return ok }

func (t tree) isBool() bool { _, ok := t.v.(bool); return ok }

func (t tree) isTrue() bool { return t.v == true }

func (t tree) isNumber() bool { _, ok := t.v.(json.Number); return ok }

// text returns a string value, "" for any other value.
func (t tree) text() string { s, _ := t.v.(string); return s }

// count returns an integer value. ok is false for any other value.
func (t tree) count() (n int, ok bool) {
	number, _ := t.v.(json.Number)
	n, err := strconv.Atoi(number.String())
	return n, err == nil
}

func (t tree) list() []tree {
	items, _ := t.v.([]any)
	out := make([]tree, len(items))
	for i, v := range items {
		out[i] = tree{v, true}
	}
	return out
}

// raw returns the value as JSON text.
func (t tree) raw() string { return encode(t.v) }

// encode encodes a value as JSON without HTML escapes.
func encode(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("conformance: " + err.Error()) // values of this package can be encoded
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// isSame reports whether two JSON texts are equal values. Numbers are compared by their text.
func isSame(a, b string) bool {
	x, errX := parse([]byte(a))
	y, errY := parse([]byte(b))
	return errX == nil && errY == nil && reflect.DeepEqual(x.v, y.v)
}
