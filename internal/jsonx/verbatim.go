package jsonx

import "bytes"

// verbatimDepth is the maximum nesting of a value that AppendVerbatim writes as JSON. It is less than MaxDepth, since
// the value becomes part of others.
const verbatimDepth = MaxDepth - 64

// TextSuffix is the suffix of the name of a member that contains JSON text as a string.
const TextSuffix = "_text"

// AppendKey appends a member's name and colon to dst, an object that is being written. It adds a comma before them if
// dst has members.
func AppendKey(dst []byte, name string) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(AppendQuote(dst, name), ':')
}

// AppendVerbatim appends v as the member called name to dst, an object that is being written. It appends a valid value
// on one line as JSON. Other text, such as text with line breaks, invalid text or text nested deeper than about 400
// levels, is appended as a string, with TextSuffix added to the name. Verbatim returns it byte for byte if it is UTF-8.
// dst remains one line. It appends nothing if v is empty.
func AppendVerbatim(dst []byte, name string, v []byte) []byte {
	if len(v) == 0 {
		return dst
	}
	if len(Trim(v)) == len(v) && bytes.IndexByte(v, '\n') < 0 && bytes.IndexByte(v, '\r') < 0 && shallow(v) && Valid(v) == nil {
		return append(AppendKey(dst, name), v...)
	}
	return AppendQuote(AppendKey(dst, name+TextSuffix), v)
}

// Verbatim returns a copy of the text that AppendVerbatim appended as the member called name, or nil if there is none.
func Verbatim(obj []byte, name string) []byte {
	if v, ok := Find(obj, name); ok {
		return bytes.Clone(v)
	}
	if v, ok := Find(obj, name+TextSuffix); ok {
		return Unquote(nil, v)
	}
	return nil
}

// shallow reports whether v is nested at most verbatimDepth deep. Brackets in strings count only if there are many.
func shallow(v []byte) bool {
	if bytes.Count(v, []byte{'{'})+bytes.Count(v, []byte{'['}) <= verbatimDepth {
		return true
	}
	var c Checker
	for range MaxDepth - verbatimDepth {
		_ = c.Feed([]byte{'['}) // an array is permitted where a value is
	}
	return c.Feed(v) == nil
}
