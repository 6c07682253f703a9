package access

import (
	"context"
	"fmt"
)

// A Group is a set of keys that share limits. Each key may have limits of its own in addition.
type Group struct {
	Name     string
	Limits   Limits
	PerModel []ModelLimits
}

// checkGroups returns an error for invalid and duplicate groups.
func checkGroups(groups []Group) error {
	names := map[string]bool{}
	for i := range groups {
		g := &groups[i]
		if err := CheckName(g.Name); err != nil {
			return err
		}
		if names[g.Name] {
			return fmt.Errorf("two groups have the name %q", g.Name)
		}
		names[g.Name] = true
		if err := checkModels(g.PerModel); err != nil {
			return fmt.Errorf("%q: %w", g.Name, err)
		}
	}
	return nil
}

// A share is the group of a caller with its budgets. It must not be changed.
type share struct {
	group   *Group
	account *account
	models  []*budget // budgets of the group's limits for models
}

func (s *share) isMetered() bool {
	return s.group.Limits.Tokens > 0 || s.group.Limits.Spend.USD > 0 || len(s.group.PerModel) > 0
}

// fillGroups sets the groups of a ring. Their limits apply immediately to the counts of their names. The caller holds
// mu.
func (g *Gate) fillGroups(r *ring, groups []Group) {
	r.groups = make(map[string]*share, len(groups))
	for i := range groups {
		one := &groups[i]
		a := g.grouped[one.Name]
		if a == nil {
			a = newAccount(g, one.Name, true)
			g.grouped[one.Name] = a
		}
		a.setLimits(g, &one.Limits, one.PerModel)
		r.groups[one.Name] = &share{one, a, a.budgets(g, one.PerModel)}
	}
}

// Group returns the name of the key's group, or "" for none.
func (c *Caller) Group() string { return c.key.Group }

// A GroupUsage is the use of a group's limits by all its keys.
type GroupUsage struct {
	Group  string  `json:"group"`
	Limits []Limit `json:"limits"`
}

// GroupUsage returns the use of a group's limits. ok is false for an unknown group.
func (g *Gate) GroupUsage(ctx context.Context, name string) (u GroupUsage, ok bool) {
	g.refresh()
	s := g.currentRing().groups[name]
	if s == nil {
		return GroupUsage{}, false
	}
	return GroupUsage{name, s.limits(ctx)}, true
}

func (s *share) limits(ctx context.Context) []Limit {
	out := s.account.own.limits(ctx, []Limit{})
	for _, b := range s.models {
		out = b.limits(ctx, out)
	}
	return out
}
