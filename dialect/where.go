package dialect

import "strings"

// quoted reports whether what follows line on the same line is quoted: in inline code, a block quotation, a table, or
// right after a quotation mark.
func quoted(line string) bool {
	head := strings.TrimLeft(line, " \t")
	if strings.HasPrefix(head, "> ") || strings.HasPrefix(head, "| ") || head == ">" {
		return true
	}
	if line != "" {
		switch line[len(line)-1] {
		case '\'', '"':
			return true
		}
		if strings.HasSuffix(line, "“") || strings.HasSuffix(line, "‘") || strings.HasSuffix(line, "«") {
			return true
		}
	}
	return inCode(line)
}

// inCode reports whether a code span is open at the end of line.
func inCode(line string) bool {
	open := 0
	for i := 0; i < len(line); {
		if line[i] != '`' {
			n := strings.IndexByte(line[i:], '`')
			if n < 0 {
				break
			}
			i += n
			continue
		}
		n := 1
		for i+n < len(line) && line[i+n] == '`' {
			n++
		}
		switch open {
		case 0:
			open = n
		case n:
			open = 0
		}
		i += n
	}
	return open != 0
}

// own tells whether a bare call may begin at t[i]: at the beginning of a line or of a list item, or after the colon of
// its lead-in.
func (s *Scanner) own(i int) bool {
	k := 0
	c := s.before(i, k)
	for c == ' ' || c == '\t' || c == '\\' || c == '*' {
		k++
		c = s.before(i, k)
	}
	switch c {
	case '\n', 0:
		return true
	case ':':
		p := s.before(i, k+1)
		return p != '"' && p != '\'' && p != '`'
	}
	return strings.IndexByte("-+.)\xa2", c) >= 0 && isItem(s.line(i))
}

// isItem reports whether a line holds nothing but the mark of a list item.
func isItem(line string) bool {
	line = strings.TrimSpace(line)
	switch line {
	case "-", "*", "•", "+":
		return true
	}
	n := len(line) - 1
	if n < 1 || n > 3 || line[n] != '.' && line[n] != ')' {
		return false
	}
	for _, c := range line[:n] {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// presenting are words of a sentence that shows something rather than doing it.
var presenting = []string{
	"example", "e.g.", "for instance", "illustrat", "syntax", "template", "alternativ", "format is", "format looks", "format:", "formatted like", "is written as",
	"written like", "definition", "these tools", "available tools", "available functions", "wrote", "log line", "logged", "quoted", "you can call", "you could",
	"you might", "schema", "documentation", "instead of", "rather than", "do not run", "do not use", "do not call", "don't run", "don't use", "don't call", "never run",
	"never call", "fixture", "the test", "already ran", "i ran", "it returned", "file contains", "expected output",
}

// mentioning are words that stand right before markup that is shown in a sentence.
var mentioning = []string{"written as", "written like", "syntax is", "format is", "looks like", "look like", "for example", "e.g.", "form is", "such as"}

// mentions reports whether the sentence on line shows what follows on the same line.
func mentions(line string) bool {
	if strings.TrimSpace(line) == "" {
		return false
	}
	s := strings.ToLower(lastSentence(line))
	for _, w := range mentioning {
		if strings.HasPrefix(s, w) || strings.HasSuffix(s, w) {
			return true
		}
	}
	return false
}

// offering are words of a question that leaves the decision to the reader.
var offering = []string{"would you like me", "shall i ", "should i ", "do you want me", "may i ", "tell me which", "which one do you"}

// offers reports whether a text asks the reader before anything is done.
func offers(text string) bool {
	s := strings.ToLower(text)
	for _, w := range offering {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// presents reports whether the last sentence of lead shows what follows as an example, a format, an alternative or a
// quotation.
func presents(lead string) bool {
	s := strings.ToLower(lastSentence(lead))
	if s == "or" || strings.HasPrefix(s, "or ") || strings.HasPrefix(s, "or,") || s == "as in" {
		return true
	}
	if strings.HasPrefix(s, "either") || strings.HasPrefix(s, "as in") || strings.HasPrefix(s, "like this") || strings.HasPrefix(s, "such as") {
		return true
	}
	for _, w := range presenting {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// lastSentence is the last sentence of a text, without the marks that end it.
func lastSentence(lead string) string {
	lead = strings.TrimRight(lead, " \t\r\n:*`")
	if n := strings.LastIndex(lead, "\n\n"); n >= 0 {
		lead = lead[n+2:]
	}
	for _, end := range [...]string{". ", "! ", "? ", ".\n"} {
		if n := strings.LastIndex(lead, end); n >= 0 && !strings.HasSuffix(lead[:n], "e.g") {
			lead = lead[n+len(end):]
		}
	}
	return strings.TrimSpace(lead)
}

// maxName bounds the length of a name as written.
const maxName = 160

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.' || c == ':' || c == '\\' || c == '/'
}

// word is where the run of name bytes that ends at i begins; ok is false when the text before it goes on as a name.
func (s *Scanner) word(i int) (at int, ok bool) {
	at = i
	for at > s.from && i-at < maxName && isNameByte(s.t[at-1]) {
		at--
	}
	if at == i {
		return i, false
	}
	c := s.before(at, 0)
	return at, !isNameByte(c) || isJoint(c)
}

func isJoint(c byte) bool { return c == '.' || c == ':' || c == '/' }

// parts calls yield with each place in the word that ends at i where a name may begin, until it returns true.
func (s *Scanner) parts(i int, yield func(at int) bool) bool {
	at, ok := s.word(i)
	if ok && at < i && yield(at) {
		return true
	}
	for k := at; k < i-1; k++ {
		if isJoint(s.t[k]) && yield(k+1) {
			return true
		}
	}
	return false
}

// nameBefore finds the declared name that ends at i.
func (s *Scanner) nameBefore(i int) (at int, ok bool) {
	ok = s.parts(i, func(p int) bool {
		at = p
		_, found := s.names.plain(s.t[p:i])
		return found
	})
	return at, ok
}

// nameStart is where a word begins that ends at i and may yet become a declared name.
func (s *Scanner) nameStart(i int) int {
	at := i
	s.parts(i, func(p int) bool {
		if s.names.begins(s.t[p:i]) {
			at = p
			return true
		}
		return false
	})
	return at
}
