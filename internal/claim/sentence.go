package claim

import "strings"

// A scanner returns the sentences of a text that its writer states. It skips code blocks, quotations, tables, letters,
// and lines of other speakers.
type scanner struct {
	text   string
	at     int
	line   string // rest of the current line
	fence  string // marker of the open code block, such as ```
	letter bool   // inside a letter
	shown  bool   // after a line that announces an example
}

// next returns the next sentence. ok is false at the end of the text.
func (s *scanner) next() (sentence string, ok bool) {
	for {
		if s.line != "" {
			sentence, s.line = cutSentence(s.line)
			if sentence != "" {
				return sentence, true
			}
			continue
		}
		if s.at >= len(s.text) {
			return "", false
		}
		line := s.text[s.at:]
		if n := strings.IndexByte(line, '\n'); n >= 0 {
			line = line[:n]
		}
		s.at += len(line) + 1
		if s.isSaid(strings.TrimSpace(line)) {
			s.line = trimMarker(strings.TrimSpace(line))
		}
	}
}

// isSaid reports whether a line is prose of the writer. It tracks the blocks that lines open and close.
func (s *scanner) isSaid(line string) bool {
	mark := fenceOf(line)
	switch {
	case s.fence != "":
		if mark == line && strings.HasPrefix(mark, s.fence) {
			s.fence = ""
		}
		return false
	case mark != "":
		s.fence = mark
		return false
	case line == "":
		return false
	case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "***"):
		s.letter, s.shown = false, false
		return false
	case beginsLetter(line):
		s.letter = true
		return false
	case s.letter, strings.ContainsAny(line[:1], ">|<{[\"") || strings.HasPrefix(line, "“"):
		return false
	case isSpoken(line):
		return false
	}
	if presents(line) {
		s.shown = true
		return false
	}
	return !s.shown
}

// fenceOf returns the code block marker at the start of a line, such as ```, "" for none.
func fenceOf(line string) string {
	for _, c := range "`~" {
		if n := len(line) - len(strings.TrimLeft(line, string(c))); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// beginsLetter reports whether a line is the first line of a letter or an email.
func beginsLetter(line string) bool {
	line = strings.Trim(line, "*_ ")
	for _, head := range [...]string{"Subject:", "Dear ", "To:", "Betreff:"} {
		if strings.HasPrefix(line, head) {
			return true
		}
	}
	for _, greeting := range [...]string{"Hi ", "Hello ", "Hey "} {
		if strings.HasPrefix(line, greeting) && strings.HasSuffix(line, ",") {
			return true
		}
	}
	return false
}

// speakers are the names of speakers in a dialogue.
var speakers = setOf("user assistant agent customer support ai bot system human me you client example before after note tip input output expected q a")

// isSpoken reports whether a line begins with a speaker's name and a colon, such as "User: hello".
func isSpoken(line string) bool {
	line = strings.TrimLeft(line, "*_#- ")
	name, _, ok := strings.Cut(line, ":")
	return ok && isInSet(strings.Trim(name, "*_ "), speakers)
}

var examples = setOf("example examples e.g template sample instance draft mock hypothetical")

// presents reports whether a line announces an example and ends in a colon.
func presents(line string) bool {
	return strings.HasSuffix(strings.TrimRight(line, "*_ "), ":") && hasWord(line, examples)
}

// trimMarker removes a Markdown list, heading or emphasis marker at the start of a line.
func trimMarker(line string) string {
	line = strings.TrimLeft(line, "#*-+•_ \t")
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	if digits > 0 && digits < 4 && digits+1 < len(line) && (line[digits] == '.' || line[digits] == ')') && line[digits+1] == ' ' {
		line = strings.TrimLeft(line[digits+1:], " *_")
	}
	return line
}

// cutSentence returns the first sentence of a line and the rest. A sentence ends after a full stop, question mark or
// exclamation mark before white space, outside of quotations and code.
func cutSentence(line string) (sentence, rest string) {
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '`':
			if strings.IndexByte(line[i+1:], c) >= 0 {
				quote = c
			}
		case (c == '.' || c == '!' || c == '?') && (i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t' || line[i+1] == '*'):
			if c == '.' && isShort(line[:i]) {
				continue
			}
			return strings.TrimSpace(line[:i+1]), strings.TrimLeft(line[i+1:], "* \t")
		}
	}
	return strings.TrimSpace(line), ""
}

var short = setOf("e.g i.e etc vs mr mrs ms dr st no approx")

// isShort reports whether a text ends with an abbreviation that is written with a full stop.
func isShort(text string) bool {
	at := strings.LastIndexAny(text, " (\t")
	return isInSet(text[at+1:], short)
}
