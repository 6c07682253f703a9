package judge

import (
	"encoding/json"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
	"github.com/callwright/callwright/schema"
)

// A claim is a call as it came, before it was judged.
type Candidate struct {
	ID, Name string
	Type     callwright.ToolType
	Text     string          // the arguments as text
	Args     []dialect.Arg   // or one by one, as text of a kind
	Found    *dialect.Call   // nil for native calls
	Cut      bool            // the answer ended inside it
	Call     callwright.Call // further members to keep
}

// maxSource bounds Call.Source and InvalidCall.Raw.
const maxSource = 4 << 10

// A judge holds claims against a surface.
type Judge struct {
	Toolset *Toolset
	Ledger  *Ledger
	// unvalidated lets calls pass without a look at their schema (mode parsed).
	Unvalidated bool
	Mint        func(prefix string) string
	Taken       func(id string) bool // ids already in use; nil: none
}

func (j *Judge) isTaken(id string) bool { return j.Taken != nil && j.Taken(id) }

// claimCall is the claim that a native call makes.
func NativeCandidate(call callwright.Call) *Candidate {
	c := &Candidate{ID: call.ID, Name: call.Name, Type: call.Type, Text: string(call.Arguments), Call: call}
	if call.Type == callwright.CustomTool {
		c.Text = call.Input
	}
	return c
}

// claimOf is the claim of a call that was found in text.
func TextCandidate(f *dialect.Call) *Candidate {
	name := f.Name
	if name == "" {
		name = f.Written
	}
	return &Candidate{ID: f.ID, Name: name, Text: f.JSON, Args: f.Args, Found: f, Cut: f.Truncated}
}

// pass is the quick look: whether the claim is a native call that needs nothing. It makes no notes.
func (j *Judge) Pass(c *Candidate) bool {
	tg := j.Toolset.ByName[c.Name]
	if tg == nil || c.Cut || c.ID == "" || j.isTaken(c.ID) {
		return false
	}
	if tg.Tool.Type == callwright.CustomTool || c.Type == callwright.CustomTool {
		return tg.Tool.Type == callwright.CustomTool && c.Type == callwright.CustomTool
	}
	args := []byte(c.Text)
	return jsonx.Valid(args) == nil && jsonx.KindOf(args) == jsonx.Object && !hasControl(args) &&
		(j.Unvalidated || tg.schema.Validate(args) == nil)
}

// rule gives the verdict on a claim.
func (j *Judge) Rule(c *Candidate) callwright.Verdict {
	from := len(j.Ledger.Notes)
	v := j.weigh(c)
	v.Notes = append([]callwright.Note(nil), j.Ledger.Notes[from:]...)
	return v
}

func (j *Judge) weigh(c *Candidate) callwright.Verdict {
	tg, rule, ok := j.Toolset.Declared(c.Name)
	if !ok || tg == nil || (rule != "" && !j.Ledger.May(rule)) {
		return j.reject(c, "judge.undeclared", callwright.Violation{Keyword: "name", Message: Undeclared(c.Name, j.Toolset)})
	}
	name := tg.Tool.Name
	if rule != "" {
		j.Ledger.Add(callwright.Note{Rule: rule, Stage: callwright.StageJudge, Call: name, Was: c.Name, Now: name})
	}
	if c.Cut {
		return j.reject(c, "judge.truncated", callwright.Violation{Keyword: "truncated", Message: "the call was cut before it was complete"})
	}
	call := c.Call
	call.ID, call.Name, call.Raw = j.id(c, name), name, Bounded(sourceOf(c))
	if tg.Tool.Type == callwright.CustomTool {
		call.Type, call.Input = callwright.CustomTool, customInput(c)
		return callwright.Verdict{OK: true, Call: call}
	}
	doc, bad := j.arguments(c, tg)
	if bad != nil {
		return j.reject(c, bad.rule, bad.violation)
	}
	doc = j.clean(doc, name)
	if j.Unvalidated {
		call.Arguments, call.Unvalidated = doc, true
		return callwright.Verdict{OK: true, Call: call}
	}
	doc, violations := j.fit(doc, tg)
	if violations != nil {
		return j.reject(c, "judge.invalid", violations...)
	}
	call.Arguments = doc
	return callwright.Verdict{OK: true, Call: call}
}

