package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/harmony"
	"github.com/callwright/callwright/internal/jsonx"
)

// calleeOf returns the tool that a harmony header names in any field.
func (s *Scanner) calleeOf(header string) harmony.Callee {
	return harmony.CalleeOf(header, s.names.isPlain)
}

// calleeStart returns the start of an incomplete header that ends at i, lacks its first token and names a tool. It
// returns -1 if there is none.
func (s *Scanner) calleeStart(i int) int {
	at := s.lineStart(i)
	if at < 0 || at == i || !harmony.BeginsCallee(s.t[at:i], s.names.isPlain, s.names.begins) {
		return -1
	}
	return at
}

// beginMisplaced begins a message body at i if its header names a tool in a field other than the recipient, or two
// tools. gpt-oss writes the tool as the channel, or as the role with itself as the recipient
// (github.com/openai/harmony/pull/114).
func (s *Scanner) beginMisplaced(header string, i int) bool {
	c := s.calleeOf(header)
	if c.Tool == "" {
		return false
	}
	m := harmony.Parse(header)
	isAnswer := m.Channel == "final" || m.To == "user" || m.Channel == "analysis" && !c.IsTyped
	isRecipient := m.To != "" && m.To != harmony.Speaker && m.To != "all" && m.To != "self"
	if !c.IsTorn && (isAnswer || isRecipient) {
		return false
	}
	s.think = ""
	s.beginCall(c.Tool, i)
	s.r.callee, s.r.unreadable = c, c.IsTorn
	return true
}

// isMeantAsCall reports whether a message that names its tool in the wrong field is a call. c.JSON is its body and x
// the token that ends it. If only the tool's name suggests a call, the body must satisfy the tool's parameters; a tool
// result does not.
func (s *Scanner) isMeantAsCall(c *Call, x token) bool {
	r := &s.r
	switch whole := strings.HasSuffix(c.JSON, "}"); {
	case r.callee.IsTyped || x.tag == "|call":
		return whole || len(r.track.Open) > 0
	case r.callee.IsRole || !whole || jsonx.Valid([]byte(c.JSON)) != nil:
		return false
	}
	t := s.tools.resolveTool(c.Written)
	c.Name = t.Name
	return declares(t, keysOf(c)) && s.validator.hasRequired(c)
}

// leaveMisplaced ends a message that is not a call. Its body begins at start. The header determines whether it becomes
// text or reasoning, or is removed.
func (s *Scanner) leaveMisplaced(start int) bool {
	header := s.t[s.from:start]
	isRole, m := s.r.callee.IsRole, harmony.Parse(header)
	s.recipient, s.r.callee = "", harmony.Callee{}
	if isRole {
		s.pos, s.state = start, inUnspoken
		return true
	}
	if n := strings.IndexByte(header, '<'); n > 0 {
		s.flush(s.blank(s.from + n))
		s.gap = true
	}
	s.noteHeader(s.from, start)
	s.drop(start)
	s.state = inText
	if m.Channel == "analysis" {
		s.think, s.state = "|channel", inReasoning
	}
	return true
}
