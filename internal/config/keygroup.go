package config

import (
	"reflect"

	"github.com/callwright/callwright/internal/access"
)

// KeyGroups are groups of access keys in the order of the file. In a file they are a mapping from names to groups.
type KeyGroups []KeyGroup

// A KeyGroup contains the limits that the access keys of a group share. Each key may have further limits of its own.
type KeyGroup struct {
	Name     string      `json:"-"`
	Requests int         `json:"requests_per_minute,omitempty" default:"no limit" jsonschema:"requests to models"`
	Tokens   int         `json:"tokens_per_minute,omitempty" default:"no limit" jsonschema:"tokens: input, including cached input, and output"`
	Spend    KeySpend    `json:"spend,omitempty" default:"no limit" jsonschema:"the budget in US dollars"`
	Limits   ModelLimits `json:"limits,omitempty" default:"none" jsonschema:"further limits by model name or pattern: requests_per_minute, tokens_per_minute and spend. The first that matches a request applies"`
}

func (l *KeyGroups) read(d *decoder, at location) {
	for _, m := range d.members(at) {
		one := KeyGroup{Name: m.key}
		d.value(m, reflect.ValueOf(&one).Elem())
		*l = append(*l, one)
	}
}

// AccessGroups returns the groups as the type of package access.
func (l KeyGroups) AccessGroups() (out []access.Group) {
	for i := range l {
		g := &l[i]
		out = append(out, access.Group{Name: g.Name, Limits: limitsOf(g.Requests, g.Tokens, &g.Spend), PerModel: g.Limits.access()})
	}
	return out
}

// has reports whether the list contains a group with that name.
func (l KeyGroups) has(name string) bool {
	for i := range l {
		if l[i].Name == name {
			return true
		}
	}
	return false
}

// access returns the limits as the type of package access.
func (l ModelLimits) access() (out []access.ModelLimits) {
	for i := range l {
		out = append(out, access.ModelLimits{Models: l[i].Models, Limits: limitsOf(l[i].Requests, l[i].Tokens, &l[i].Spend)})
	}
	return out
}

// keyGroups reports errors in the groups of access keys.
func (k *checker) keyGroups() {
	for i := range k.c.Groups {
		g := &k.c.Groups[i]
		path := joinPath("groups", g.Name)
		if k.bad(path) {
			continue
		}
		if err := access.CheckName(g.Name); err != nil {
			k.fail(path, "%v", err)
		}
		k.limits(path, g.Requests, g.Tokens, g.Spend.USD)
		k.modelLimits(joinPath(path, "limits"), g.Limits)
	}
}

// modelLimits reports limits of models that are not above 0, and warns of patterns that match no model.
func (k *checker) modelLimits(path string, limits ModelLimits) {
	for i := range limits {
		l := &limits[i]
		below := joinPath(path, l.Models)
		k.limits(below, l.Requests, l.Tokens, l.Spend.USD)
		if !k.fitsSomething(l.Models) {
			k.warn(below, "%q matches no model: expected %s", l.Models, k.c.describeNames())
		}
	}
}

// groupOf reports an invalid group name of an access key. An unknown group is only a warning, since the admin API can
// create groups.
func (k *checker) groupOf(path string, a *AccessKey) {
	if a.Group == "" || k.c.Groups.has(a.Group) || k.bad("groups") {
		return
	}
	if err := access.CheckName(a.Group); err != nil {
		k.fail(path, "%v", err)
		return
	}
	var names []string
	for i := range k.c.Groups {
		names = append(names, k.c.Groups[i].Name)
	}
	k.warn(path, "%v: requests with the key %q are refused until callwright keys or the API creates the group",
		unknown("group", a.Group, names), a.Name)
}
