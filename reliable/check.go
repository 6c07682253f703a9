package reliable

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/repair"
)

// check reports what is wrong with the options of a Client, as the configuration would.
func (o *options) check() *callwright.Error {
	wrong := func(err error) *callwright.Error {
		return callwright.Errorf("options", callwright.KindInvalid, "", "%s", err.Error())
	}
	if _, err := callwright.ParsePolicy(string(o.policy)); err != nil {
		return wrong(err)
	}
	if _, err := callwright.ParseStreamCalls(string(o.streamCalls)); err != nil {
		return wrong(err)
	}
	if _, err := callwright.ParseStrictTools(string(o.strictTools)); err != nil {
		return wrong(err)
	}
	for _, m := range o.modes {
		if modes, err := caps.ParseMode(string(m)); err != nil {
			return wrong(err)
		} else if len(modes) != 1 || modes[0] != m {
			return callwright.Errorf("options", callwright.KindInvalid, "", "expected a single mode, got %q, which stands for %d", m, len(modes))
		}
	}
	if f, ok := dialect.Lookup(o.dialect); o.dialect != "" && (!ok || !f.Renders()) {
		return callwright.Errorf("options", callwright.KindInvalid, "", "unknown dialect %q", callwright.Excerpt(o.dialect))
	}
	if o.maxCorrections < 0 {
		return callwright.Errorf("options", callwright.KindInvalid, "", "expected 0 corrections or more, got %d", o.maxCorrections)
	}
	for id := range o.rules {
		if !ruleExists(id) {
			return callwright.Errorf("options", callwright.KindInvalid, "", "unknown rule %q", callwright.Excerpt(id))
		}
	}
	for _, f := range o.facts {
		if _, err := (caps.Caps{}).With(f); err != nil {
			return wrong(err)
		}
	}
	return nil
}

// ruleExists reports whether notes may have this rule.
func ruleExists(id string) bool {
	row := callwright.RuleOf(id)
	name, family := strings.CutPrefix(id, strings.TrimSuffix(row.ID, "*"))
	switch {
	case row.ID == "" || id == row.ID && strings.HasSuffix(id, "*"):
		return false
	case row.ID == "json.*" && family:
		return slices.ContainsFunc(repair.Rules(), func(r repair.Rule) bool { return r.Name == name })
	case row.ID == "dialect.*" && family:
		_, ok := dialect.Lookup(name)
		return ok
	}
	return true
}
