package schema

import (
	"bytes"
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
)

// skipSpace returns the index of the first byte at or after i that is not JSON white space.
func skipSpace(doc []byte, i int) int {
	for i < len(doc) && (doc[i] == ' ' || doc[i] == '\n' || doc[i] == '\r' || doc[i] == '\t') {
		i++
	}
	return i
}

// evalObject validates the object at offset start in one pass, each member against the schemas that apply to it. It
// returns the end of the object, or -1.
func (m *machine) evalObject(n *node, start int) int {
	r := n.object
	var have uint64
	count := 0
	i := skipSpace(m.doc, start+1)
	for m.doc[i] == '"' {
		at := i
		i = jsonx.Skip(m.doc, i)
		key := m.doc[at:i]
		if r.names != nil && m.eval(r.names, at) < 0 {
			return -1
		}
		i = skipSpace(m.doc, skipSpace(m.doc, i)+1)
		count++
		if i = m.evalMember(r, key, i, &have); i < 0 {
			return -1
		}
		if i = skipSpace(m.doc, i); m.doc[i] != ',' {
			break
		}
		i = skipSpace(m.doc, i+1)
	}
	end := i + 1
	if !m.evalCounts(r, start, end, count) || !m.evalRequired(r, start, end, have) || !m.evalNeeds(r, start, end) {
		return -1
	}
	return end
}

func (m *machine) evalMember(r *objectRules, key []byte, i int, have *uint64) int {
	end := -1
	name := m.text(key)
	mark := m.enter(name)
	p := r.props[string(name)]
	if p != nil && p.bit > 0 {
		*have |= 1 << (p.bit - 1)
	}
	declared := p != nil && p.node != nil
	if declared {
		end = m.eval(p.node, i)
	}
	if r.patterns != nil && (end >= 0 || !declared) {
		end, declared = m.evalPatterns(r, key, i, end, declared)
	}
	switch {
	case declared:
	case r.rest == nil:
		end = jsonx.Skip(m.doc, i)
	case r.rest.none:
		if m.collecting {
			end = jsonx.Skip(m.doc, i)
			m.failExtra(r, m.doc[i:end])
		}
	default:
		end = m.eval(r.rest, i)
	}
	m.leave(mark)
	return end
}

func (m *machine) evalPatterns(r *objectRules, key []byte, i, end int, declared bool) (int, bool) {
	for _, p := range r.patterns {
		// m.text is called again because the value's validation reuses its buffer
		if p.re.Match(m.text(key)) {
			declared = true
			if end = m.eval(p.node, i); end < 0 {
				break
			}
		}
	}
	return end, declared
}

func (m *machine) evalCounts(r *objectRules, start, end, count int) bool {
	obj := m.doc[start:end]
	if count < r.min && !m.failCount("minProperties", "at least", r.min, "member", obj) {
		return false
	}
	return r.max < 0 || count <= r.max || m.failCount("maxProperties", "at most", r.max, "member", obj)
}

func (m *machine) evalRequired(r *objectRules, start, end int, have uint64) bool {
	n := min(len(r.required), maxBits)
	if len(r.required) <= maxBits && have == 1<<n-1 {
		return true
	}
	for i, name := range r.required {
		if i < maxBits && have&(1<<i) != 0 {
			continue
		}
		if i >= maxBits {
			if _, ok := jsonx.Find(m.doc[start:end], name); ok {
				continue
			}
		}
		if !m.failRequired(r, name) {
			return false
		}
	}
	return true
}

func (m *machine) evalNeeds(r *objectRules, start, end int) bool {
	if r.needs == nil && r.needSchemas == nil {
		return true
	}
	obj := m.doc[start:end]
	for _, d := range r.needs {
		if _, ok := jsonx.Find(obj, d.key); !ok {
			continue
		}
		for _, name := range d.others {
			if _, ok := jsonx.Find(obj, name); !ok && !m.failRequired(r, name) {
				return false
			}
		}
	}
	for _, d := range r.needSchemas {
		if _, ok := jsonx.Find(obj, d.key); ok && m.eval(d.node, start) < 0 {
			return false
		}
	}
	return true
}

