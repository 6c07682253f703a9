package dialect

import (
	"cmp"
	"strings"

	"github.com/callwright/callwright/dialect/internal/callshape"
	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/literal"
	"github.com/callwright/callwright/repair"
)

// take parses the current value, which ends at offset end, and emits or rejects its calls.
func (s *Scanner) take(end int) {
	v, r := s.view(), &s.r
	text := v[r.body:end]
	s.work += len(text)
	open := 0
	cutText := r.inDelimited && s.ended && end == len(v)
	if r.named && !cutText && s.hasLiterals() {
		if s.takeLiteral(text, end) {
			return
		}
	}
	if r.delimited {
		text = literal.Quote(text)
	}
	r.inDelimited, r.delimited = false, false
	if cutText && r.named {
		s.refuseCall(&Call{Written: r.name, JSON: text, Truncated: true}, Truncated, end)
		return
	}
	if s.ended && end == len(v) {
		open = r.openBrackets(text)
	}
	switch {
	case text[0] == '(' && r.named:
		c := &Call{Written: r.name, open: open}
		if !pythonArgs(s.tools.resolveTool(c.Written), c, text) {
			c.JSON, c.Truncated = text, open > 0
			r.bare.extra.name, r.bare.extra.truncated = r.name, open > 0
			s.refuseCall(c, Malformed, end)
			return
		}
		s.emitAlone(c, end)
	case r.named && open == 0 && s.takeUnquoted(text, end):
	case r.named:
		s.emit(&Call{Written: r.name, JSON: text, open: open}, end)
	default:
		s.takeCalls(text, open, end)
	}
}

// hasLiterals reports whether the current call uses the literal notation of its format.
func (s *Scanner) hasLiterals() bool {
	r := &s.r
	f := s.marks.rows[r.format]
	return r.delimited || f != nil && f.literals || strings.HasPrefix(r.name, "call:") || strings.Contains(r.name, "default_api:")
}

// takeLiteral parses arguments in the literal notation of their format. It returns false if they are not valid.
func (s *Scanner) takeLiteral(text string, end int) bool {
	r := &s.r
	if s.ended && end == len(s.view()) && r.openBrackets(text) > 0 {
		return false
	}
	t := s.tools.resolveTool(r.name)
	json, fixes, ok := literal.Read(text, t.types())
	if !ok {
		return false
	}
	for i := range fixes {
		fixes[i].Was = clip(fixes[i].Was)
	}
	r.inDelimited, r.delimited = false, false
	r.ignored = r.ignored || t != nil && t.param("parameters") == nil && callshape.HoldsDefinition([]byte(json))
	c := &Call{Written: r.name, JSON: json, Fixes: fixes}
	refuseLost(&s.tools, text, []*Call{c})
	s.emit(c, end)
	return true
}

// takeUnquoted parses arguments with unquoted keys and strings in an unknown format, if they are not JSON.
func (s *Scanner) takeUnquoted(text string, end int) bool {
	if s.r.marked || len(text) < 2 || !chars.IsLetter(text[1]) {
		return false
	}
	_, err := repair.JSON(text)
	return err != nil && s.takeLiteral(text, end)
}

// takeCalls parses calls that contain their tool names.
func (s *Scanner) takeCalls(text string, open int, end int) {
	r := &s.r
	b := readValue(&s.tools, text)
	b.name = cmp.Or(b.name, r.prior)
	r.ignored = r.ignored || b.defines || b.strange && s.r.isOpen(catalogue)
	if r.marked && !r.isExample {
		s.giveLate()
		r.said = r.said || b.envelope || b.content != ""
		s.q.extras(&b)
	} else if !r.marked {
		r.bare.extra = b
	}
	if len(b.calls) == 0 && len(r.bare.calls) > 0 && !b.envelope {
		b.calls = append(b.calls, &Call{Written: callshape.WrittenName(text, s.tools.resolves), JSON: text, unreadable: true})
	}
	if b.mayLack() {
		refuseLost(&s.tools, text, b.calls)
	}
	at := r.at
	for i, c := range b.calls {
		if i == len(b.calls)-1 && !b.elements {
			c.open = open
		}
		r.at = at
		s.emit(c, end)
	}
	if len(b.calls) == 0 && r.prior != "" && !b.unreadable {
		s.emit(&Call{Written: r.prior, JSON: text, open: open}, end)
		return
	}
	if len(b.calls) == 0 && r.marked && !r.ignored && (b.truncated || b.name != "" || b.strange) {
		s.refuseCall(&Call{Written: b.name, JSON: text, Truncated: b.truncated}, Malformed, end)
	}
}
