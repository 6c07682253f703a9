package jsonx

import (
	"bytes"
	"iter"
	"strings"
)

// Key is the name of a member as a JSON string, with quotes and escapes.
type Key []byte

// Is reports whether the unescaped name equals name. It does not allocate.
func (k Key) Is(name string) bool { return len(k) >= len(name)+2 && k.means(name) }

// means is Is for a key that is at least as long as the name with quotes.
func (k Key) means(name string) bool {
	raw := inner(k)
	switch {
	case len(raw) == len(name): // an escape is longer than its character
		return string(raw) == name && bytes.IndexByte(raw, '\\') < 0
	case name == "" || raw[0] != name[0] && raw[0] != '\\':
		return false
	}
	return bytes.IndexByte(raw, '\\') >= 0 && sameText(raw, name)
}

// String returns the unescaped name.
func (k Key) String() string {
	s, _ := String(k)
	return s
}

// Text returns the unescaped name, for a switch. It aliases the key if the name has no escapes.
func (k Key) Text() []byte {
	if bytes.IndexByte(k, '\\') < 0 {
		return inner(k)
	}
	return Unquote(nil, k)
}

// Members returns the members of an object in order: names as written, and values without surrounding white space. Both
// alias obj. Duplicates are not removed. It yields nothing if obj is not an object.
func Members(obj []byte) iter.Seq2[Key, []byte] {
	return func(yield func(Key, []byte) bool) { eachMember(obj, yield) }
}

// eachMember calls yield for each member. It reports whether it reached the end of a well-formed object.
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

// Elements returns the elements of an array in order, without surrounding white space. They alias arr. It yields
// nothing if arr is not an array.
func Elements(arr []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) { eachElement(arr, yield) }
}

// First returns the first element of an array, or nil if there is none.
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

// Find returns the value of the member called key, which aliases obj. Of duplicates it returns the first. ok is false
// if there is none.
func Find(obj []byte, key string) (value []byte, ok bool) {
	for k, v := range Members(obj) {
		if k.Is(key) {
			return v, true
		}
	}
	return nil, false
}

// Mentions reports whether a document contains word in quotes, as a name or a complete string.
func Mentions(doc []byte, word string) bool { return Contains(doc, `"`+word+`"`) }

// Contains is bytes.Contains for a long document. It searches for the byte of text that is rarest in samples of the
// document, since a matching byte costs as much as 100 others. text must not be empty.
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

// rarest returns the index of the byte of text that is rarest in four samples of doc of 512 bytes. For a short document
// it is the rarest byte in typical JSON.
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

// rare are letters that are rare in typical JSON, the rarest first.
const rare = "_qzjxkvbywgmfup"

// Lookup returns the value at a path of member names in nested objects. It aliases v. Without a path it returns v
// without surrounding white space. Of duplicates it uses the first. It returns false if the path does not exist.
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
