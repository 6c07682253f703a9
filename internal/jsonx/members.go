package jsonx

import (
	"bytes"
	"iter"
	"strings"
)

// Key is the name of a member as it is written, quotes included: a JSON string.
type Key []byte

// Is reports whether the name means name, escapes read. It does not allocate.
func (k Key) Is(name string) bool { return len(k) >= len(name)+2 && k.means(name) }

// means is Is for a name that is not too short.
func (k Key) means(name string) bool {
	raw := inner(k)
	switch {
	case len(raw) == len(name): // an escape is longer than what it stands for
		return string(raw) == name && bytes.IndexByte(raw, '\\') < 0
	case name == "" || raw[0] != name[0] && raw[0] != '\\':
		return false
	}
	return bytes.IndexByte(raw, '\\') >= 0 && sameText(raw, name)
}

// String returns the name as text, escapes read.
func (k Key) String() string {
	s, _ := String(k)
	return s
}

// Text is the name with escapes read, for a switch. It aliases the key where there are none.
func (k Key) Text() []byte {
	if bytes.IndexByte(k, '\\') < 0 {
		return inner(k)
	}
	return Unquote(nil, k)
}

// Members returns the members of an object in order, names as written and values without white space around them, both
// aliasing obj. Duplicates are given as often as they stand there. Of anything but an object it gives nothing.
func Members(obj []byte) iter.Seq2[Key, []byte] {
	return func(yield func(Key, []byte) bool) { eachMember(obj, yield) }
}

// eachMember reports whether it came to the end of a well-formed object.
func eachMember(obj []byte, yield func(Key, []byte) bool) bool {
	i := Space(obj, 0)
	if i >= len(obj) || obj[i] != '{' {
		return false
	}
	if i = Space(obj, i+1); i < len(obj) && obj[i] == '}' {
		return true
	}
	for {
		if i >= len(obj) || obj[i] != '"' {
			return false
		}
		colon := skipString(obj, i+1)
		key := Key(obj[i:colon:colon])
		if colon = Space(obj, colon); colon >= len(obj) || obj[colon] != ':' {
			return false
		}
		i = Space(obj, colon+1)
		end := Skip(obj, i)
		if end == i || !yield(key, obj[i:end:end]) {
			return false
		}
		if i = Space(obj, end); i >= len(obj) || obj[i] != ',' {
			return i < len(obj) && obj[i] == '}'
		}
		i = Space(obj, i+1)
	}
}

// Elements returns the elements of an array in order, without white space around them, aliasing arr. Of anything but
// an array it gives nothing.
func Elements(arr []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) { eachElement(arr, yield) }
}

// First returns the first element of an array, as Elements gives it, nil without one.
func First(arr []byte) []byte {
	for v := range Elements(arr) {
		return v
	}
	return nil
}

func eachElement(arr []byte, yield func([]byte) bool) {
	i := Space(arr, 0)
	if i >= len(arr) || arr[i] != '[' {
		return
	}
	for {
		i = Space(arr, i+1)
		end := Skip(arr, i)
		if end == i || !yield(arr[i:end:end]) {
			return
		}
		if i = Space(arr, end); i >= len(arr) || arr[i] != ',' {
			return
		}
	}
}

// Find returns the value of the member called key, aliasing obj. Of duplicates the first counts.
func Find(obj []byte, key string) (value []byte, ok bool) {
	for k, v := range Members(obj) {
		if k.Is(key) {
			return v, true
		}
	}
	return nil, false
}

// Mentions reports whether a word stands in quotes somewhere in a document, as a name or as a whole text.
func Mentions(doc []byte, word string) bool { return Contains(doc, `"`+word+`"`) }

// Contains is bytes.Contains for a long document. The text is searched by one of its bytes: the one that is rarest in
// samples of the document, since each byte that matches costs as much as 100 bytes that do not. text is not empty.
func Contains(doc []byte, text string) bool {
	at := rarest(doc, text)
	for i := at; i < len(doc); i++ {
		n := bytes.IndexByte(doc[i:], text[at])
		if n < 0 {
			return false
		}
		i += n
		if from := i - at; len(doc)-from >= len(text) && string(doc[from:from+len(text)]) == text {
			return true
		}
	}
	return false
}

// rarest is the index of the byte of text that four samples of doc, 512 bytes each, hold least often. Of a short
// document it is the rarest of JSON in general.
func rarest(doc []byte, text string) int {
	const sample, samples = 512, 4
	if len(doc) < 8*sample*samples {
		for i := range len(rare) {
			if at := strings.IndexByte(text, rare[i]); at >= 0 {
				return at
			}
		}
		return 0
	}
	best, least := 0, len(doc)
	for i := range len(text) {
		count := 0
		for j := range samples {
			from := j * (len(doc) - sample) / (samples - 1)
			count += bytes.Count(doc[from:from+sample], []byte{text[i]})
		}
		if count < least {
			best, least = i, count
		}
	}
	return best
}

// rare are letters that are rare in JSON, the rarest first.
const rare = "_qzjxkvbywgmfup"

// Lookup goes down through objects, one member name a step, and returns the value at the end, aliasing v. Without a
// path that is v, trimmed. Of duplicates the first counts.
func Lookup(v []byte, path ...string) ([]byte, bool) {
	v = Trim(v)
	for _, key := range path {
		var ok bool
		if v, ok = Find(v, key); !ok {
			return nil, false
		}
	}
	return v, true
}
