package schema

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright/internal/jsonx"
)

// evalJoined validates the value at offset i against the subschemas in $ref, allOf, anyOf, oneOf, not and if. It
// returns the end of the value. It returns -1 if the value is invalid or n has none of these keywords.
func (m *machine) evalJoined(n *node, i int) int {
	if !n.joined {
		return -1
	}
	end := -1
	if n.ref != nil {
		if end = m.eval(n.ref, i); end < 0 {
			return -1
		}
	}
	for _, sub := range n.allOf {
		if end = m.eval(sub, i); end < 0 {
			return -1
		}
	}
	if n.anyOf != nil {
		if end = m.evalAnyOf(n, i); end < 0 {
			return -1
		}
	}
	if n.oneOf != nil {
		if end = m.evalOneOf(n, i); end < 0 {
			return -1
		}
	}
	if n.not != nil && m.check(n.not, i) >= 0 && !m.failNot(n, i) {
		return -1
	}
	if n.cond != nil && !m.evalCondition(n, i) {
		return -1
	}
	if end < 0 {
		end = jsonx.Skip(m.doc, i)
	}
	return end
}

func (m *machine) evalAnyOf(n *node, i int) int {
	for _, sub := range n.anyOf {
		if end := m.check(sub, i); end >= 0 {
			return end
		}
	}
	return m.failUnion("anyOf", n.anyOf, i)
}

func (m *machine) evalOneOf(n *node, i int) int {
	fit, end := 0, -1
	for _, sub := range n.oneOf {
		if e := m.check(sub, i); e >= 0 {
			fit, end = fit+1, e
		}
		if fit > 1 {
			break
		}
	}
	switch {
	case fit == 1:
		return end
	case fit == 0:
		return m.failUnion("oneOf", n.oneOf, i)
	case m.collecting:
		m.fail("oneOf", "exactly one of these, not several at once: "+wantAny(n.oneOf), m.doc[i:end])
		return end
	}
	return -1
}

func (m *machine) failNot(n *node, i int) bool {
	if m.collecting {
		m.fail("not", "anything but "+n.not.want(), m.doc[i:jsonx.Skip(m.doc, i)])
	}
	return m.collecting
}

func (m *machine) evalCondition(n *node, i int) bool {
	branch := n.then
	if m.check(n.cond, i) < 0 {
		branch = n.other
	}
	return branch == nil || m.eval(branch, i) >= 0
}

// failUnion records the violations of a value that matches no branch of a union. If one branch was clearly intended,
// these are its violations; otherwise it is one violation of the union.
func (m *machine) failUnion(keyword string, branches []*node, i int) int {
	if !m.collecting {
		return -1
	}
	end := jsonx.Skip(m.doc, i)
	if meant := m.findOnlyBranch(branches, m.doc[i:end]); meant != nil {
		return m.eval(meant, i)
	}
	m.fail(keyword, wantAny(branches), m.doc[i:end])
	return end
}

// findOnlyBranch returns the only branch for which v is plausible by its type and its discriminating members, nil if
// there is none or more than one.
func (m *machine) findOnlyBranch(branches []*node, v []byte) *node {
	var only *node
	for _, b := range branches {
		if !m.plausible([]*node{b}, v) {
			continue
		}
		if only != nil {
			return nil
		}
		only = b
	}
	return only
}

// plausible reports whether v may be intended for the schemas of view: its type is allowed, and members with an enum
// or const have matching types or values.
func (m *machine) plausible(view []*node, v []byte) bool {
	flat := flatten(view...)
	k := kindOf(v)
	for _, n := range flat {
		if n.may&k == 0 {
			return false
		}
		for _, rule := range n.values {
			if !rule.allowsKind(k) {
				return false
			}
		}
	}
	if k != kindObject {
		return true
	}
	for key, value := range jsonx.Members(v) {
		for _, child := range flatten(childrenOf(flat, key.String())...) {
			for _, rule := range child.values {
				if !rule.allows(m, value) {
					return false
				}
			}
		}
	}
	return true
}

func (r valueRule) allowsKind(k kindSet) bool {
	return slices.ContainsFunc(r.list, func(l literal) bool { return l.kind == k })
}

// flatten returns nodes with all schemas reached from them through $ref and allOf.
func flatten(nodes ...*node) []*node {
	if len(nodes) == 1 && nodes[0] != nil && !nodes[0].any && nodes[0].ref == nil && nodes[0].allOf == nil {
		return nodes[:1:1]
	}
	var out []*node
	var seen map[*node]bool // used only for many nodes
	var add func(nodes ...*node)
	add = func(nodes ...*node) {
		for _, n := range nodes {
			if n == nil || n.any || seen[n] || seen == nil && slices.Contains(out, n) {
				continue
			}
			out = append(out, n)
			if seen != nil {
				seen[n] = true
			} else if len(out) == 16 {
				seen = make(map[*node]bool)
				for _, n := range out {
					seen[n] = true
				}
			}
			if n.ref != nil {
				add(n.ref)
			}
			add(n.allOf...)
		}
	}
	add(nodes...)
	return out
}

// childrenOf returns the schemas in view for the member with the given name.
func childrenOf(view []*node, name string) []*node { return appendChildren(nil, view, name) }

func appendChildren(out, view []*node, name string) []*node {
	for _, n := range view {
		r := n.object
		if r == nil {
			continue
		}
		p := r.props[name]
		declared := p != nil && p.node != nil
		if declared {
			out = append(out, p.node)
		}
		for _, p := range r.patterns {
			if p.re.MatchString(name) {
				declared = true
				out = append(out, p.node)
			}
		}
		if !declared && r.rest != nil {
			out = append(out, r.rest)
		}
	}
	return out
}

// itemOf returns the schemas in view for the array element with index i.
func itemOf(view []*node, i int) []*node {
	var out []*node
	for _, n := range view {
		switch r := n.array; {
		case r == nil:
		case i < len(r.prefix):
			out = append(out, r.prefix[i])
		case r.items != nil:
			out = append(out, r.items)
		}
	}
	return out
}

// appendCanonicalObject appends an object with its members sorted by name.
func appendCanonicalObject(dst, v []byte) []byte {
	var list [][2][]byte
	for key, value := range jsonx.Members(v) {
		list = append(list, [2][]byte{jsonx.Unquote(nil, key), value})
	}
	slices.SortStableFunc(list, func(a, b [2][]byte) int { return bytes.Compare(a[0], b[0]) })
	dst = append(dst, '{')
	for _, kv := range list {
		dst = append(jsonx.AppendQuote(dst, kv[0]), ':')
		dst = append(appendCanonical(dst, kv[1]), ',')
	}
	return append(dst, '}')
}
