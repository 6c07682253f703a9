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

// A Judge checks candidates against a toolset.
type Judge struct {
	Toolset     *Toolset
	Ledger      *Ledger
	Undo        Undo                       // brings arguments back to the form of the tools' own schemas
	Unvalidated bool                       // calls pass without a check against their schema (mode parsed)
	Mint        func(prefix string) string // makes ids
	Used        IDSet                      // ids of the calls of the answer
	Attempt     Attempt                    // nil: no ids were in use before the answer, and somebody waits for it
	// Transform changes a call before it is judged, with a note for each change; nil: none does. Err is why one could
	// not.
	Transform func(callwright.Call) (callwright.Call, []callwright.Note, error)
	Err       error
	Rules     callcheck.Check // the call rules of the configuration, nil where none can fit
	MaxTime   time.Duration   // bounds the checks of the answer's calls together, 0: defaultMaxTime
	elapsed   time.Duration   // how long they took
}

// An Attempt is the request that the answer is for, as far as the judge asks about it.
type Attempt interface {
	// IDTaken reports whether an id was in use before the answer.
	IDTaken(id string) bool
	// Stopped reports whether nobody waits for the answer any more.
	IsStopped() bool
}

// defaultMaxTime bounds the work on the calls of one answer: schemas can be written that take long to check, for each
// of many calls.
const defaultMaxTime = 3 * time.Second

// Restart has the answer's calls judged anew, as if none had been.
func (j *Judge) Restart() { j.Used, j.elapsed = IDSet{}, 0 }

// isOver reports whether no further call of the answer is checked.
func (j *Judge) isOver() bool {
	return j.elapsed > cmp.Or(j.MaxTime, defaultMaxTime) || j.Attempt != nil && j.Attempt.IsStopped()
}

// IsTaken reports whether an id is in use, in the answer or before it.
func (j *Judge) IsTaken(id string) bool {
	return j.Used.Has(id) || j.Attempt != nil && j.Attempt.IDTaken(id)
}

// Sound reports whether a native call needs no change, and no call rule says anything of it. It is quick and makes no
// notes.
func (j *Judge) Sound(c *callwright.Call) bool {
	if !j.needsNoChange(c) {
		return false
	}
	f := j.finding(c)
	return f.Rule == ""
}

// needsNoChange reports whether a native call can be handed on as it came.
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

// addElapsed counts the time since a check began.
func (j *Judge) addElapsed(since time.Time) { j.elapsed += time.Since(since) }

// Verdict validates a candidate: name resolved, arguments repaired, coerced and validated. The verdict has the notes of
// its changes; they are in the Ledger too.
func (j *Judge) Verdict(c *Candidate) callwright.Verdict {
	from := len(j.Ledger.Notes)
	v := j.Decide(c)
	v.Notes = append([]callwright.Note(nil), j.Ledger.Notes[from:]...)
	return v
}

// Quiet is a copy of the judge that leaves no notes.
func (j *Judge) Quiet() *Judge {
	quiet := *j
	quiet.Ledger = &Ledger{Policy: j.Ledger.Policy, Rules: j.Ledger.Rules}
	return &quiet
}

// Decide is Verdict, with the notes in the Ledger alone.
func (j *Judge) Decide(c *Candidate) callwright.Verdict {
	v := j.validate(c)
	if j.Rules == nil || !v.OK {
		return v
	}
	return j.byRules(v)
}

// validate is the verdict on a candidate before the call rules.
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

// inClientsForm is arguments in the form of the client's own schema, without characters that no text needs.
func (j *Judge) inClientsForm(doc []byte, c *Candidate, tg *Target) []byte {
	if !c.undone {
		doc = j.undone(doc, tg.Tool.Name)
	}
	return j.clean(doc, tg.Tool.Name)
}

// coerce coerces the arguments where they break the schema and returns the violations that are left.
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

// noteChanges notes the coercions.
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

// coercions are the rules by which package schema changes values, by their names there.
var coercions = sync.OnceValue(func() map[string]callwright.Rule {
	rows := map[string]callwright.Rule{}
	for _, r := range schema.RuleTable() {
		id := "coerce." + r.Name
		rows[r.Name] = callwright.Rule{ID: id, Fault: callwright.RuleOf(id).Fault, Risk: riskOf(id)}
	}
	return rows
})

// guesses says whether any coercion that guesses is switched on, by the policy or by its id.
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

// repairString returns the array or object that a string holds as JSON. It serves schema, for values inside the
// arguments.
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

// reject is the verdict on a candidate that cannot be run, with the note that says so.
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

// RejectionRule is the rule of the note on a call that is rejected.
func RejectionRule(why callwright.InvalidReason) string { return "judge." + string(why) }

// UndeclaredMessage says that no tool has a name, and which names there are, as the receiver knows them.
func UndeclaredMessage(name string, s *Toolset) string {
	known := make([]string, 0, len(s.Tools))
	for i := range s.Tools {
		known = append(known, s.Naming.SentName(s.Tools[i].Name))
	}
	return "no tool is named " + string(jsonx.AppendQuote(nil, callwright.Excerpt(name))) + "; the tools are: " + joinBounded(known, 40)
}

// CleanName replaces all but letters, digits, '_', '-' and extra by '_'.
func CleanName(name, extra string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-', strings.ContainsRune(extra, r):
			return r
		}
		return '_'
	}, name)
}