// evalArray validates the array at offset start in one pass. It returns the end of the array, or -1.
func (m *machine) evalArray(n *node, start int) int {
	r := n.array
	count, matches := 0, 0
	i := skipSpace(m.doc, start+1)
	for m.doc[i] != ']' {
		var end int
		mark := m.enterItem(count)
		switch {
		case count < len(r.prefix):
			end = m.eval(r.prefix[count], i)
		case r.items == nil:
			end = jsonx.Skip(m.doc, i)
		default:
			end = m.eval(r.items, i)
		}
		m.leave(mark)
		if end < 0 {
			return -1
		}
		if r.contains != nil && m.check(r.contains, i) >= 0 {
			matches++
		}
		count++
		if i = skipSpace(m.doc, end); m.doc[i] == ',' {
			i = skipSpace(m.doc, i+1)
		}
	}
	end := i + 1
	if !m.evalLengths(r, m.doc[start:end], count, matches) {
		return -1
	}
	return end
}

func (m *machine) evalLengths(r *arrayRules, arr []byte, count, matches int) bool {
	if count < r.min && !m.failCount("minItems", "at least", r.min, "item", arr) {
		return false
	}
	if r.max >= 0 && count > r.max && !m.failCount("maxItems", "at most", r.max, "item", arr) {
		return false
	}
	if r.contains != nil && matches < r.atLeast && !m.failCount("contains", "at least", r.atLeast, "matching item", arr) {
		return false
	}
	if r.contains != nil && r.atMost >= 0 && matches > r.atMost && !m.failCount("maxContains", "at most", r.atMost, "matching item", arr) {
		return false
	}
	return !r.unique || count < 2 || isUnique(arr, count) || m.fail("uniqueItems", "items that all differ", arr)
}

// isUnique reports whether no two elements of the array are equal as JSON values. count is the number of elements.
func isUnique(arr []byte, count int) bool {
	if count <= 8 {
		list := make([][]byte, 0, 8)
		for v := range jsonx.Elements(arr) {
			for _, w := range list {
				if jsonx.Equal(v, w) {
					return false
				}
			}
			list = append(list, v)
		}
		return true
	}
	seen := make(map[string]bool, count)
	var buf []byte
	for v := range jsonx.Elements(arr) {
		buf = appendCanonical(buf[:0], v)
		if seen[string(buf)] {
			return false
		}
		seen[string(buf)] = true
	}
	return true
}

// enter appends a member name to the current path. It returns the previous length, for leave.
func (m *machine) enter(name []byte) int {
	mark := len(m.path)
	if m.collecting {
		m.path = append(m.path, '/')
		for _, c := range name {
			switch c {
			case '~':
				m.path = append(m.path, "~0"...)
			case '/':
				m.path = append(m.path, "~1"...)
			default:
				m.path = append(m.path, c)
			}
		}
	}
	return mark
}

func (m *machine) enterItem(i int) int {
	mark := len(m.path)
	if m.collecting {
		m.path = strconv.AppendInt(append(m.path, '/'), int64(i), 10)
	}
	return mark
}

func (m *machine) leave(mark int) { m.path = m.path[:mark] }

// appendCanonical appends v in a canonical form: equal JSON values have equal bytes.
func appendCanonical(dst, v []byte) []byte {
	switch kindByByte[v[0]] {
	case kindObject:
		return appendCanonicalObject(dst, v)
	case kindArray:
		dst = append(dst, '[')
		for e := range jsonx.Elements(v) {
			dst = append(appendCanonical(dst, e), ',')
		}
		return append(dst, ']')
	case kindString:
		if bytes.IndexByte(v, '\\') < 0 {
			return append(dst, v...)
		}
		return jsonx.AppendQuote(dst, jsonx.Unquote(nil, v))
	case kindNumber:
		d := parseDecimal(v)
		if d.neg && !d.zero() {
			dst = append(dst, '-')
		}
		dst = append(dst, d.digits...)
		if d.zero() {
			return append(dst, '0')
		}
		return strconv.AppendInt(append(dst, 'e'), int64(d.exp), 10)
	}
	return append(dst, v...)
}
