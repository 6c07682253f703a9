package schema

import (
	"bytes"
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
)

// A machine validates a document against nodes of a schema. If collecting is false, it stops at the first violation;
// otherwise it records all violations. The document must be valid JSON.
type machine struct {
	doc        []byte
	remember   bool         // cache the results of shared nodes
	seen       map[spot]int // the cached results: the end of the value, or -1
	collecting bool
	path       []byte // JSON pointer of the current value, while collecting
	found      []Violation
	buf        []byte // buffer for unescaped strings
}

type spot struct{ node, at int }

// maxKept is the maximum size in bytes of a buffer that a machine keeps for reuse.
const maxKept = 64 << 10

// start prepares the machine for a document.
func (m *machine) start(s *Schema, doc []byte) *machine {
	m.forget()
	m.doc, m.remember = doc, s.shared
	return m
}

// forget removes the cached results of the previous document.
func (m *machine) forget() {
	if len(m.seen) > maxKept/64 {
		m.seen = nil
	}
	clear(m.seen)
}

func (m *machine) release() {
	if cap(m.buf) > maxKept {
		m.buf = nil
	}
	m.forget()
	*m = machine{path: m.path[:0], buf: m.buf[:0], seen: m.seen}
	machines.Put(m)
}

// collect returns the violations of the whole document.
func (m *machine) collect(n *node) []Violation {
	m.collecting = true
	m.eval(n, 0)
	return m.found
}

// check validates the value at offset i against n without recording violations. It returns the end of the value, or -1
// if the value is invalid.
func (m *machine) check(n *node, i int) int {
	was := m.collecting
	m.collecting = false
	end := m.eval(n, i)
	m.collecting = was
	return end
}

// full reports whether the limit of recorded violations is reached.
func (m *machine) full() bool { return len(m.found) >= maxViolations }

// eval validates the value at offset i against n. It returns the end of the value, or -1 if the value is invalid.
// While collecting, it always returns the end.
func (m *machine) eval(n *node, i int) int {
	if n.any || m.full() {
		return jsonx.Skip(m.doc, i)
	}
	if n.shared == 0 || !m.remember {
		return m.evalNew(n, i)
	}
	key := spot{n.shared, i}
	if end, ok := m.seen[key]; ok && (end >= 0 || !m.collecting) {
		return end
	}
	end := m.evalNew(n, i)
	if m.collecting {
		return end
	}
	if m.seen == nil {
		m.seen = make(map[spot]int)
	}
	m.seen[key] = end
	return end
}

func (m *machine) evalNew(n *node, i int) int {
	var end int
	if k := kindByByte[m.doc[i]]; !n.allows(k, m.doc, i) {
		if !m.collecting {
			return -1
		}
		// other violations would be redundant for a value of the wrong type
		end = jsonx.Skip(m.doc, i)
		m.failType(n, i, end)
		return end
	}
	switch c := m.doc[i]; {
	case c == '{' && n.object != nil:
		end = m.evalObject(n, i)
	case c == '[' && n.array != nil:
		end = m.evalArray(n, i)
	case c == '{' || c == '[':
		end = m.evalJoined(n, i)
		if end < 0 && !n.joined {
			end = jsonx.Skip(m.doc, i)
		}
		if end < 0 || n.values != nil && !m.evalValues(n, i, end) {
			return -1
		}
		return end
	default:
		end = jsonx.Skip(m.doc, i)
		if !m.evalScalar(n, i, end) {
			return -1
		}
	}
	if end < 0 || n.values != nil && !m.evalValues(n, i, end) {
		return -1
	}
	if n.joined && m.evalJoined(n, i) < 0 {
		return -1
	}
	return end
}

// allows reports whether the type of the value at offset i is permitted. k is the kind derived from its first byte.
func (n *node) allows(k kindSet, doc []byte, i int) bool {
	if n.none {
		return false
	}
	if n.kinds == 0 {
		return true
	}
	if k != kindNumber || n.kinds&kindNumber == kindNumber || n.kinds&kindNumber == 0 {
		return n.kinds&k != 0
	}
	return isIntegral(doc[i:jsonx.Skip(doc, i)])
}

