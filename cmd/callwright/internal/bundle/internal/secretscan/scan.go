// Package secretscan finds secrets in the texts of a record, by the forms of keys and by the names beside them, and
// hides them: also where they are encoded, or split over a stream.
package secretscan

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/redact"
)

// A Scan collects the secrets of texts. The zero Scan has none. It is not safe for concurrent use.
type Scan struct {
	kinds   map[string]string  // by secret
	removed map[removedKey]int // by what Hide counted
	full    bool               // there are more secrets than maxSecrets
	texts   []string           // those that package redact hides
	secrets redact.Secrets     // of texts, as of the first text that was hidden after the latest of them
	built   int                // how many of texts secrets has
	short   []string           // too short for package redact
}

type removedKey struct{ kind, place string }

// minSecret is the length in bytes from which a text is taken for a secret.
const minSecret = 6

// maxSecrets bounds the secrets of a Scan. With more, all texts are hidden whole.
const maxSecrets = 1000

// A Removed says how many secrets of a kind were found at a place.
type Removed struct {
	Kind  string `json:"kind"`
	Place string `json:"place"`
	Count int    `json:"count"`
}

// Learn adds secrets that are known, such as those of a configuration. They are hidden wherever they stand.
func (s *Scan) Learn(kind string, texts ...string) {
	for _, text := range texts {
		s.add(kind, text)
	}
}

// add adds a secret. It reports whether the text is one.
func (s *Scan) add(kind, text string) bool {
	text = strings.TrimSpace(text)
	if len(text) < minSecret || strings.Contains(text, redact.Mark) {
		return false
	}
	if _, known := s.kinds[text]; known {
		return true
	}
	if s.kinds == nil {
		s.kinds = map[string]string{}
	}
	if len(s.kinds) == maxSecrets {
		s.full = true
		return true
	}
	s.kinds[text] = kind
	if len(text) < redact.MinLength {
		s.short = append(s.short, text)
	} else {
		s.texts = append(s.texts, text)
	}
	return true
}

// Look finds the secrets in a text, in all texts encoded in it, and in the pieces of a stream.
func (s *Scan) Look(text []byte) {
	eachLayer(text, func(layer []byte) bool {
		s.lookAt(layer)
		return true
	})
}

// lookAt finds the secrets of one layer.
func (s *Scan) lookAt(text []byte) {
	low := bytes.ToLower(text)
	for i := range patterns {
		p := &patterns[i]
		if !p.mayMatch(low) {
			continue
		}
		for _, m := range p.re.FindAllSubmatch(text, -1) {
			secret := string(m[len(m)-1])
			switch {
			case p.only != nil && !p.only(secret):
			case p.kind == "private key":
				s.addLines(p.kind, secret)
			case p.kind == "credentials in an address":
				s.addUser(p.kind, secret)
			default:
				s.add(p.kind, secret)
			}
		}
	}
	docs, _ := documents(text)
	for _, doc := range docs {
		walk(doc, "", "", func(_, name, value string) {
			if isCredentialName(name) && isNoPlaceholder(value) && !strings.ContainsAny(value, " \n") {
				s.add("credential by its name", value)
			}
		})
	}
}

// addLines adds each line of a key, which texts have with any line ends.
func (s *Scan) addLines(kind, key string) {
	for _, line := range strings.FieldsFunc(key, func(r rune) bool { return r == '\n' || r == '\r' || r == ' ' || r == '\\' }) {
		if line = strings.TrimPrefix(line, "n"); len(line) >= redact.MinLength {
			s.add(kind, line)
		}
	}
}

// addUser adds the password in an address, or the name that stands for one.
func (s *Scan) addUser(kind, user string) {
	name, password, has := strings.Cut(user, ":")
	if !has {
		password = name
	}
	if !placeholders.MatchString(password) {
		s.add(kind, password)
	}
}

// ListRemoved lists the secrets that were hidden, by kind and place, sorted. Their texts are not in it.
func (s *Scan) ListRemoved() []Removed {
	out := []Removed{}
	for k, n := range s.removed {
		out = append(out, Removed{k.kind, k.place, n})
	}
	slices.SortFunc(out, func(a, b Removed) int { return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Kind, b.Kind)) })
	return out
}

