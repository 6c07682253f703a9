package schema

import (
	"slices"

	"github.com/callwright/callwright/internal/jsonx"
)

// union is an anyOf or oneOf of a node.
type union struct {
	of      *node
	keyword string
}

func (u union) branches() []*node {
	if u.keyword == "anyOf" {
		return u.of.anyOf
	}
	return u.of.oneOf
}

// open returns the first union in flat that v does not satisfy and whose branch is not chosen yet.
func (f *fitter) open(flat []*node, chosen []union, v []byte) (union, bool) {
	for _, n := range flat {
		for _, keyword := range [...]string{"anyOf", "oneOf"} {
			u := union{n, keyword}
			if u.branches() == nil || slices.Contains(chosen, u) {
				continue
			}
			fits := false
			for _, b := range u.branches() {
				if fits = f.check([]*node{b}, v); fits {
					break
				}
			}
			if !fits {
				return u, true
			}
		}
	}
	return union{}, false
}

// fitUnion coerces v for the clearly intended branch of the union. If there is none or this fails, it uses the other
// branch that gives the unique best result. If there is none either, the value does not fit.
func (f *fitter) fitUnion(g goal, u union, v []byte, path string) outcome {
	asIs := outcome{json: v}
	m := machine{}
	meant := m.findOnlyBranch(u.branches(), v)
	if meant != nil {
		r := f.fit(g.with(u, meant), v, path)
		if r.fits {
			return r
		}
		asIs = r
	}
	var found []outcome
	for _, b := range u.branches() {
		if b == meant {
			continue
		}
		r := f.fit(g.with(u, b), v, path)
		if r.fits && !r.hasTextBelow(path) {
			found = append(found, r)
		}
	}
	if r, ok := single(found); ok && f.budget >= 0 {
		return r
	}
	return asIs
}

// hasTextBelow reports whether a change converted an object or array inside the value at path to a string. Another
// branch may accept the value unconverted.
func (r outcome) hasTextBelow(path string) bool {
	return slices.ContainsFunc(r.changes, func(c Change) bool { return c.Rule == ruleText && c.Path != path })
}

// shapeRules are the rules that change the structure of a value, from the best to the worst. Interpretations that
// preserve the structure are better than all of them.
var shapeRules = []string{ruleWrap, ruleSingle, ruleText}

// single returns the unique best interpretation of several. ok is false if there is none.
func single(found []outcome) (outcome, bool) {
	if len(found) == 1 {
		return found[0], true
	}
	var best []outcome
	rank := len(shapeRules)
	for _, r := range found {
		switch at := shapeRank(r); {
		case at < rank:
			best, rank = []outcome{r}, at
		case at == rank:
			best = append(best, r)
		}
	}
	for _, r := range best {
		if !jsonx.Equal(r.json, best[0].json) {
			return outcome{}, false
		}
	}
	if len(best) == 0 {
		return outcome{}, false
	}
	return best[0], true
}

func shapeRank(r outcome) int {
	if len(r.changes) == 0 {
		return -1
	}
	return slices.Index(shapeRules, r.changes[0].Rule)
}