// fit coerces the arguments where they break the schema and says what is left broken.
func (j *Judge) fit(doc []byte, tg *Target) ([]byte, []callwright.Violation) {
	o := schema.Options{Disabled: j.disabledCoercion, Mend: mend}
	if j.Ledger.Policy == callwright.PolicyHealHeuristic {
		o.Guesses = schema.WithGuesses
	}
	out, changes := tg.schema.Coerce(doc, o)
	violations := tg.schema.Validate(out)
	if violations != nil {
		return nil, violationsOf(violations)
	}
	for _, ch := range changes {
		n := callwright.Note{Rule: "coerce." + ch.Rule, Stage: callwright.StageJudge, Call: tg.Tool.Name, Path: ch.Path, Was: ch.Was, Now: ch.Now, Why: ch.Why}
		if ch.Heuristic {
			n.Risk = callwright.RiskHeuristic
		}
		j.Ledger.Add(n)
	}
	return out, nil
}

func (j *Judge) disabledCoercion(rule string) bool { return !j.Ledger.May("coerce." + rule) }

// mend reads a string that should have been an array or an object.
func mend(text string) ([]byte, bool) {
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

func (j *Judge) reject(c *Candidate, rule string, vs ...callwright.Violation) callwright.Verdict {
	why := ""
	if len(vs) > 0 {
		why = vs[0].Message
	}
	raw := Bounded(sourceOf(c))
	j.Ledger.Add(callwright.Note{Rule: rule, Stage: callwright.StageJudge, Call: c.Name, Was: raw, Why: why})
	return callwright.Verdict{Invalid: callwright.InvalidCall{Name: strings.Clone(callwright.Excerpt(c.Name)), ID: strings.Clone(callwright.Excerpt(c.ID)), Raw: raw, Violations: vs}}
}

// id is the claim's id, or a new one where it has none or one that is taken.
func (j *Judge) id(c *Candidate, name string) string {
	switch {
	case c.Found != nil && !plainID(c.ID): // an id inside the text, such as functions.f:0, is for that text alone
	case c.ID == "" && c.Found == nil:
		j.Ledger.Add(callwright.Note{Rule: "id.missing", Stage: callwright.StageJudge, Call: name})
	case j.isTaken(c.ID):
		j.Ledger.Add(callwright.Note{Rule: "id.duplicate", Stage: callwright.StageJudge, Call: name, Was: c.ID})
	default:
		return c.ID
	}
	return j.Mint("call_")
}

// plainID reports whether every wire takes an id.
func plainID(id string) bool {
	return id != "" && len(id) <= 40 && id == CleanName(id, "")
}

func Undeclared(name string, s *Toolset) string {
	known := make([]string, 0, len(s.Tools))
	for i := range s.Tools {
		known = append(known, s.Tools[i].Name)
	}
	return "no tool is named " + string(jsonx.AppendQuote(nil, callwright.Excerpt(name))) + "; the tools are: " + joinBounded(known, 40)
}

func customInput(c *Candidate) string {
	if c.Found == nil && c.Type == callwright.CustomTool {
		return c.Text
	}
	for _, a := range c.Args {
		if a.Key == "input" || a.Key == "" {
			return a.Text
		}
	}
	if v, ok := jsonx.Find([]byte(c.Text), "input"); ok && jsonx.Valid([]byte(c.Text)) == nil {
		if s, ok := jsonx.String(v); ok {
			return s
		}
	}
	return c.Text
}

func sourceOf(c *Candidate) string {
	if c.Found != nil {
		return c.Found.Raw
	}
	return c.Text
}

// bounded is a copy of s within maxSource, so that it does not keep the answer alive.
func Bounded(s string) string { return strings.Clone(jsonx.Clip(s, maxSource)) }

var EmptyArguments = json.RawMessage("{}")

// cleanName replaces what is no letter, digit, '_', '-' or one of extra by '_'.
func CleanName(name, extra string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-', strings.ContainsRune(extra, r):
			return r
		}
		return '_'
	}, name)
}