// Leaks reports whether a text has a secret, in any layer, or may have one: it could not be read whole.
func (s *Scan) Leaks(text []byte) (leaks bool) {
	whole := eachLayer(text, func(layer []byte) bool {
		for secret := range s.kinds {
			if bytes.Contains(layer, []byte(secret)) {
				leaks = true
				return false
			}
		}
		return true
	})
	return leaks || !whole || s.full
}

// Hide returns a text without the secrets, and counts them as those of a place. It never changes text. Where a secret
// is encoded, the string or the encoded text around it is hidden. Where that is not enough, all of the text is.
func (s *Scan) Hide(place string, text []byte) []byte {
	if !s.count(place, text) {
		return withheld(text)
	}
	return s.hide(text, 0)
}

// withheld stands in place of a text whose secrets cannot be told from the rest.
func withheld(text []byte) []byte {
	if isJSON(text) {
		return jsonx.AppendQuote(nil, redact.Mark)
	}
	return []byte(redact.Mark)
}

// Text is Hide of a text that is shown beside others and counted there.
func (s *Scan) Text(text string) string {
	if whole := eachLayer([]byte(text), func([]byte) bool { return true }); !whole {
		return string(withheld([]byte(text)))
	}
	return string(s.hide([]byte(text), 0))
}

// count counts the secrets that a text has in any layer. It reports whether the text can be read whole.
func (s *Scan) count(place string, text []byte) (whole bool) {
	if s.removed == nil {
		s.removed = map[removedKey]int{}
	}
	found := map[string]bool{}
	whole = !s.full && eachLayer(text, func(layer []byte) bool {
		for secret, kind := range s.kinds {
			if !found[secret] && bytes.Contains(layer, []byte(secret)) {
				found[secret] = true
				s.removed[removedKey{kind, place}]++
			}
		}
		return true
	})
	if !whole {
		s.removed[removedKey{tooDeep, place}]++
	}
	return whole
}

// tooDeep is the kind of a text that is hidden since it cannot be read whole.
const tooDeep = "text with too much inside to look for secrets"

func (s *Scan) hide(text []byte, depth int) []byte {
	if s.built < len(s.texts) {
		s.secrets, s.built = s.secrets.With(s.texts[s.built:]...), len(s.texts)
	}
	out := s.secrets.Stream(text)
	for _, secret := range s.short {
		out = bytes.ReplaceAll(out, []byte(secret), []byte(redact.Mark))
	}
	if !s.Leaks(out) {
		return out
	}
	if depth < maxDepth {
		out = s.hideStrings(out, depth)
	}
	if !s.Leaks(out) {
		return out
	}
	isDocument := isJSON(out)
	for _, kind := range []*runKind{percentRun, escapeRun, base64Run, hexRun} {
		if !isDocument || kind != escapeRun { // the escapes of a document are those of its strings
			out = kind.replace(out, s.Leaks, redact.Mark)
		}
	}
	if !s.Leaks(out) && (!isDocument || isJSON(out)) {
		return out
	}
	return withheld(text)
}

// hideStrings hides secrets that are encoded in the JSON strings of a text: in those that hold JSON, such as arguments,
// the secret alone.
func (s *Scan) hideStrings(text []byte, depth int) []byte {
	var out []byte
	done := 0
	for i := 0; i < len(text); {
		at := bytes.IndexByte(text[i:], '"')
		if at < 0 {
			break
		}
		from := i + at
		end := jsonx.Skip(text, from)
		if end <= from+1 || end > len(text) || !jsonx.ValidText(text[from:end]) {
			i = from + 1
			continue
		}
		i = end
		inside, ok := jsonx.String(text[from:end])
		if !ok || !s.Leaks([]byte(inside)) {
			continue
		}
		out = append(append(out, text[done:from]...), jsonx.AppendQuote(nil, s.hide([]byte(inside), depth+1))...)
		done = end
	}
	if done == 0 {
		return text
	}
	return append(out, text[done:]...)
}
