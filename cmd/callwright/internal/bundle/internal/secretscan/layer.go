package secretscan

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/jsonx"
)

// Limits for decoding texts that are encoded in other texts.
const (
	maxDepth    = 12
	maxInflated = 4 << 20 // bytes of one decompressed text
	minEncoded  = 12      // minimum length of an encoded text in characters
	minBudget   = 8 << 20 // bytes of all layers, plus perByte for each byte of the text
	perByte     = 32
	maxPlace    = 200 // bytes of a path in a document; a longer one is hashed
)

// eachLayer calls visit with text and with all texts encoded in it, until visit returns false. It decodes JSON strings
// (also if a stream splits them into deltas), JSON escapes, base64, hexadecimal, percent encoding and compression, in
// any nesting. visit also receives texts that are not valid UTF-8. whole is false if text is nested too deeply or too
// large to be decoded completely.
func eachLayer(text []byte, visit func([]byte) bool) (whole bool) {
	r := reading{seen: map[[sha256.Size]byte]bool{}, visit: visit, left: minBudget + perByte*len(text), whole: true}
	r.each(text, 0)
	return r.whole
}

// A reading is the state of eachLayer. Each distinct layer is visited once.
type reading struct {
	seen  map[[sha256.Size]byte]bool
	visit func([]byte) bool
	left  int // remaining number of bytes to read
	whole bool
}

// each visits a text and its layers. It returns false if the visit must end.
func (r *reading) each(text []byte, depth int) bool {
	if r.left -= len(text); r.left < 0 || depth > maxDepth {
		r.whole = false
		return false
	}
	sum := sha256.Sum256(text)
	if r.seen[sum] {
		return true
	}
	r.seen[sum] = true
	return r.visit(text) && r.inside(text, func(inner []byte) bool { return r.each(inner, depth+1) })
}

// inside calls visit with the texts that are directly encoded in a text, until visit returns false.
func (r *reading) inside(text []byte, visit func([]byte) bool) bool {
	if isCompressed(text) {
		plain, whole := inflate(text)
		r.whole = r.whole && whole
		if len(plain) > 0 && !visit(plain) { // a false positive is possible, so the rest is examined too
			return false
		}
	}
	docs, rest := documents(text)
	for _, s := range joinStrings(docs) {
		if !visit([]byte(s)) {
			return false
		}
	}
	if bytes.IndexByte(rest, '\\') >= 0 && !visit(unescape(rest)) {
		return false
	}
	for from, to := range base64Run.each(text) {
		for _, plain := range decodeBase64(text[from:to]) {
			if !visit(plain) {
				return false
			}
		}
	}
	for from, to := range hexRun.each(text) {
		for _, run := range [][]byte{text[from:to], text[from+1 : to]} {
			if plain, err := hex.DecodeString(string(run[:len(run)&^1])); err == nil && mayRead(plain) && !visit(plain) {
				return false
			}
		}
	}
	for from, to := range percentRun.each(text) {
		run := text[from:to]
		for _, space := range []byte{'+', ' '} {
			if !visit(unescapePercent(run, space)) {
				return false
			}
		}
	}
	return true
}

// unescapePercent decodes percent encoding. An invalid sequence stays unchanged. plus is the byte for a plus sign.
func unescapePercent(text []byte, plus byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '%' && i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2]):
			var b [1]byte
			_, _ = hex.Decode(b[:], text[i+1:i+3]) // valid digits
			out = append(out, b[0])
			i += 2
		case c == '+':
			out = append(out, plus)
		default:
			out = append(out, c)
		}
	}
	return out
}

// unescape decodes the JSON escapes in a text outside of a JSON string, such as a log line that quotes JSON.
func unescape(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if s, n := escapeAt(text[i:]); n > 0 {
			out = append(out, s...)
			i += n
			continue
		}
		out = append(out, text[i])
		i++
	}
	return out
}

// escapeAt decodes the JSON escape or surrogate pair at the start of text. n is its length in bytes, 0 if there is
// none.
func escapeAt(text []byte) (s string, n int) {
	if text[0] != '\\' {
		return "", 0
	}
	for _, n := range [...]int{12, 6, 2} {
		if n > len(text) || n > 2 && text[n-5] != 'u' {
			continue
		}
		if s, ok := jsonx.String(slices.Concat([]byte{'"'}, text[:n], []byte{'"'})); ok {
			return s, n
		}
	}
	return "", 0
}

// decodeBase64 returns the base64 decodings of a run, for each of the four possible start offsets. It omits results
// that are neither readable nor compressed.
func decodeBase64(run []byte) (out [][]byte) {
	text := strings.NewReplacer("-", "+", "_", "/").Replace(string(run))
	for skip := range min(4, len(text)) {
		part := text[skip:]
		if len(part)%4 == 1 {
			part = part[:len(part)-1]
		}
		if len(part) < minEncoded {
			break
		}
		if plain, err := base64.RawStdEncoding.DecodeString(part); err == nil && mayRead(plain) {
			out = append(out, plain)
		}
	}
	return out
}

