package judge

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/control"
	"github.com/callwright/callwright/repair"
	"github.com/callwright/callwright/schema"
)

// A Judge validates candidates against a toolset.
type Judge struct {
	Toolset     *Toolset
	Ledger      *Ledger
	Undo        Undo                       // converts arguments from the sent schemas to the declared ones
	Unvalidated bool                       // accept calls without schema validation (mode parsed)
	Mint        func(prefix string) string // makes IDs
	Used        IDSet                      // IDs of the calls in the response
	Attempt     Attempt                    // nil: no earlier IDs, and no cancellation
	// Transform changes a call before its validation and returns a note for each change. nil means none. Err is its first
	// error.
	Transform func(callwright.Call) (callwright.Call, []callwright.Note, error)
	Err       error
	Rules     callcheck.Check // configured call rules, nil if none applies
	MaxTime   time.Duration   // time limit for validating all calls of a response; 0 means defaultMaxTime
	elapsed   time.Duration   // time used so far
}

// An Attempt is the request of the response, as far as validation needs it.
type Attempt interface {
	// IDTaken reports whether a call before the response has the ID.
	IDTaken(id string) bool
	// IsStopped reports whether the client canceled the request.
	IsStopped() bool
}

// defaultMaxTime is the default of MaxTime. It limits schemas that take long to check for each of many calls.
const defaultMaxTime = 3 * time.Second

// Restart resets the state, to validate the calls of the response again.
func (j *Judge) Restart() { j.Used, j.elapsed = IDSet{}, 0 }

// isOver reports whether the time limit is exceeded or the client canceled.
func (j *Judge) isOver() bool {
	return j.elapsed > cmp.Or(j.MaxTime, defaultMaxTime) || j.Attempt != nil && j.Attempt.IsStopped()
}

// IsTaken reports whether a call in the response or before it has the ID.
func (j *Judge) IsTaken(id string) bool {
	return j.Used.Has(id) || j.Attempt != nil && j.Attempt.IDTaken(id)
}

// Sound reports whether a native call needs no change and no call rule applies. It adds no notes.
func (j *Judge) Sound(c *callwright.Call) bool {
	if !j.needsNoChange(c) {
		return false
	}
	f := j.finding(c)
	return f.Rule == ""
}

// needsNoChange reports whether a native call can be delivered unchanged.
func (j *Judge) needsNoChange(c *callwright.Call) bool {
	tg := j.Toolset.ByName[c.Name]
	if tg == nil || !tg.Admits(c.Extra) || c.ID == "" || j.IsTaken(c.ID) || j.isOver() || j.changes(c) {
		return false
	}
	if tg.Tool.Type == callwright.CustomTool || c.Type == callwright.CustomTool {
		return tg.Tool.Type == callwright.CustomTool && c.Type == callwright.CustomTool && j.fits(tg, c.Input)
	}
	args := c.Arguments
	if jsonx.Valid(args) != nil || jsonx.KindOf(args) != jsonx.Object || control.Has(args) && j.Ledger.May(controlRule) {
		return false
	}
	if j.Undo.Touches(c.Name) && !bytes.Equal(j.Undo.Arguments(c.Name, args), args) {
		return false
	}
	if j.Unvalidated {
		return true
	}
	if j.splits(args, tg) {
		return false
	}
	defer j.addElapsed(time.Now())
	return tg.schema.Fits(args)
}

// addElapsed adds the time since a check began.
func (j *Judge) addElapsed(since time.Time) { j.elapsed += time.Since(since) }

// Verdict validates a candidate and returns the verdict with the notes of its changes, which are also added to the
// Ledger.
func (j *Judge) Verdict(c *Candidate) callwright.Verdict {
	from := len(j.Ledger.Notes)
	v := j.Decide(c)
	v.Notes = append([]callwright.Note(nil), j.Ledger.Notes[from:]...)
	return v
}

// Quiet returns a copy of the judge with a separate ledger, so that notes are discarded.
func (j *Judge) Quiet() *Judge {
	quiet := *j
	quiet.Ledger = &Ledger{Policy: j.Ledger.Policy, Rules: j.Ledger.Rules}
	return &quiet
}

