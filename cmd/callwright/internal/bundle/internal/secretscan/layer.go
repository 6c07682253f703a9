package secretscan

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"iter"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/jsonx"
)

// Bounds of decoding encoded texts.
const (
	maxDepth    = 8
	maxInflated = 8 << 20 // bytes of one compressed text
	minEncoded  = 12      // characters of one that is encoded
)

// Texts that may be encoded.
var (
	base64Run  = regexp.MustCompile(`[A-Za-z0-9+/_-]{12,}={0,2}`)
	hexRun     = regexp.MustCompile(`(?:[0-9a-fA-F]{2}){12,}`)
	percentRun = regexp.MustCompile(`[^\s"'<>]*%[0-9A-Fa-f]{2}[^\s"'<>]*`)
)

// layers yields a text and the texts that are encoded in it: in JSON strings, also where these are split over a stream,
// in base64, in hexadecimal, by percent signs, and compressed. Texts that are no UTF-8 are yielded, too.
func layers(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		r := reading{seen: map[[sha256.Size]byte]bool{}, yield: yield}
		r.each(text, 0)
	}
}

// A reading is a walk through layers, each of which is yielded once.
type reading struct {
	seen  map[[sha256.Size]byte]bool
	yield func([]byte) bool
}

// each yields a text and all in it. It is false where no more is wanted.
func (r *reading) each(text []byte, depth int) bool {
	sum := sha256.Sum256(text)
	if r.seen[sum] {
		return true
	}
	r.seen[sum] = true
	if !r.yield(text) {
		return false
	}
	if depth == maxDepth {
		return true
	}
	for inner := range inside(text) {
		if !r.each(inner, depth+1) {
			return false
		}
	}
	return true
}

// inside yields the texts that are encoded in a text, one level deep.
func inside(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if plain := inflated(text); plain != nil {
			yield(plain)
			return
		}
		for _, s := range joined(text) {
			if !yield([]byte(s)) {
				return
			}
		}
		for _, run := range base64Run.FindAll(text, -1) {
			for _, plain := range unbased(run) {
				if !yield(plain) {
					return
				}
			}
		}
		for _, run := range hexRun.FindAll(text, -1) {
			if plain, err := hex.DecodeString(string(run)); err == nil && mayRead(plain) && !yield(plain) {
				return
			}
		}
		for _, run := range percentRun.FindAll(text, -1) {
			for _, unescape := range []func(string) (string, error){url.PathUnescape, url.QueryUnescape} {
				if plain, err := unescape(string(run)); err == nil && plain != string(run) && !yield([]byte(plain)) {
					return
				}
			}
		}
	}
}

// unbased returns the base64 decodings of a text, by each place at which it may begin. Texts that are neither readable
// nor compressed are left out.
func unbased(run []byte) (out [][]byte) {
	text := strings.NewReplacer("-", "+", "_", "/", "=", "").Replace(string(run))
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

// mayRead reports whether a decoded text is worth looking into.
func mayRead(text []byte) bool {
	if inflated(text) != nil {
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

// inflated returns the content of a text that is compressed by gzip or zlib, nil for another. One that is cut has its
// beginning.
func inflated(text []byte) []byte {
	var r io.Reader
	switch {
	case bytes.HasPrefix(text, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			return nil
		}
		r = z
	case len(text) > 6 && text[0] == 0x78 && (uint16(text[0])<<8|uint16(text[1]))%31 == 0:
		z, err := zlib.NewReader(bytes.NewReader(text))
		if err != nil {
			return nil
		}
		r = z
	default:
		return nil
	}
	plain, _ := io.ReadAll(io.LimitReader(r, maxInflated)) // as far as it goes
	if len(plain) == 0 {
		return nil
	}
	return plain
}

// joined returns the strings of the JSON texts in a text, in lines or events: those at one place of all of them joined,
// as a stream brings the pieces of one text, and those of members of one name.
func joined(text []byte) []string {
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
	for _, doc := range documents(text) {
		walk(doc, "", "", func(place, name, s string) {
			add("at "+place, s)
			add("named "+name, s)
			if len(s) >= minEncoded {
				add("alone "+place+" "+s, s)
			}
		})
	}
	out := make([]string, 0, len(order))
	for _, place := range order {
		out = append(out, byPlace[place].String())
	}
	return out
}

// documents returns the JSON texts in a text: it is one, has one a line, or has one in each event.
func documents(text []byte) (out [][]byte) {
	if trimmed := jsonx.Trim(text); isContainer(trimmed) && jsonx.Valid(trimmed) == nil {
		return [][]byte{trimmed}
	} else if jsonx.ValidText(trimmed) {
		return [][]byte{trimmed}
	}
	for line := range bytes.Lines(text) {
		line = jsonx.Trim(bytes.TrimPrefix(line, []byte("data:")))
		if isContainer(line) && jsonx.Valid(line) == nil {
			out = append(out, line)
		}
	}
	return out
}

func isContainer(v []byte) bool { return jsonx.IsObject(v) || jsonx.IsArray(v) }

// walk visits the strings of a document. A place has the indexes and ids beside it, so that the pieces of two calls are
// told apart.
func walk(v []byte, place, name string, visit func(place, name, s string)) {
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

// isIndex reports whether a member of this name says which of several texts a piece belongs to.
func isIndex(name string) bool {
	return strings.HasSuffix(name, "index") || strings.HasSuffix(name, "_id")
}
