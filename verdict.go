package callwright

import (
	"encoding/json"
	"strings"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
	"github.com/callwright/callwright/schema"
)

// A Verdict is the judgement of one call. It does not change once it was given. A call that is not OK is in Invalid, with
// every violation; one that is, is in Call, ready to be run.
type Verdict struct {
	OK      bool
	Call    Call
	Invalid InvalidCall
	Notes   []Note
}

// A claim is a call as it came, before it was judged.
type claim struct {
	id, name string
	callType CallType
	text     string        // the arguments as text
	args     []dialect.Arg // or one by one, as text of a kind
	found    *dialect.Call // nil for native calls
	cut      bool          // the answer ended inside it
	call     Call          // further members to keep
}

// maxSource bounds Call.Source and InvalidCall.Raw.
const maxSource = 4 << 10

// A judge holds claims against a surface.
type judge struct {
	s *surface
	l *ledger
	// unvalidated lets calls pass without a look at their schema (mode parsed).
	unvalidated bool
	mint        func(prefix string) string
	taken       func(id string) bool // ids already in use
}

// pass is the quick look: whether the claim is a native call that needs nothing. It makes no notes.
func (j *judge) pass(c *claim) bool {
	tg := j.s.byName[c.name]
	if tg == nil || c.cut || c.id == "" || j.taken(c.id) {
		return false
	}
	if tg.tool.Type == CustomTool || c.callType == Custom {
		return tg.tool.Type == CustomTool && c.callType == Custom
	}
	args := []byte(c.text)
	return jsonx.Valid(args) == nil && jsonx.KindOf(args) == jsonx.Object && !hasControl(args) &&
		(j.unvalidated || tg.schema.Validate(args) == nil)
}

// rule gives the verdict on a claim.
func (j *judge) rule(c *claim) Verdict {
	from := len(j.l.notes)
	v := j.weigh(c)
	v.Notes = append([]Note(nil), j.l.notes[from:]...)
	return v
}

func (j *judge) weigh(c *claim) Verdict {
	tg, rule, ok := j.s.declared(c.name)
	if !ok || tg == nil || (rule != "" && !j.l.may(rule)) {
		return j.reject(c, "judge.undeclared", Violation{Keyword: "name", Message: undeclared(c.name, j.s)})
	}
	name := tg.tool.Name
	if rule != "" {
		j.l.add(Note{Rule: rule, Stage: StageJudge, Call: name, Was: c.name, Now: name})
	}
	if c.cut {
		return j.reject(c, "judge.truncated", Violation{Keyword: "truncated", Message: "the call was cut before it was complete"})
	}
	call := c.call
	call.ID, call.Name, call.Source = j.id(c, name), name, bounded(sourceOf(c))
	if tg.tool.Type == CustomTool {
		call.Type, call.Input = Custom, customInput(c)
		return Verdict{OK: true, Call: call}
	}
	doc, bad := j.arguments(c, tg)
	if bad != nil {
		return j.reject(c, bad.rule, bad.violation)
	}
	doc = j.clean(doc, name)
	if j.unvalidated {
		call.Arguments, call.Unvalidated = doc, true
		return Verdict{OK: true, Call: call}
	}
	doc, violations := j.fit(doc, tg)
	if violations != nil {
		return j.reject(c, "judge.invalid", violations...)
	}
	call.Arguments = doc
	return Verdict{OK: true, Call: call}
}

// fit coerces the arguments where they break the schema and says what is left broken.
func (j *judge) fit(doc []byte, tg *target) ([]byte, []Violation) {
	o := schema.Options{Disabled: j.disabledCoercion, Mend: mend}
	if j.l.policy == HealHeuristic {
		o.Guesses = schema.WithGuesses
	}
	out, changes := tg.schema.Coerce(doc, o)
	violations := tg.schema.Validate(out)
	if violations != nil {
		return nil, violationsOf(violations)
	}
	for _, ch := range changes {
		n := Note{Rule: "coerce." + ch.Rule, Stage: StageJudge, Call: tg.tool.Name, Path: ch.Path, Was: ch.Was, Now: ch.Now, Why: ch.Why}
		if ch.Heuristic {
			n.Risk = Heuristic
		}
		j.l.add(n)
	}
	return out, nil
}

func (j *judge) disabledCoercion(rule string) bool { return !j.l.may("coerce." + rule) }

// mend reads a string that should have been an array or an object.
func mend(text string) ([]byte, bool) {
	r, err := repair.JSON(text)
	if err != nil || r.Rest != "" || r.Unclosed > 0 {
		return nil, false
	}
	return r.JSON, true
}

func violationsOf(vs []schema.Violation) []Violation {
	out := make([]Violation, len(vs))
	for i, v := range vs {
		out[i] = Violation{Path: v.Path, Keyword: v.Keyword, Message: v.Message}
	}
	return out
}

func (j *judge) reject(c *claim, rule string, vs ...Violation) Verdict {
	why := ""
	if len(vs) > 0 {
		why = vs[0].Message
	}
	raw := bounded(sourceOf(c))
	j.l.add(Note{Rule: rule, Stage: StageJudge, Call: c.name, Was: raw, Why: why})
	return Verdict{Invalid: InvalidCall{Name: strings.Clone(Excerpt(c.name)), ID: strings.Clone(Excerpt(c.id)), Raw: raw, Violations: vs}}
}

// id is the claim's id, or a new one where it has none or one that is taken.
func (j *judge) id(c *claim, name string) string {
	switch {
	case c.found != nil && !plainID(c.id): // an id inside the text, such as functions.f:0, is for that text alone
	case c.id == "" && c.found == nil:
		j.l.add(Note{Rule: "id.missing", Stage: StageJudge, Call: name})
	case j.taken(c.id):
		j.l.add(Note{Rule: "id.duplicate", Stage: StageJudge, Call: name, Was: c.id})
	default:
		return c.id
	}
	return j.mint("call_")
}

// plainID tells whether every wire takes an id.
func plainID(id string) bool {
	return id != "" && len(id) <= 40 && id == cleanName(id, "")
}

func undeclared(name string, s *surface) string {
	known := make([]string, 0, len(s.tools))
	for i := range s.tools {
		known = append(known, s.tools[i].Name)
	}
	return "no tool is named " + string(jsonx.AppendQuote(nil, Excerpt(name))) + "; the tools are: " + joinBounded(known, 40)
}

func customInput(c *claim) string {
	if c.found == nil && c.callType == Custom {
		return c.text
	}
	for _, a := range c.args {
		if a.Key == "input" || a.Key == "" {
			return a.Text
		}
	}
	if v, ok := jsonx.Find([]byte(c.text), "input"); ok && jsonx.Valid([]byte(c.text)) == nil {
		if s, ok := jsonx.String(v); ok {
			return s
		}
	}
	return c.text
}

func sourceOf(c *claim) string {
	if c.found != nil {
		return c.found.Raw
	}
	return c.text
}

// bounded is a copy of s within maxSource, so that it does not keep the answer alive.
func bounded(s string) string { return strings.Clone(clip(s, maxSource)) }

var emptyArguments = json.RawMessage("{}")
