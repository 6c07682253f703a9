package report

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
)

// An Axis is a setting in which the cells of a run differ.
type Axis string

// The axes whose values can be compared.
const (
	ModelAxis   Axis = "model"
	ModeAxis    Axis = "mode"
	PolicyAxis  Axis = "policy"
	ProfileAxis Axis = "profile"
)

// axes returns a pointer to the field of a key for each axis.
var axes = map[Axis]func(*Key) *string{
	ModelAxis:   func(k *Key) *string { return (*string)(&k.Model) },
	ModeAxis:    func(k *Key) *string { return &k.Mode },
	PolicyAxis:  func(k *Key) *string { return &k.Policy },
	ProfileAxis: func(k *Key) *string { return &k.Profile },
}

// A pairKey holds the properties that both cells of a pair share.
type pairKey struct {
	Key
	trial int
}

// A pair is two trials that differ only in the compared axis.
type pair struct{ a, b *eval.Result }

// Compare compares two values of an axis within one run by the exact McNemar test. It pairs each trial with the trial
// that differs only in that axis, and ignores pairs with a trial that does not count. The error is of KindInvalid if
// the axis is unknown or one of the values has no result.
func Compare(run eval.Header, results []eval.Result, axis Axis, a, b string) (*Comparison, error) {
	member, ok := axes[axis]
	if !ok {
		return nil, invalid("expected one of the axes model, mode, policy and profile, got %q", axis)
	}
	if a == b {
		return nil, invalid("expected two values of %s, got %q twice", axis, a)
	}
	c := &Comparison{Version: Version, Test: "mcnemar", Axis: string(axis), A: Side{a, &run}, B: Side{b, &run}}
	pairs, err := c.pairUp(results, member)
	if err != nil {
		return nil, err
	}
	c.Total = comparePairs("", pairs, func(*eval.Cell) Key { return Key{} }).Rows[0]
	for _, v := range views {
		if probe := v.key(&eval.Cell{Model: "x", Mode: "x", Policy: "x", Profile: "x"}); *member(&probe) == "" {
			c.Tables = append(c.Tables, comparePairs(v.by, pairs, v.key))
		}
	}
	c.judge()
	return c, nil
}

func invalid(format string, args ...any) error {
	return callwright.Errorf("report.compare", callwright.KindInvalid, "", format, args...)
}

// pairUp returns the counted pairs in order, and records the cells without a partner.
func (c *Comparison) pairUp(results []eval.Result, member func(*Key) *string) ([]pair, error) {
	results = inOrder(results)
	found := map[pairKey]*pair{}
	var order []*pair
	var as, bs int
	for i := range results {
		r := &results[i]
		key := pairKey{Key{r.Model, r.Mode, r.Policy, r.Profile, r.Scenario}, r.Trial}
		value := *member(&key.Key)
		if value != c.A.Name && value != c.B.Name {
			continue
		}
		*member(&key.Key) = ""
		p := found[key]
		if p == nil {
			p = &pair{}
			found[key], order = p, append(order, p)
		}
		switch {
		case value == c.A.Name && p.a == nil:
			p.a = r
			as++
		case value == c.B.Name && p.b == nil:
			p.b = r
			bs++
		}
	}
	for _, side := range []struct {
		name string
		n    int
	}{{c.A.Name, as}, {c.B.Name, bs}} {
		if side.n == 0 {
			return nil, invalid("the run has no result with the %s %q", c.Axis, side.name)
		}
	}
	return c.sift(order), nil
}

// sift returns the pairs whose trials both count. It records trials without a partner and the number of other pairs.
func (c *Comparison) sift(all []*pair) []pair {
	var out []pair
	for _, p := range all {
		switch {
		case p.b == nil:
			c.Unpaired = append(c.Unpaired, p.a.ID)
		case p.a == nil:
			c.Unpaired = append(c.Unpaired, p.b.ID)
		case !counts(p.a) || !counts(p.b):
			c.Uncounted++
		default:
			out = append(out, *p)
		}
	}
	slices.Sort(c.Unpaired)
	return out
}

// comparePairs groups pairs by key into the rows of a table and tests each row. by is the field By of the table.
func comparePairs(by string, pairs []pair, key func(*eval.Cell) Key) Table {
	a, b, seen := table{}, table{}, map[Key]*Pairs{}
	if by == "" { // the total exists even if it is empty
		a[Key{}], b[Key{}], seen[Key{}] = &tally{}, &tally{}, &Pairs{}
	}
	for _, p := range pairs {
		k := key(&p.a.Cell)
		a.add(k, p.a)
		b.add(k, p.b)
		if seen[k] == nil {
			seen[k] = &Pairs{}
		}
		seen[k].add(p)
	}
	t := join(by, a.rows(), b.rows())
	for i := range t.Rows {
		t.Rows[i].testPairs(*seen[t.Rows[i].Key])
	}
	return t
}

func (s *Pairs) add(p pair) {
	switch a, b := p.a.Outcome == eval.OK, p.b.Outcome == eval.OK; {
	case a && b:
		s.Both++
	case a:
		s.OnlyA++
	case b:
		s.OnlyB++
	default:
		s.Neither++
	}
}
