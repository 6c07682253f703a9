package dialect

import "strings"

// quoted reports whether what follows line on the same line is quoted: in inline code, a block quotation, a table,
// glued to the sign of a diff's line, or right after a quotation mark.
func quoted(line string) bool {
	head := strings.TrimLeft(line, " \t")
	if strings.HasPrefix(head, "> ") || strings.HasPrefix(head, "| ") || head == ">" || line == "+" || line == "-" {
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

// own reports whether a bare call may begin at t[i]: at the beginning of a line or of a list item, or after the colon of
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
		return p != '"' && p != '\'' && p != '`' && !s.isRecord(i)
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
