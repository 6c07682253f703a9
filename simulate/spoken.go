package simulate

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// promptWords is a prompt as a list of words. Each word is used for at most one argument. A nil *promptWords has no
// words.
type promptWords struct {
	words []spokenWord
	used  []bool
	last  int // index after the last used word; 0 for none
}

// A spokenWord is a word of a prompt without punctuation, or a quoted text.
type spokenWord struct {
	text   string
	quoted bool
	first  bool // first word of a sentence
	ends   bool // punctuation follows
	comma  bool // a comma follows
}

// splitPrompt splits a prompt into words and quoted texts.
func splitPrompt(prompt string) *promptWords {
	s := &promptWords{}
	first := true
	for rest := strings.TrimSpace(prompt); rest != ""; rest = strings.TrimSpace(rest) {
		if close := closing[rest[0]]; close != "" {
			if end := strings.Index(rest[1:], close); end > 0 && !strings.Contains(rest[1:1+end], "\n") {
				text := rest[1 : 1+end]
				rest, first = strings.TrimLeft(rest[2+end:], "?.!"), false
				s.words = append(s.words, spokenWord{text: text, quoted: true, comma: strings.HasPrefix(rest, ",")})
				continue
			}
		}
		word := rest
		if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
			word = rest[:i]
		}
		rest = rest[len(word):]
		text := strings.TrimRight(strings.TrimLeft(word, `("'[{`), `.,;:!?)"'}]`)
		if text != "" {
			s.words = append(s.words, spokenWord{text: text, first: first, ends: !strings.HasSuffix(word, text),
				comma: strings.HasSuffix(word, ",")})
		}
		first = strings.HasSuffix(word, ".") || strings.HasSuffix(word, "!") || strings.HasSuffix(word, "?") || strings.HasSuffix(word, ":")
	}
	s.used = make([]bool, len(s.words))
	return s
}

var closing = map[byte]string{'"': `"`, '`': "`"}

// wordsOf splits an identifier into lower-case words: "filePath", "file_path" and "file-path" become "file" and "path".
func wordsOf(name string) []string {
	var out []string
	var b strings.Builder
	end := func() {
		if b.Len() > 0 {
			out = append(out, b.String())
			b.Reset()
		}
	}
	small := false
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			small = false
			continue
		case unicode.IsUpper(r) && small:
			end()
		}
		small = !unicode.IsUpper(r)
		b.WriteRune(unicode.ToLower(r))
	}
	end()
	return out
}

// linking are words that may precede a value, as in "the unit is celsius".
var linking = strings.Fields("is = of to at named called as the equals be should for from in with :")

// findValue returns the index of the word that is the value of the argument key in the prompt: "the unit is celsius",
// "days: 3", "path=a.txt". ok is false if there is none or the word was used before.
func (s *promptWords) findValue(key string) (place int, ok bool) {
	if s == nil {
		return 0, false
	}
	want := wordsOf(key)
	for i := range s.words {
		if len(want) == 0 || i+len(want) > len(s.words) {
			break
		}
		n := 0
		if slices.Equal(wordsOf(s.words[i].text), want) {
			n = 1
		} else if s.same(i, want) {
			n = len(want)
		}
		for j := i + n; n > 0 && j < len(s.words); j++ {
			if w := s.words[j]; w.quoted || !slices.Contains(linking, strings.ToLower(w.text)) {
				return j, !s.used[j]
			}
		}
	}
	return 0, false
}

func (s *promptWords) same(at int, want []string) bool {
	for j, w := range want {
		if strings.ToLower(s.words[at+j].text) != w {
			return false
		}
	}
	return true
}

// names reports whether the prompt contains a value for the optional argument key.
func (s *promptWords) names(key string, schemas []*node) bool {
	if s == nil {
		return false
	}
	for _, n := range schemas {
		kinds := kindsOf(n)
		if list := n.at("enum").list(); list != nil {
			return s.oneOf(list, key) >= 0
		}
		if slices.Contains(kinds, "object") || slices.Contains(kinds, "array") {
			return false
		}
		at, ok := s.findValue(key)
		if ok && (slices.Contains(kinds, "integer") || slices.Contains(kinds, "number")) {
			return rational(s.words[at].text) != nil
		}
		if ok && slices.Contains(kinds, "string") {
			return s.words[at].quoted || strings.ContainsAny(s.words[at].text, "0123456789./@:") || unicode.IsUpper([]rune(s.words[at].text)[0])
		}
	}
	return false
}