// Decide validates a candidate. It adds notes only to the Ledger.
func (j *Judge) Decide(c *Candidate) callwright.Verdict {
	v := j.validate(c)
	if j.Rules == nil || !v.OK {
		return v
	}
	return j.byRules(v)
}

// validate returns the verdict on a candidate without call rules.
func (j *Judge) validate(c *Candidate) callwright.Verdict {
	if j.Transform != nil && !c.Cut {
		c = j.applyTransforms(c)
	}
	tg, rule, ok := j.Toolset.ResolveTool(c.Name)
	if !ok || tg == nil || (rule != "" && !j.Ledger.May(rule)) {
		return j.reject(c, callwright.InvalidUndeclared, callwright.Violation{Keyword: "name", Message: UndeclaredMessage(c.Name, j.Toolset)})
	}
	name := tg.Tool.Name
	if !tg.Admits(c.Call.Extra) {
		who := "only the model itself"
		if tg.code {
			who = "only code that the provider runs"
		}
		return j.reject(c, callwright.InvalidUndeclared, callwright.Violation{Keyword: "name", Message: who + " may call " + name})
	}
	if rule != "" {
		j.Ledger.Add(callwright.Note{Rule: rule, Stage: callwright.StageValidate, Call: name, Was: c.Name, Now: name})
	}
	if j.Toolset.Withheld[name] != nil {
		return j.judgeWithheld(c, tg)
	}
	if c.Cut {
		return j.reject(c, callwright.InvalidTruncated,
			callwright.Violation{Keyword: "truncated", Message: "the call was cut before it was complete"})
	}
	call := c.Call
	call.ID, call.Name, call.Raw = j.id(c, name), name, ClipRaw(rawOf(c))
	if tg.Tool.Type == callwright.CustomTool {
		input, bad := j.input(c, tg)
		if bad != nil {
			return j.reject(c, bad.why, bad.violation)
		}
		call.Type, call.Input = callwright.CustomTool, input
		return callwright.Verdict{OK: true, Call: call}
	}
	call.Type, call.Input = callwright.FunctionTool, ""
	doc, bad := j.arguments(c, tg)
	if bad != nil {
		return j.reject(c, bad.why, bad.violation)
	}
	doc = j.inClientsForm(doc, c, tg)
	if call.Arguments, ok = j.splitSwallowed(doc, tg); ok {
		return callwright.Verdict{OK: true, Call: call}
	}
	if j.Unvalidated {
		call.Arguments, call.Unvalidated = doc, true
		return callwright.Verdict{OK: true, Call: call}
	}
	fitted, violations := j.coerce(doc, tg)
	if violations != nil {
		if fitted, ok = j.unwrapNestedCall(doc, c, tg); !ok {
			return j.reject(c, callwright.InvalidArguments, violations...)
		}
	}
	call.Arguments = fitted
	return callwright.Verdict{OK: true, Call: call}
}

// inClientsForm converts arguments to the client's schema and removes control characters if this is enabled.
func (j *Judge) inClientsForm(doc []byte, c *Candidate, tg *Target) []byte {
	if !c.undone {
		doc = j.undone(doc, tg.Tool.Name)
	}
	return j.clean(doc, tg.Tool.Name)
}

// coerce coerces invalid arguments and returns them, or the remaining violations.
func (j *Judge) coerce(doc []byte, tg *Target) ([]byte, []callwright.Violation) {
	if j.isOver() {
		return nil, []callwright.Violation{{Keyword: "schema", Message: "the calls of this answer take too long to check"}}
	}
	defer j.addElapsed(time.Now())
	out, changes := tg.schema.Coerce(doc, schema.Options{Disabled: j.disabledCoercion, Guesses: j.guesses(), Mend: repairString})
	if !tg.schema.Fits(out) {
		return nil, violationsOf(tg.schema.Validate(out))
	}
	j.noteChanges(changes, tg)
	return out, nil
}

