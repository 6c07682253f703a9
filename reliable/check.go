package reliable

import (
	"cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// check returns an error of KindInvalid for an invalid option, nil if all are valid.
func (o *options) check() *callwright.Error {
	wrong := func(err error) *callwright.Error {
		return callwright.Errorf("options", callwright.KindInvalid, "", "%s", err.Error())
	}
	_, policy := callwright.ParsePolicy(string(o.policy))
	_, stream := callwright.ParseStreamCalls(string(o.streamCalls))
	_, strict := callwright.ParseStrictTools(string(o.strictTools))
	_, limit := callwright.ParseToolsOverLimit(string(o.overLimit))
	if err := cmp.Or(policy, stream, strict, limit); err != nil {
		return wrong(err)
	}
	for _, m := range o.modes {
		if modes, err := caps.ParseMode(string(m)); err != nil {
			return wrong(err)
		} else if len(modes) != 1 || modes[0] != m {
			return callwright.Errorf("options", callwright.KindInvalid, "", "expected a single mode, got %q, which means %d modes", m, len(modes))
		}
	}
	if f, ok := o.marks.Lookup(o.dialect); o.dialect != "" && (!ok || !f.Renders()) {
		return callwright.Errorf("options", callwright.KindInvalid, "", "unknown dialect %q", callwright.Excerpt(o.dialect))
	}
	if o.maxCorrections < 0 {
		return callwright.Errorf("options", callwright.KindInvalid, "", "expected 0 corrections or more, got %d", o.maxCorrections)
	}
	for id := range o.rules {
		if !judge.RuleExists(id, o.marks) {
			return callwright.Errorf("options", callwright.KindInvalid, "", "unknown rule %q", callwright.Excerpt(id))
		}
	}
	for _, t := range o.transforms {
		if err := t.Check(); err != nil {
			return wrong(err)
		}
	}
	for _, f := range o.facts {
		if _, err := (caps.Caps{}).With(f); err != nil {
			return wrong(err)
		}
	}
	return nil
}
