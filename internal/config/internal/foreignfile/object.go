package foreignfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
)

// An object is a mapping of the file. It remembers which keys were read.
type object struct {
	path  string // of the mapping, "" for the file
	items yaml.MapSlice
	used  map[string]bool
}

func newObject(path string, items yaml.MapSlice) *object {
	return &object{path: path, items: items, used: map[string]bool{}}
}

// keys returns the keys in their order.
func (o *object) keys() []string {
	out := make([]string, len(o.items))
	for i, m := range o.items {
		out[i] = fmt.Sprint(m.Key)
	}
	return out
}

// rest returns the keys that were not read and hold something.
func (o *object) rest() []string {
	var out []string
	for _, m := range o.items {
		if key := fmt.Sprint(m.Key); m.Value != nil && !o.used[key] && !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	return out
}

// get returns the value of a key, the last one of several, nil where it is absent.
func (o *object) get(key string) any {
	for _, m := range slices.Backward(o.items) {
		if fmt.Sprint(m.Key) == key {
			o.used[key] = true
			return m.Value
		}
	}
	return nil
}

// drop marks keys as read whose values are not taken.
func (o *object) drop(keys ...string) {
	for _, key := range keys {
		o.used[key] = true
	}
}

// at returns the path of a key.
func (o *object) at(key string) string {
	if o.path == "" {
		return key
	}
	return o.path + "." + key
}

// text returns a text that is not blank.
func (o *object) text(key string) string {
	s, _ := o.get(key).(string)
	return strings.TrimSpace(s)
}

// object returns a mapping, an empty one where there is none.
func (o *object) object(key string) *object {
	items, _ := o.get(key).(yaml.MapSlice)
	return newObject(o.at(key), items)
}

// list returns a list.
func (o *object) list(key string) ([]any, bool) {
	l, ok := o.get(key).([]any)
	return l, ok
}

// objects returns the mappings of a list, nil in the place of anything else.
func (o *object) objects(key string) []*object {
	l, _ := o.list(key)
	out := make([]*object, len(l))
	for i := range l {
		if items, ok := l[i].(yaml.MapSlice); ok {
			out[i] = newObject(o.at(key)+"["+strconv.Itoa(i)+"]", items)
		}
	}
	return out
}

// number returns a number, or a text that is one, as JSON writes it; "" for anything else.
func number(v any) string {
	switch n := v.(type) {
	case int, int64, uint64:
		return fmt.Sprint(n)
	case float64:
		return plainNumber(strconv.FormatFloat(n, 'f', -1, 64))
	case string:
		return plainNumber(strings.TrimSpace(n))
	}
	return ""
}

// plainNumber returns a decimal number without exponent, "" for any other text.
func plainNumber(text string) string {
	whole, fraction, dot := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	if !digits(whole) || len(whole) > 1 && whole[0] == '0' || dot && !digits(fraction) || len(text) > 18 {
		return ""
	}
	return text
}

// wholeNumber returns a number from 0 without a fraction, "" for anything else.
func wholeNumber(v any) string {
	n := strings.TrimSuffix(number(v), ".0")
	if n == "" || strings.ContainsAny(n, "-.") || len(n) > 9 {
		return ""
	}
	return n
}

// names returns the texts of a list, or the one in its place.
func names(v any) []string {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var out []string
	for _, e := range list {
		if s, ok := e.(string); ok && s != "" {
			out = append(out, s)
		}
	}
	return out
}
