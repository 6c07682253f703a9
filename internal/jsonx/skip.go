package jsonx

import "bytes"

// Skip returns the offset after the value that begins at i or after white space at i. For invalid text it returns some
// offset between i and len(b).
func Skip(b []byte, i int) int {
	i = Space(b, i)
	if i >= len(b) {
		return len(b)
	}
	switch b[i] {
	case '"':
		return skipString(b, i+1)
	case '{', '[':
		return skipContainer(b, i+1)
	}
	for i < len(b) && !ends[b[i]] {
		i++
	}
	return i
}

// ends are the bytes that end a number or a literal.
var ends = [256]bool{' ': true, '\n': true, '\r': true, '\t': true, ',': true, ']': true, '}': true, ':': true, '"': true}

// skipString returns the offset after the closing quote of a string whose text begins at i. It tests the first 16 bytes
// word by word, since most strings are short. In longer strings, which often have many escapes, it searches for quotes
// and tests the backslashes before them.
func skipString(b []byte, i int) int {
	for at := i; at+wordSize <= len(b) && at < i+2*wordSize; at += wordSize {
		if m := quotes(load(b, at)); m != 0 {
			if at += first(m); b[at] == '"' {
				return at + 1
			}
			break
		}
	}
	for {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return len(b)
		}
		quote := i + n
		slashes := quote
		for b[slashes-1] == '\\' {
			slashes--
		}
		i = quote + 1
		if (quote-slashes)%2 == 0 {
			return i
		}
	}
}

// skipContainer returns the offset after an array or object whose contents begin at i.
func skipContainer(b []byte, i int) int {
	depth := 1
	for i < len(b) {
		i = quoteOrBracket(b, i)
		if i >= len(b) {
			break
		}
		switch b[i] {
		case '"':
			i = skipString(b, i+1)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return len(b)
}