// noteChanges adds notes about coercions.
func (j *Judge) noteChanges(changes []schema.Change, tg *Target) {
	if len(changes) == 0 {
		return
	}
	name := strings.Clone(callwright.Excerpt(tg.Tool.Name))
	j.Ledger.Notes = slices.Grow(j.Ledger.Notes, len(changes))
	for _, ch := range changes {
		row := coercions()[ch.Rule]
		j.Ledger.keep(callwright.Note{
			Rule: row.ID, Fault: row.Fault, Risk: row.Risk, Stage: callwright.StageValidate, Call: name, Path: ch.Path,
			Was: ch.Was, Now: ch.Now, Why: ch.Why,
		})
	}
}

// coercions returns the rules of package schema by name.
var coercions = sync.OnceValue(func() map[string]callwright.Rule {
	rows := map[string]callwright.Rule{}
	for _, r := range schema.RuleTable() {
		id := "coerce." + r.Name
		rows[r.Name] = callwright.Rule{ID: id, Fault: callwright.RuleOf(id).Fault, Risk: riskOf(id)}
	}
	return rows
})

// guesses returns schema.WithGuesses if at least one heuristic coercion is enabled, otherwise schema.NoGuesses.
func (j *Judge) guesses() schema.Guesses {
	for name, row := range coercions() {
		if row.Risk == callwright.RiskHeuristic && !j.disabledCoercion(name) {
			return schema.WithGuesses
		}
	}
	return schema.NoGuesses
}

func (j *Judge) disabledCoercion(rule string) bool {
	row := coercions()[rule]
	return !j.Ledger.may(row.ID, row.Risk)
}

// repairString returns the array or object that a string contains as malformed JSON. The result is false if there is
// none or it is incomplete. Package schema calls this function.
func repairString(text string) ([]byte, bool) {
	r, err := repair.JSON(text)
	if err != nil || r.Rest != "" || r.Unclosed > 0 {
		return nil, false
	}
	return r.JSON, true
}

func violationsOf(vs []schema.Violation) []callwright.Violation {
	out := make([]callwright.Violation, len(vs))
	for i, v := range vs {
		out[i] = callwright.Violation{Path: v.Path, Keyword: v.Keyword, Message: v.Message}
	}
	return out
}

// reject returns the verdict on an invalid candidate and notes the rejection.
func (j *Judge) reject(c *Candidate, why callwright.InvalidReason, vs ...callwright.Violation) callwright.Verdict {
	message := ""
	if len(vs) > 0 {
		message = vs[0].Message
	}
	raw := ClipRaw(rawOf(c))
	j.Ledger.Add(callwright.Note{Rule: RejectionRule(why), Stage: callwright.StageValidate, Call: c.Name, Was: raw, Why: message})
	return callwright.Verdict{Invalid: callwright.InvalidCall{
		Name: strings.Clone(callwright.Excerpt(c.Name)), ID: strings.Clone(callwright.Excerpt(c.ID)), Why: why, Raw: raw,
		Type: c.Type, Violations: vs,
	}}
}

// Unchanged rejects a candidate that is valid only after a change, and notes the rejection.
func (j *Judge) Unchanged(c *Candidate) callwright.InvalidCall {
	return j.reject(c, callwright.InvalidArguments, callwright.Violation{Keyword: "streamed",
		Message: "the arguments need a change, and a part of them was sent before"}).Invalid
}

// RejectionRule returns the rule of the note about a rejected call, such as "judge.invalid".
func RejectionRule(why callwright.InvalidReason) string { return "judge." + string(why) }

// UndeclaredMessage returns the error message for an undeclared tool name. It lists the names that the model knows.
func UndeclaredMessage(name string, s *Toolset) string {
	known := make([]string, 0, len(s.Tools))
	for i := range s.Tools {
		known = append(known, s.Naming.SentName(s.Tools[i].Name))
	}
	return "no tool is named " + string(jsonx.AppendQuote(nil, callwright.Excerpt(name))) + "; the tools are: " + joinBounded(known, 40)
}

// CleanName replaces all characters of name by '_' except letters, digits, '_', '-' and those in extra.
func CleanName(name, extra string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-', strings.ContainsRune(extra, r):
			return r
		}
		return '_'
	}, name)
}
