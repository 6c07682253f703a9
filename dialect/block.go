package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// blockAt returns the marker at v[i:] if it begins an argument block (BEGIN_ARG:) after a call's name.
func (s *Scanner) blockAt(v string, i int) (token, tristate) {
	if v[i] == '<' || v[i] == '[' {
		return token{}, no
	}
	x, found := s.lex(v, i, s.ended)
	if found == yes && (x.role != Value || x.close) {
		return x, no
	}
	return x, found
}

// blocks is the state between arguments that are written as blocks of lines (BEGIN_ARG: to END_ARG), in the order of
// the tool's parameters. It returns false if more text is needed.
func (s *Scanner) blocks() bool {
	v, r := s.view(), &s.r
	if !s.passThought(v) {
		return false
	}
	if r.i == len(v) {
		return s.rest()
	}
	x, found := s.blockAt(v, r.i)
	switch found {
	case maybe:
		return false
	case no:
		s.state = inHead
		return true
	}
	key, ok := s.nextParam()
	if !ok {
		s.refuseCall(&Call{Written: r.name, Args: r.args}, Malformed, r.i)
		s.state = inHead
		return true
	}
	r.shape = x.format
	r.i += x.n
	r.key, r.closing, r.body, r.keyed, r.lines = key, x.tag, r.i, false, true
	s.state = inBlockStart
	return true
}

// nextParam returns the parameter for the next argument without a key. ok is false if the tool has no more parameters.
// For an undeclared tool the name is "" and ok is true.
func (s *Scanner) nextParam() (string, bool) {
	t := s.tools.resolveTool(s.r.name)
	n := len(s.r.args)
	switch {
	case t == nil:
		return "", true
	case n >= len(t.Params):
		return "", false
	}
	return t.Params[n].Name, true
}

// blockStart skips reasoning before the text of a block. It returns false if more text is needed.
func (s *Scanner) blockStart() bool {
	v, r := s.view(), &s.r
	if !s.passThought(v) {
		return false
	}
	if strings.TrimSpace(v[r.body:r.i]) != "" {
		r.body = r.i
	}
	s.state = inBlock
	return true
}

// block scans to the end of an argument block. It returns false if more text is needed.
func (s *Scanner) block() bool {
	text, found := s.seek('E', (*Scanner).closesBlock)
	if found != yes {
		return found == no && s.argumentCut()
	}
	if !strings.Contains(text, "\n") {
		text = strings.TrimSpace(text) // a block on one line
	}
	s.argue(text)
	s.state = inBlocks
	return true
}

// closesBlock reports whether the block ends at v[i:], and the size of the marker that ends the block.
func (s *Scanner) closesBlock(v string, i int) (int, tristate) {
	r := &s.r
	x, found := s.lex(v, i, s.ended)
	end := i + x.n
	switch {
	case found != yes:
		return 0, found
	case !x.close || x.tag != r.closing || i > r.body && !chars.IsSpace(v[i-1]):
		return 0, no
	case end == len(v):
		return x.n, atEnd(s.ended)
	}
	return x.n, yesIf(chars.IsSpace(v[end]) || v[end] == '<')
}

// passThought moves r.i past white space and past reasoning that special tokens enclose. It returns false if more text
// is needed.
func (s *Scanner) passThought(v string) bool {
	r := &s.r
	for s.r.skipSpace(v) && v[r.i] == '<' {
		x, found := s.lex(v, r.i, s.ended)
		if found == maybe {
			return false
		}
		if found == no || x.role != Think || !x.special || x.close {
			return true
		}
		end, found := s.passedThought(v, r.i+x.n, x.tag)
		if found != yes {
			return found == no
		}
		r.i = end
	}
	return r.i < len(v) || s.ended
}

// passedThought returns the offset after the reasoning in v[i:] that a special token with the given tag opened. The
// state is no if the reasoning is not closed within chars.MaxTag bytes or before the end of the response.
func (s *Scanner) passedThought(v string, i int, tag string) (int, tristate) {
	limit := min(len(v), i+chars.MaxTag)
	for ; i < limit; i++ {
		n := strings.IndexByte(v[i:limit], '<')
		if n < 0 {
			break
		}
		i += n
		switch x, found := s.lex(v, i, s.ended); {
		case found == maybe:
			return i, maybe
		case found == yes && x.close && x.tag == tag:
			return i + x.n, yes
		}
	}
	return i, unless(s.ended || limit < len(v))
}
