package judge

import (
	"errors"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/grammar"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/definition"
	"github.com/callwright/callwright/reliable/internal/freetext"
)

// grammarOf compiles the grammar of a custom tool. g is nil if the tool has none or the grammar is not supported;
// unchecked then has a note.
func grammarOf(t *callwright.Tool) (g *grammar.Grammar, unchecked []callwright.Note) {
	kind, rules := definition.Grammar(t)
	if rules == "" {
		return nil, nil
	}
	g, err := grammar.Compile(kind, rules)
	if err != nil {
		return nil, []callwright.Note{uncheckedGrammar(t.Name, callwright.StagePlan, err)}
	}
	return g, nil
}

// uncheckedGrammar returns the note about an unsupported grammar.
func uncheckedGrammar(tool string, stage callwright.Stage, why error) callwright.Note {
	return callwright.Note{Rule: "schema.unchecked", Stage: stage, Call: tool, Path: "/format", Was: "grammar", Why: why.Error()}
}

// ChecksInput reports whether the tool's free-text input is checked against a grammar.
func (j *Judge) ChecksInput(tool string) bool {
	tg := j.Toolset.ByName[tool]
	return tg != nil && tg.grammar != nil && !j.Unvalidated
}

// fits reports whether free text satisfies the tool's grammar.
func (j *Judge) fits(tg *Target, text string) bool {
	if tg.grammar == nil || j.Unvalidated {
		return true
	}
	defer j.addElapsed(time.Now())
	return tg.grammar.Check(text, &grammar.Budget{Steps: grammar.DefaultSteps}) == nil
}

// ruleInput is the rule for input that was extracted from arguments of another structure.
const ruleInput = "normalise.custom_input"

// input returns the free-text input of a custom tool's call. It satisfies the tool's grammar.
func (j *Judge) input(c *Candidate, tg *Target) (string, *argError) {
	name := tg.Tool.Name
	if j.isOver() {
		return "", &argError{callwright.InvalidArguments,
			callwright.Violation{Keyword: "grammar", Message: "the calls of this answer take too long to check"}}
	}
	defer j.addElapsed(time.Now())
	source, repairs, bad := j.source(c, tg)
	if bad != nil {
		return "", bad
	}
	if tg.grammar != nil && !j.Unvalidated {
		budget := &grammar.Budget{Steps: grammar.DefaultSteps}
		source.Check = func(text string) error { return tg.grammar.Check(text, budget) }
	}
	reading, err := source.Read()
	if errors.Is(err, grammar.ErrBudget) {
		j.Ledger.Add(uncheckedGrammar(name, callwright.StageValidate, err))
		source.Check = nil
		reading, err = source.Read()
	}
	if err == nil && !reading.Own && !j.Ledger.May(ruleInput) {
		err = freetext.ErrForm
	}
	if err != nil {
		v := callwright.Violation{Keyword: "grammar", Message: err.Error()}
		if errors.Is(err, freetext.ErrForm) {
			v.Keyword = "input"
		}
		return "", &argError{callwright.InvalidArguments, v}
	}
	for _, n := range repairs {
		j.Ledger.Add(n)
	}
	if !reading.Own {
		j.Ledger.Add(callwright.Note{Rule: ruleInput, Stage: callwright.StageNormalise, Call: name, Was: rawOf(c), Now: reading.Text})
	}
	return reading.Text, nil
}

// OwnInput returns the input from the arguments of a function that represents a custom tool. ok is false if the
// arguments do not have exactly the expected structure.
func OwnInput(args string) (text string, ok bool) {
	doc := []byte(args)
	if !jsonx.ValidObject(doc) {
		return "", false
	}
	r, err := freetext.Source{Doc: doc}.Read()
	return r.Text, err == nil && r.Own
}

// source returns the text from which the input is read, with notes about repairs of its JSON. bad is nil unless the
// arguments are missing or cannot be repaired.
func (j *Judge) source(c *Candidate, tg *Target) (s freetext.Source, repairs []callwright.Note, bad *argError) {
	s = freetext.Source{Text: c.Text, Free: c.Found == nil && c.Type == callwright.CustomTool, Tool: tg.Tool.Name}
	if c.Found != nil && c.Found.JSON == "" {
		s.Doc = textArguments(c.Args)
		return s, nil, nil
	}
	doc := []byte(strings.TrimSpace(c.Text))
	isJSON := jsonx.Valid(doc) == nil
	switch kind := jsonx.KindOf(doc); {
	case isJSON && (kind == jsonx.Object || kind == jsonx.Array || kind == jsonx.Text):
		s.Doc = doc
	case s.Free || isJSON && kind != jsonx.Null:
	case saysNothing(c.Text):
		return s, nil, malformedError("the arguments are missing")
	case strings.IndexByte(`{["`, doc[0]) >= 0 && !(tg.grammar != nil && j.fits(tg, c.Text)):
		quiet := j.Quiet()
		if s.Doc, bad = quiet.repairObject(c.Text, tg.Tool.Name); bad != nil {
			return s, nil, bad
		}
		repairs = quiet.Ledger.Notes
	}
	return s, repairs, nil
}

// textArguments returns separate arguments as a JSON object. A single argument is used as a string, because it may be
// the whole input.
func textArguments(args []dialect.Arg) []byte {
	if len(args) == 1 {
		name := args[0].Key
		if name == "" {
			name = "input"
		}
		return append(jsonx.AppendQuote(append(jsonx.AppendQuote([]byte{'{'}, name), ':'), args[0].Text), '}')
	}
	var doc jsonx.List
	for _, a := range args {
		doc.Set(a.Key, jsonx.AppendQuote(nil, a.Text))
	}
	return doc.Append(nil)
}