func (m *machine) evalScalar(n *node, i, end int) bool {
	switch v := m.doc[i:end]; {
	case v[0] == '"':
		return n.str == nil || m.evalString(n.str, v)
	case kindByByte[v[0]] == kindNumber:
		return m.evalNumber(n.number, v)
	}
	return true
}

func (m *machine) evalNumber(r numberRules, v []byte) bool {
	for _, l := range r {
		if l.breaks(l.by, v) {
			if !m.collecting {
				return false
			}
			m.fail(l.keyword, l.words+" "+l.by.text, v)
		}
	}
	return true
}

func (m *machine) evalString(r *stringRules, v []byte) bool {
	if r.min > 0 || r.max >= 0 {
		n := textLength(v)
		if n < r.min && !m.failCount("minLength", "at least", r.min, "character", v) {
			return false
		}
		if r.max >= 0 && n > r.max && !m.failCount("maxLength", "at most", r.max, "character", v) {
			return false
		}
	}
	if r.pattern != nil && len(v) > maxPatternWork/max(r.patternSize, 1) {
		if !m.collecting {
			return false
		}
		return m.fail("pattern", "text that can be held against "+r.patternText+" in bounded work", v)
	}
	if r.pattern != nil && !r.pattern.Match(m.text(v)) {
		if !m.collecting {
			return false
		}
		m.fail("pattern", "text that matches "+r.patternText, v)
	}
	if r.format != nil && r.format.Validate(string(m.text(v))) != nil {
		return m.fail("format", formatWant(r.formatName), v)
	}
	return true
}

// text returns the unescaped text of the JSON string v. It is valid until the next call.
func (m *machine) text(v []byte) []byte {
	if bytes.IndexByte(v, '\\') < 0 {
		return v[1 : len(v)-1]
	}
	m.buf = jsonx.Unquote(m.buf[:0], v)
	return m.buf
}

// textLength returns the number of characters of a JSON string.
func textLength(v []byte) int {
	n := 0
	for i := 1; i < len(v)-1; i++ {
		switch c := v[i]; {
		case c == '\\' && v[i+1] == 'u':
			if !isLowAfterHigh(v, i) {
				n++
			}
			i += 5
		case c == '\\':
			n++
			i++
		case c&0xc0 != 0x80: // not a UTF-8 continuation byte
			n++
		}
	}
	return n
}

// isLowAfterHigh reports whether the \u escape at offset i is the low half of a surrogate pair.
func isLowAfterHigh(v []byte, i int) bool {
	if i < 7 || v[i-6] != '\\' || v[i-5] != 'u' || v[i-7] == '\\' && !evenBackslashes(v, i-7) {
		return false
	}
	return isHalf(v[i-4:i], 0xd800) && isHalf(v[i+2:i+6], 0xdc00)
}

// evenBackslashes reports whether the run of backslashes ending at i has an even length, so that an escape can begin
// after it.
func evenBackslashes(v []byte, i int) bool {
	n := 0
	for i >= 0 && v[i] == '\\' {
		n++
		i--
	}
	return n%2 == 0
}

func isHalf(hex []byte, base uint64) bool {
	n, err := strconv.ParseUint(string(hex), 16, 16)
	return err == nil && n&0xfc00 == base
}

// evalValues validates the value in doc[i:end] against enum and const.
func (m *machine) evalValues(n *node, i, end int) bool {
	v := m.doc[i:end]
	for _, rule := range n.values {
		if rule.allows(m, v) {
			continue
		}
		if !m.collecting {
			return false
		}
		m.fail(rule.keyword, rule.want(), v)
	}
	return true
}

func (r valueRule) allows(m *machine, v []byte) bool {
	if v[0] == '"' {
		text := m.text(v)
		for _, l := range r.list {
			if l.kind == kindString && string(text) == l.text {
				return true
			}
		}
		return false
	}
	for _, l := range r.list {
		if l.json[0] == v[0] && l.kind&^kindNumber != 0 && bytes.Equal(l.json, v) {
			return true
		}
		if l.kind != kindString && jsonx.Equal(l.json, v) {
			return true
		}
	}
	return false
}