// oneOf returns the index of the enum value that the prompt contains, -1 for none.
func (s *promptWords) oneOf(enum []*node, key string) int {
	if s == nil {
		return -1
	}
	at, told := s.findValue(key)
	best := -1
	for i, e := range enum {
		text := e.str() + e.number()
		for j, w := range s.words {
			if text == "" || !strings.EqualFold(w.text, text) &&
				!(e.is("string") && len(text) > 3 && strings.EqualFold(strings.TrimSuffix(w.text, "s"), text)) {
				continue
			}
			if told && j == at {
				return i
			}
			if best < 0 && (len(text) > 1 || told) && !e.is("number") {
				best = i
			}
		}
	}
	return best
}

// truth returns "true" or "false" if the prompt contains a Boolean for the argument key; otherwise ok is false.
func (s *promptWords) truth(key string) (string, bool) {
	if at, ok := s.findValue(key); ok {
		switch strings.ToLower(s.words[at].text) {
		case "true", "yes", "on":
			return "true", true
		case "false", "no", "off":
			return "false", true
		}
	}
	return "", false
}

// number returns the number for the argument key in the prompt, or else the first unused number. fits selects valid
// ones.
func (s *promptWords) number(key string, fits func(string) bool) (string, bool) {
	read := func(i int) (string, bool) {
		text := strings.TrimPrefix(s.words[i].text, "$")
		if _, err := strconv.ParseFloat(text, 64); err != nil || strings.ContainsAny(text, "xX_+") || !validNumber(text) || !fits(text) {
			return "", false
		}
		s.used[i] = true
		return text, true
	}
	if at, ok := s.findValue(key); ok {
		if v, ok := read(at); ok {
			return v, true
		}
	}
	if s == nil {
		return "", false
	}
	for i := range s.words {
		if s.used[i] || s.words[i].quoted {
			continue
		}
		if v, ok := read(i); ok {
			return v, true
		}
	}
	return "", false
}

// validNumber reports whether a text is a JSON number.
func validNumber(text string) bool {
	n, err := parseNode([]byte(text))
	return err == nil && n.is("number")
}

// word returns the text for the argument key in the prompt, or else the first unused word that looks like a value: a
// quoted text, a path, an address or a capitalized name. fits selects valid ones.
func (s *promptWords) word(key string, fits func(string) bool) (string, bool) {
	if s == nil {
		return "", false
	}
	if at, ok := s.findValue(key); ok {
		if v := s.run(at); fits(v) && (s.words[at].quoted || !isSmallWord(v)) {
			s.mark(at, v)
			return v, true
		}
	}
	for _, looks := range []func(spokenWord) bool{
		func(w spokenWord) bool { return w.quoted },
		func(w spokenWord) bool { return strings.ContainsAny(w.text, "/@_.") && !validNumber(w.text) },
		func(w spokenWord) bool { return !w.first && unicode.IsUpper([]rune(w.text)[0]) && w.text != "I" },
	} {
		for i, w := range s.words {
			if s.used[i] || !looks(w) {
				continue
			}
			if v := s.run(i); fits(v) {
				s.mark(i, v)
				return v, true
			}
		}
	}
	return "", false
}

// isSmallWord reports whether a text consists of letters and starts with a lower-case one.
func isSmallWord(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) < 0 && unicode.IsLower([]rune(text)[0])
}

// run returns the word at an index and the capitalized words after it, such as "New York".
func (s *promptWords) run(at int) string {
	text := s.words[at].text
	if s.words[at].quoted || !unicode.IsUpper([]rune(text)[0]) {
		return text
	}
	for i := at + 1; i < len(s.words) && !s.words[i-1].ends && !s.words[i].quoted && !s.used[i] &&
		unicode.IsUpper([]rune(s.words[i].text)[0]); i++ {
		text += " " + s.words[i].text
	}
	return text
}

// mark marks the words of value, from index at, as used.
func (s *promptWords) mark(at int, value string) {
	n := 1
	if !s.words[at].quoted {
		n = len(strings.Fields(value))
	}
	s.last = min(at+n, len(s.used))
	for i := at; i < s.last; i++ {
		s.used[i] = true
	}
}

// listsMore reports whether the last used word belongs to a list and a similar word follows, as in "Oslo, Rome and
// Paris".
func (s *promptWords) listsMore() bool {
	at := s.last
	if at == 0 || at >= len(s.words) {
		return false
	}
	joined := s.words[at-1].comma
	if strings.ToLower(s.words[at].text) == "and" || s.words[at].text == "&" {
		joined = true
		at++
	}
	s.last = 0
	return joined && at < len(s.words) && !s.used[at] && alike(s.words[at], s.words[at-1], s.words[max(0, at-2)])
}

// alike reports whether w has the style of one of the others: quoted, or with a capital letter.
func alike(w spokenWord, others ...spokenWord) bool {
	capital := func(w spokenWord) bool { return !w.quoted && unicode.IsUpper([]rune(w.text)[0]) }
	return slices.ContainsFunc(others, func(o spokenWord) bool { return o.quoted && w.quoted || capital(o) && capital(w) })
}
