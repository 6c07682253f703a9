package judge

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// maxNested is the maximum number of times a call may be nested in its own arguments.
const maxNested = 3

// unwrapNestedCall extracts the arguments from invalid arguments that contain the whole call again, as in
// {"name":"f","arguments":{...}}. The inner arguments must satisfy the schema, and no declared member may be lost.
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

// callIn returns the call that doc consists of, nil if it is not a call of the same tool. The tool name may be
// missing.
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

// keepsDeclared reports whether args has all values that doc has for declared members.
func keepsDeclared(tg *Target, doc, args []byte) bool {
	for _, p := range tg.schema.Params() {
		was, declared := jsonx.Find(doc, p.Name)
		if now, kept := jsonx.Find(args, p.Name); declared && !(kept && jsonx.Equal(was, now)) {
			return false
		}
	}
	return true
}