// mayRead reports whether a decoded text is worth examining: it is compressed or mostly printable.
func mayRead(text []byte) bool {
	if isCompressed(text) {
		return true
	}
	printable := 0
	for _, c := range text {
		if c >= ' ' && c < 0x7f || c == '\n' || c == '\t' || c == '\r' || c >= utf8.RuneSelf {
			printable++
		}
	}
	return len(text) > 0 && printable*10 >= len(text)*8
}

// isCompressed reports whether a text has the header of gzip or zlib.
func isCompressed(text []byte) bool {
	return bytes.HasPrefix(text, []byte{0x1f, 0x8b, 8}) ||
		len(text) > 6 && text[0] == 0x78 && (uint16(text[0])<<8|uint16(text[1]))%31 == 0
}

// inflate decompresses a text. It returns the readable part of a truncated text, and nil for a text that is not
// compressed. whole is false if the size limit cut the result.
func inflate(text []byte) (plain []byte, whole bool) {
	var r io.Reader
	var err error
	if text[0] == 0x78 {
		r, err = zlib.NewReader(bytes.NewReader(text))
	} else {
		r, err = gzip.NewReader(bytes.NewReader(text))
	}
	if err != nil {
		return nil, true
	}
	plain, _ = io.ReadAll(io.LimitReader(r, maxInflated+1)) // as much as is readable
	if len(plain) > maxInflated {
		return plain[:maxInflated], false
	}
	return plain, true
}

// joinStrings returns the string values of JSON documents. The values at one path of all documents are joined, because
// stream deltas have this form; so are the values of members with one name. Values of at least minEncoded bytes are
// also returned separately.
func joinStrings(docs [][]byte) []string {
	var order []string
	byPlace := map[string]*strings.Builder{}
	add := func(place, s string) {
		b := byPlace[place]
		if b == nil {
			b = &strings.Builder{}
			byPlace[place], order = b, append(order, place)
		}
		b.WriteString(s)
	}
	for _, doc := range docs {
		walk(doc, "", "", func(place, name, s string) {
			add("at "+place, s)
			add("named "+name, s)
			if len(s) >= minEncoded {
				sum := sha256.Sum256([]byte(s))
				add("alone "+place+" "+string(sum[:]), s)
			}
		})
	}
	out := make([]string, 0, len(order))
	for _, place := range order {
		out = append(out, byPlace[place].String())
	}
	return out
}

// documents returns the JSON documents in a text: the whole text, or one per line or event. rest contains the lines
// without one.
func documents(text []byte) (docs [][]byte, rest []byte) {
	if isJSON(text) {
		return [][]byte{jsonx.Trim(text)}, nil
	}
	for line := range bytes.Lines(text) {
		doc := jsonx.Trim(bytes.TrimPrefix(line, []byte("data:")))
		if isContainer(doc) && jsonx.Valid(doc) == nil {
			docs = append(docs, doc)
		} else {
			rest = append(rest, line...)
		}
	}
	return docs, rest
}

// isJSON reports whether a text is a JSON object, array or string.
func isJSON(text []byte) bool {
	text = jsonx.Trim(text)
	return isContainer(text) && jsonx.Valid(text) == nil || jsonx.ValidText(text)
}

func isContainer(v []byte) bool { return jsonx.IsObject(v) || jsonx.IsArray(v) }

// walk calls visit for each string in a document. place is its path, which includes sibling members such as "index" and
// ids, so that deltas of different calls have different paths.
func walk(v []byte, place, name string, visit func(place, name, s string)) {
	if len(place) > maxPlace {
		sum := sha256.Sum256([]byte(place))
		place = hex.EncodeToString(sum[:])
	}
	switch jsonx.KindOf(v) {
	case jsonx.Text:
		if s, ok := jsonx.String(v); ok {
			visit(place, name, s)
		}
	case jsonx.Object:
		for key, value := range jsonx.Members(v) {
			if k := jsonx.KindOf(value); (k == jsonx.Number || k == jsonx.Text) && isIndex(key.String()) {
				place += "[" + string(value) + "]"
			}
		}
		for key, value := range jsonx.Members(v) {
			walk(value, place+"/"+key.String(), key.String(), visit)
		}
	case jsonx.Array:
		for value := range jsonx.Elements(v) {
			walk(value, place+"/-", name, visit)
		}
	}
}

// isIndex reports whether a member with this name identifies the text to which a delta belongs.
func isIndex(name string) bool {
	return strings.HasSuffix(name, "index") || strings.HasSuffix(name, "_id")
}
