package trace

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// difference finds the first place where two valid documents differ, as a JSON pointer, with what stands there in each: nil for
// nothing. Both are nil where they differ in no place, such as in the order of members alone.
func difference(a, b []byte) (path string, was, now []byte) {
	if bytes.Equal(a, b) {
		return "", nil, nil
	}
	switch {
	case jsonx.IsObject(a) && jsonx.IsObject(b):
		return differentMember(a, b)
	case jsonx.IsArray(a) && jsonx.IsArray(b):
		return differentElement(a, b)
	}
	return "", a, b
}

func differentMember(a, b []byte) (path string, was, now []byte) {
	for key, v := range jsonx.Members(a) {
		other, _ := jsonx.Find(b, key.String())
		if path, was, now := inside(key.String(), v, other); was != nil || now != nil {
			return path, was, now
		}
	}
	for key, v := range jsonx.Members(b) {
		if _, ok := jsonx.Find(a, key.String()); !ok {
			return inside(key.String(), nil, v)
		}
	}
	return "", nil, nil
}

func differentElement(a, b []byte) (path string, was, now []byte) {
	list, others := slices.Collect(jsonx.Elements(a)), slices.Collect(jsonx.Elements(b))
	for i := range max(len(list), len(others)) {
		var was, now []byte
		if i < len(list) {
			was = list[i]
		}
		if i < len(others) {
			now = others[i]
		}
		if path, was, now := inside(strconv.Itoa(i), was, now); was != nil || now != nil {
			return path, was, now
		}
	}
	return "", nil, nil
}

// inside is the difference of two members or elements.
func inside(name string, a, b []byte) (path string, was, now []byte) {
	path, was, now = difference(a, b)
	return "/" + pointerEscapes.Replace(name) + path, was, now
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// shownBytes is how much of a value is shown in an error.
const shownBytes = 100

// excerpts shows two values from shortly before where they begin to differ.
func excerpts(a, b []byte) (string, string) {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	from := max(0, same-shownBytes/4)
	return excerpt(a, from), excerpt(b, from)
}

func excerpt(v []byte, from int) string {
	if v == nil {
		return "nothing"
	}
	s := string(v[from:])
	if len(s) > shownBytes {
		s = jsonx.Clip(s, shownBytes) + "…"
	}
	if from > 0 {
		s = "…" + s
	}
	return strings.ToValidUTF8(s, "")
}
