package judge

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/swallowed"
	"github.com/callwright/callwright/schema"
)

// Rules for arguments that contain the rest of their own call, because a value was not closed.
const (
	ruleSwallowed = "normalise.swallowed"
	ruleMarkedKey = "normalise.marked_key"
	// RuleSuspect is the rule of the finding about arguments that may contain the rest of their call and stay unchanged.
	RuleSuspect = "judge.swallowed"
)

// swallow is the result of looking for the rest of a call in its arguments.
type swallow struct {
	doc      []byte            // the arguments with the rest as separate members
	changes  []callwright.Note // notes about the changes from the arguments to doc
	suspects []callwright.Note // notes about ambiguous places
}

// mayBeSwallowed quickly tests whether arguments can contain the rest of their call.
func mayBeSwallowed(args []byte) bool {
	return bytes.IndexByte(args, '<') >= 0 || bytes.IndexByte(args, '>') >= 0 || bytes.Contains(args, []byte(`\u003`))
}

// swallowedIn looks for the rest of a call in its valid arguments.
func (j *Judge) swallowedIn(args []byte, tg *Target) (s swallow) {
	if tg.schema == nil || !mayBeSwallowed(args) {
		return s
	}
	list, err := jsonx.ParseObject(args)
	if err != nil {
		return s
	}
	r := swallowReader{j: j, tg: tg, list: list}
	for i := range list {
		r.readKey(&list[i])
	}
	for i := range list {
		r.readValue(&list[i])
	}
	if len(r.changes) > 0 {
		r.doc = append(list, r.rest...).Append(nil)
	}
	return r.swallow
}

// A swallowReader examines the arguments of one call.
type swallowReader struct {
	swallow
	j    *Judge
	tg   *Target
	list jsonx.List // the arguments, modified during reading
	rest jsonx.List // arguments that were inside others
}

func (r *swallowReader) isMissing(name string) bool {
	_, given := r.list.Get(name)
	_, taken := r.rest.Get(name)
	return !given && !taken && r.tg.Declares(name)
}

// note returns a note about the argument with the given key.
func (r *swallowReader) note(rule, key, was, now string) callwright.Note {
	return callwright.Note{Rule: rule, Stage: callwright.StageNormalise, Call: r.tg.Tool.Name,
		Path: "/" + jsonx.EscapeToken(key), Was: was, Now: now}
}

// readKey examines an undeclared argument name.
func (r *swallowReader) readKey(m *jsonx.Member) {
	if !strings.ContainsAny(m.Key, "<>") || r.tg.Declares(m.Key) {
		return
	}
	var missing []string
	for _, p := range r.tg.schema.Params() {
		if r.isMissing(p.Name) {
			missing = append(missing, p.Name)
		}
	}
	name, ok := swallowed.Name(m.Key, missing)
	switch {
	case ok && r.j.Ledger.May(ruleMarkedKey):
		r.changes = append(r.changes, r.note(ruleMarkedKey, m.Key, m.Key, name))
		m.Key = name
	case ok || swallowed.IsMarked(m.Key):
		r.suspects = append(r.suspects, r.note(RuleSuspect, m.Key, m.Key, ""))
	}
}

// readValue examines the value of an argument.
func (r *swallowReader) readValue(m *jsonx.Member) {
	if !swallowed.MayHold(m.Value, m.Key) {
		return
	}
	text, _ := jsonx.String(m.Value)
	v := swallowed.Read(m.Key, text, swallowed.Params{IsDeclared: r.tg.Declares, IsMissing: r.isMissing})
	switch {
	case len(v.Rest) > 0 && r.j.Ledger.May(ruleSwallowed):
		var names []string
		for _, a := range v.Rest {
			names = append(names, a.Name)
			r.rest.Set(a.Name, r.tg.schema.FromText([]string{a.Name}, a.Text, schema.Literal))
		}
		m.Value = jsonx.AppendQuote(nil, v.Head)
		r.changes = append(r.changes, r.note(ruleSwallowed, m.Key, text[len(v.Head):], strings.Join(names, ", ")))
	case v.Suspect || len(v.Rest) > 0:
		r.suspects = append(r.suspects, r.note(RuleSuspect, m.Key, text, ""))
	}
}

// splitSwallowed extracts the rest of a call from its arguments. ok is false if there is none, or if the result would
// not satisfy the schema; then a finding is noted.
func (j *Judge) splitSwallowed(doc []byte, tg *Target) (args []byte, ok bool) {
	s := j.swallowedIn(doc, tg)
	if len(s.changes) > 0 && !j.Unvalidated {
		trial := j.Quiet()
		args, violations := trial.coerce(s.doc, tg)
		if j.elapsed = trial.elapsed; violations == nil {
			for _, n := range slices.Concat(s.changes, trial.Ledger.Notes, s.suspects) {
				j.Ledger.Add(n)
			}
			return args, true
		}
	}
	for _, n := range s.changes {
		n.Rule, n.Now = RuleSuspect, ""
		j.Ledger.Add(n)
	}
	for _, n := range s.suspects {
		j.Ledger.Add(n)
	}
	return nil, false
}

// splits reports whether splitSwallowed would change the arguments.
func (j *Judge) splits(args []byte, tg *Target) bool {
	if !mayBeSwallowed(args) {
		return false
	}
	trial := j.Quiet()
	_, ok := trial.splitSwallowed(args, tg)
	j.elapsed = trial.elapsed
	return ok
}

// NoteSuspect adds a note if a call that is delivered unchanged may contain the rest of its call in an argument.
func (j *Judge) NoteSuspect(c *callwright.Call) {
	if tg := j.Toolset.ByName[c.Name]; tg != nil && c.Type != callwright.CustomTool && mayBeSwallowed(c.Arguments) {
		j.splitSwallowed(c.Arguments, tg)
	}
}

// IsSuspect reports whether a call that is delivered unchanged may contain the rest of its call in an argument.
func (j *Judge) IsSuspect(c *callwright.Call) bool {
	tg := j.Toolset.ByName[c.Name]
	if tg == nil || c.Type == callwright.CustomTool || !mayBeSwallowed(c.Arguments) {
		return false
	}
	s := j.swallowedIn(c.Arguments, tg)
	return len(s.changes)+len(s.suspects) > 0
}
