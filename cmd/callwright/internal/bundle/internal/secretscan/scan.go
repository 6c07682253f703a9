// Package secretscan finds secrets in the texts of a trace, by the formats of known keys and by the names next to them,
// and hides them. It also finds secrets that are encoded or split over the deltas of a stream.
package secretscan

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/redact"
)

// A Scan collects the secrets of texts and hides them. The zero Scan is ready for use. It is not safe for concurrent
// use.
type Scan struct {
	kinds   map[string]string  // kind of each secret
	removed map[removedKey]int // number of hidden secrets by kind and place
	full    bool               // there are more than maxSecrets secrets
	texts   []string           // secrets that package redact hides
	secrets redact.Secrets     // built from the first elements of texts
	built   int                // number of texts in secrets
	short   []string           // secrets too short for package redact
}

type removedKey struct{ kind, place string }

// minSecret is the minimum length of a secret in bytes.
const minSecret = 6

// maxSecrets is the maximum number of secrets in a Scan. If there are more, all texts are hidden completely.
const maxSecrets = 1000

// A Removed is the number of secrets of one kind that were hidden at one place.
type Removed struct {
	Kind  string `json:"kind"`
	Place string `json:"place"`
	Count int    `json:"count"`
}

// Learn adds known secrets, such as those of a configuration. They are hidden wherever they occur.
func (s *Scan) Learn(kind string, texts ...string) {
	for _, text := range texts {
		s.add(kind, text)
	}
}

// add adds a secret unless it is known. It returns false if the text has fewer than minSecret bytes or contains the
// placeholder of a hidden secret.
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

// Look finds the secrets in a text and in all texts encoded in it, also across the deltas of a stream.
func (s *Scan) Look(text []byte) {
	eachLayer(text, func(layer []byte) bool {
		s.lookAt(layer)
		return true
	})
}

// lookAt finds the secrets in a text without decoding it.
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

// addLines adds each line of a multi-line key, because texts differ in their line breaks.
func (s *Scan) addLines(kind, key string) {
	for _, line := range strings.FieldsFunc(key, func(r rune) bool { return r == '\n' || r == '\r' || r == ' ' || r == '\\' }) {
		if line = strings.TrimPrefix(line, "n"); len(line) >= redact.MinLength {
			s.add(kind, line)
		}
	}
}

// addUser adds the password of "user:password" in a URL, or the user name if there is no password.
func (s *Scan) addUser(kind, user string) {
	name, password, has := strings.Cut(user, ":")
	if !has {
		password = name
	}
	if !placeholders.MatchString(password) {
		s.add(kind, password)
	}
}

// ListRemoved returns the numbers of hidden secrets, sorted by place and kind. It does not contain the secrets.
func (s *Scan) ListRemoved() []Removed {
	out := []Removed{}
	for k, n := range s.removed {
		out = append(out, Removed{k.kind, k.place, n})
	}
	slices.SortFunc(out, func(a, b Removed) int { return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Kind, b.Kind)) })
	return out
}

// Leaks reports whether a text contains a secret in any layer. It is also true if the text cannot be decoded
// completely, or if the Scan has found more than maxSecrets secrets.
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

// Hide returns a copy of text without the secrets, and counts them for place. If a secret is encoded, it hides the
// encoded text or JSON string around it. If that does not suffice, it hides the whole text.
func (s *Scan) Hide(place string, text []byte) []byte {
	if !s.count(place, text) {
		return withheld(text)
	}
	return s.hide(text, 0)
}

// withheld returns the placeholder for a text that is hidden completely.
func withheld(text []byte) []byte {
	if isJSON(text) {
		return jsonx.AppendQuote(nil, redact.Mark)
	}
	return []byte(redact.Mark)
}

// Text is like Hide for a text that occurs in other files too. It does not count the secrets.
func (s *Scan) Text(text string) string {
	if whole := eachLayer([]byte(text), func([]byte) bool { return true }); !whole {
		return string(withheld([]byte(text)))
	}
	return string(s.hide([]byte(text), 0))
}

// count counts the secrets that a text contains in any layer. whole is false if it cannot be decoded completely.
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

// tooDeep is the kind in ListRemoved for texts that are hidden because they cannot be decoded completely.
const tooDeep = "text that is too complex to search for secrets"

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
		if !isDocument || kind != escapeRun { // escapes in a JSON document belong to its strings
			out = kind.replace(out, s.Leaks, redact.Mark)
		}
	}
	if !s.Leaks(out) && (!isDocument || isJSON(out)) {
		return out
	}
	return withheld(text)
}

// hideStrings hides secrets that are encoded in JSON strings of a text. In a string that contains JSON, such as
// arguments, only the secret is hidden.
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
