package dialect

import (
	"slices"
	"strings"
)

// isShown reports whether what stands at t[i:] is shown by what stands around it: it is quoted on its line, or its line
// belongs to a table, a diff or an indented block of code.
func (s *Scanner) isShown(i int) bool {
	line := s.line(i)
	if quoted(line) {
		return true
	}
	row := line == "" || line[0] == '<' || strings.IndexByte(line, '|') >= 0
	if !row && !isChange(line) && !isIndented(line) {
		return false
	}
	above := s.lead(i)
	above = above[:max(0, len(above)-len(line))]
	switch {
	case row && inRows(above), isChange(line) && inHunk(above):
		return true
	}
	return isIndented(line) && !isDeep(line) && isBlock(above)
}

// isIndented reports whether a line is indented as far as code is.
func isIndented(line string) bool {
	return strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
}

// isDeep reports whether a line is indented further than a block of code in prose is: the whole answer is laid out so.
func isDeep(line string) bool {
	return strings.HasPrefix(line, "        ")
}

// isChange reports whether a line begins as those of a hunk do.
func isChange(line string) bool {
	return line != "" && strings.IndexByte("+- \\", line[0]) >= 0
}

// lastLine splits the last line off a text, which ends with the line's end.
func lastLine(text string) (rest, line string) {
	text = strings.TrimSuffix(text, "\n")
	n := strings.LastIndexByte(text, '\n') + 1
	return text[:n], strings.TrimRight(text[n:], "\r")
}

// isBlock reports whether an indented line below a text is code: a paragraph of the text ends with an empty line, and
// nothing but indented lines follow it. Below a list item, indented lines go on with the item.
func isBlock(above string) bool {
	apart := false
	for above != "" {
		var line string
		above, line = lastLine(above)
		switch {
		case strings.TrimSpace(line) == "":
			apart = true
		case isIndented(line):
			apart = false
		default:
			return apart && !startsItem(strings.TrimLeft(line, " "))
		}
	}
	return false
}

// startsItem reports whether a line begins with the mark of a list item.
func startsItem(line string) bool {
	mark, _, ok := strings.Cut(line, " ")
	return ok && isItem(mark)
}

// inRows reports whether a line below a text is a row of a table: the rows above it go up to the line of dashes. The rows
// of a table with outer bars begin with one, and a line without is none of them.
func inRows(above string) bool {
	for above != "" {
		var line string
		above, line = lastLine(above)
		if !strings.Contains(line, "|") {
			return false
		}
		if strings.Contains(line, "--") && strings.Trim(line, "|-: \t") == "" {
			return !strings.HasPrefix(strings.TrimLeft(line, " \t"), "|")
		}
	}
	return false
}

// inHunk reports whether a line below a text is one of a diff: all lines above it, up to the head of the hunk, are lines
// of one, too.
func inHunk(above string) bool {
	for above != "" {
		var line string
		above, line = lastLine(above)
		switch {
		case strings.HasPrefix(line, "@@ "):
			return true
		case line != "" && !isChange(line):
			return false
		}
	}
	return false
}

// Marks that a merge leaves around two versions of some lines.
const (
	conflictOpen  = "<<<<<<<"
	conflictClose = ">>>>>>>"
)

// lookConflict decides whether the lines of a merge conflict begin at t[i:]. They are shown.
func (s *Scanner) lookConflict(i int) tristate {
	t := s.t[i:]
	switch {
	case len(t) <= len(conflictOpen):
		return yesMaybe(!s.ended && strings.HasPrefix(conflictOpen, t))
	case !strings.HasPrefix(t, conflictOpen) || t[len(conflictOpen)] == '<' || s.nested || !s.atLineStart(i):
		return no
	}
	s.pos = i + len(conflictOpen)
	s.state = (*Scanner).conflict
	return yes
}

// conflict is text between the marks of a merge conflict.
func (s *Scanner) conflict() bool {
	for {
		n := strings.IndexByte(s.t[s.pos:], '>')
		if n < 0 {
			s.pos = len(s.t)
			s.flush(s.pos)
			return false
		}
		i := s.pos + n
		t := s.t[i:]
		if !s.ended && len(t) < len(conflictClose) && strings.HasPrefix(conflictClose, t) {
			s.pos = i
			s.flush(s.blank(i))
			return false
		}
		s.pos = i + 1
		if strings.HasPrefix(t, conflictClose) && s.atLineStart(i) {
			s.pos = i + len(conflictClose)
			s.state = (*Scanner).text
			return true
		}
	}
}

// askers are beginnings of lines in which somebody asks, in a dialogue or an example of one.
var askers = []string{"user", "human", "input", "question", "q", "customer", "query", "request", "prompt", "utterance", "client"}

// isRecord reports whether the lead-in that ends in a colon before t[i] is a part of something recorded or drawn: a prompt
// of an interpreter or the time of a log line in brackets, a message between two parties of a diagram, or the answer of
// somebody whose question is the line above.
func (s *Scanner) isRecord(i int) bool {
	line := strings.TrimRight(s.line(i), " \t:*\\")
	if n := len(line); n > 1 && line[n-1] == ']' && '0' <= line[n-2] && line[n-2] <= '9' {
		return true
	}
	if n := strings.Index(line, "->"); n > 0 && strings.Trim(line[:n], " \t-") != "" {
		return true
	}
	return isSpeaker(line) && s.asked(i)
}

// doers are words before a colon that announce a call; they name nobody who speaks.
var doers = []string{"action", "function", "tool"}

// isSpeaker reports whether a line is one word, as a speaker's name is.
func isSpeaker(line string) bool {
	return line != "" && !strings.ContainsAny(line, " \t") && !slices.Contains(doers, strings.ToLower(strings.Trim(line, "*")))
}

// asked reports whether the line above the one of t[i] is a question, under the label of who asks.
func (s *Scanner) asked(i int) bool {
	above := s.lead(i)
	above = above[:max(0, len(above)-len(s.line(i)))]
	_, line := lastLine(above)
	who, what, ok := strings.Cut(line, ":")
	return ok && strings.TrimSpace(what) != "" && slices.Contains(askers, strings.ToLower(strings.Trim(who, " \t*")))
}
