package judge

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// maxNested bounds how often a call may stand inside its own arguments.
const maxNested = 3

// unwrapNestedCall takes the arguments out of a document that breaks the schema because it holds the whole call once
// more, as in {"name":"f","arguments":{...}}. The arguments inside satisfy the schema, and no member that the schema
// declares is lost.
func (j *Judge) unwrapNestedCall(doc []byte, c *Candidate, tg *Target) (args []byte, ok bool) {
	const rule = "normalise.nested_call"
	if !j.Ledger.May(rule) {
		return nil, false
	}
	var fixes []repair.Fix
	inner := doc
	for range maxNested {
		call := j.callIn(inner, tg)
		if call == nil {
			return nil, false
		}
		inner, fixes = []byte(call.JSON), append(fixes, call.Fixes...)
		trial := j.Quiet()
		args, violations := trial.coerce(trial.inClientsForm(inner, c, tg), tg)
		if j.elapsed = trial.elapsed; violations == nil {
			j.Ledger.Add(callwright.Note{Rule: rule, Stage: callwright.StageNormalise, Call: tg.Tool.Name, Was: string(doc), Now: string(inner)})
			for _, f := range fixes {
				j.NoteFix(f, tg.Tool.Name)
			}
			for _, n := range trial.Ledger.Notes {
				j.Ledger.Add(n)
			}
			return args, true
		}
	}
	return nil, false
}

// callIn is the call that a document consists of, nil where it is none of the same tool. It may go without the tool's
// name.
func (j *Judge) callIn(doc []byte, tg *Target) *dialect.Call {
	o := dialect.Options{Tools: j.Toolset.Shapes, Names: j.Toolset.Names, Disabled: j.Ledger.Refuses}
	call, ok := dialect.OnlyCall(string(doc), o)
	if !ok && hasOneMember(doc) {
		named := append(jsonx.AppendQuote([]byte(`{"name":`), tg.Tool.Name), ',')
		call, ok = dialect.OnlyCall(string(append(named, jsonx.Trim(doc)[1:]...)), o)
	}
	if !ok || call.Name != tg.Tool.Name || call.Truncated || !jsonx.ValidObject([]byte(call.JSON)) ||
		!keepsDeclared(tg, doc, []byte(call.JSON)) {
		return nil
	}
	return call
}

func hasOneMember(doc []byte) bool {
	n := 0
	for range jsonx.Members(doc) {
		n++
	}
	return n == 1
}

// keepsDeclared reports whether the values of a document under names that the tool's schema declares are in the
// arguments too.
func keepsDeclared(tg *Target, doc, args []byte) bool {
	for _, p := range tg.schema.Params() {
		was, declared := jsonx.Find(doc, p.Name)
		if now, kept := jsonx.Find(args, p.Name); declared && !(kept && jsonx.Equal(was, now)) {
			return false
		}
	}
	return true
}
