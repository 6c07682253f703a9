package foreignfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
)

// An object is a mapping in the file. It records which keys were read.
type object struct {
	path  string // path of the mapping in the file, "" for the root
	items yaml.MapSlice
	used  map[string]bool
}

func newObject(path string, items yaml.MapSlice) *object {
	return &object{path: path, items: items, used: map[string]bool{}}
}

// keys returns the keys in the order of the file.
func (o *object) keys() []string {
	out := make([]string, len(o.items))
	for i, m := range o.items {
		out[i] = fmt.Sprint(m.Key)
	}
	return out
}

// rest returns the keys that were not read and whose values are not null.
func (o *object) rest() []string {
	var out []string
	for _, m := range o.items {
		if key := fmt.Sprint(m.Key); m.Value != nil && !o.used[key] && !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	return out
}

// get returns the value of a key, or nil if the key is absent. Of duplicate keys it returns the last value. It records
// the key as read.
func (o *object) get(key string) any {
	for _, m := range slices.Backward(o.items) {
		if fmt.Sprint(m.Key) == key {
			o.used[key] = true
			return m.Value
		}
	}
	return nil
}

// drop records keys as read, so that rest omits them.
func (o *object) drop(keys ...string) {
	for _, key := range keys {
		o.used[key] = true
	}
}

// at returns the path of a key in the file.
func (o *object) at(key string) string {
	if o.path == "" {
		return key
	}
	return o.path + "." + key
}

// text returns the string value of a key without surrounding white space, or "" if the value is not a string.
func (o *object) text(key string) string {
	s, _ := o.get(key).(string)
	return strings.TrimSpace(s)
}

// object returns the mapping of a key, or an empty mapping if the value is not a mapping.
func (o *object) object(key string) *object {
	items, _ := o.get(key).(yaml.MapSlice)
	return newObject(o.at(key), items)
}

// list returns the list of a key. It returns false if the value is not a list.
func (o *object) list(key string) ([]any, bool) {
	l, ok := o.get(key).([]any)
	return l, ok
}

// objects returns the elements of a list that are mappings, with nil for every other element.
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

// number returns a number, or a string that is a number, as JSON. It returns "" for any other value.
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

// plainNumber returns text if it is a decimal number without exponent, else "".
func plainNumber(text string) string {
	whole, fraction, dot := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	if !digits(whole) || len(whole) > 1 && whole[0] == '0' || dot && !digits(fraction) || len(text) > 18 {
		return ""
	}
	return text
}

// wholeNumber returns a whole number, 0 or more, as JSON. It returns "" for any other value.
func wholeNumber(v any) string {
	n := strings.TrimSuffix(number(v), ".0")
	if n == "" || strings.ContainsAny(n, "-.") || len(n) > 9 {
		return ""
	}
	return n
}

// names returns the strings that are not empty in a list, or a single string as a list of one.
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
