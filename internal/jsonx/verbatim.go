package jsonx

import "bytes"

// verbatimDepth is how deep a value may be nested that AppendVerbatim writes as it stands: below MaxDepth, since it
// stands in others.
const verbatimDepth = MaxDepth - 64

// TextSuffix ends the name of a member that has JSON text as a string.
const TextSuffix = "_text"

// AppendKey appends a member's name and the colon to dst, an object that is being written, after a comma where members
// stand before it.
func AppendKey(dst []byte, name string) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(AppendQuote(dst, name), ':')
}

// AppendVerbatim appends JSON text as a member to dst, an object that is being written. One value on one line stands
// there as it is. Any other text, such as one with line breaks, one that is not valid or one that is nested deeper than
// some 400 levels, is a string, and the name of the member has the TextSuffix. Either way Verbatim gives it back byte
// for byte, as far as it is UTF-8, and dst stays one line. Without v nothing is appended.
func AppendVerbatim(dst []byte, name string, v []byte) []byte {
	if len(v) == 0 {
		return dst
	}
	if len(Trim(v)) == len(v) && bytes.IndexByte(v, '\n') < 0 && bytes.IndexByte(v, '\r') < 0 && shallow(v) && Valid(v) == nil {
		return append(AppendKey(dst, name), v...)
	}
	return AppendQuote(AppendKey(dst, name+TextSuffix), v)
}

// Verbatim returns the text that AppendVerbatim wrote as the member called name, as a copy; nil where there is none.
func Verbatim(obj []byte, name string) []byte {
	if v, ok := Find(obj, name); ok {
		return bytes.Clone(v)
	}
	if v, ok := Find(obj, name+TextSuffix); ok {
		return Unquote(nil, v)
	}
	return nil
}

// shallow reports whether v is not nested too deep to stand in another value. Brackets in strings count only where
// there are many.
func shallow(v []byte) bool {
	if bytes.Count(v, []byte{'{'})+bytes.Count(v, []byte{'['}) <= verbatimDepth {
		return true
	}
	var c Checker
	for range MaxDepth - verbatimDepth {
		_ = c.Feed([]byte{'['}) // an array may begin wherever a value may
	}
	return c.Feed(v) == nil
}
