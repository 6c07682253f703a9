package judge

import (
	"cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
)

// changes reports whether the transforms would change a call or fail.
func (j *Judge) changes(c *callwright.Call) bool {
	if j.Transform == nil {
		return false
	}
	call, _ := j.asCall(NativeCandidate(*c))
	_, notes, err := j.Transform(call)
	return err != nil || len(notes) > 0
}

// applyTransforms returns the candidate after the transforms. After an error of a transform it returns candidates
// unchanged.
func (j *Judge) applyTransforms(c *Candidate) *Candidate {
	if j.Err != nil {
		return c
	}
	call, found := j.asCall(c)
	call, notes, err := j.Transform(call)
	if err != nil {
		j.Err = err
		return c
	}
	if len(notes) == 0 {
		return c
	}
	for _, n := range append(found, notes...) {
		j.Ledger.Add(n)
	}
	out := &Candidate{ID: call.ID, Name: call.Name, Type: call.Type, Text: string(call.Arguments), Call: call, raw: rawOf(c), undone: true}
	if call.Type == callwright.CustomTool {
		out.Text = call.Input
	}
	return out
}

// asCall returns the candidate as a Call for transforms, with arguments for the declared schema if readable. found are
// notes about free text that was extracted from arguments.
func (j *Judge) asCall(c *Candidate) (call callwright.Call, found []callwright.Note) {
	call = c.Call
	call.ID, call.Name, call.Type, call.Raw = c.ID, c.Name, c.Type, ClipRaw(rawOf(c))
	tg, _, _ := j.Toolset.ResolveTool(c.Name)
	switch {
	case tg != nil && tg.Tool.Type == callwright.CustomTool:
		call.Type, call.Input = callwright.CustomTool, c.Text
		quiet := j.Quiet()
		if input, bad := quiet.input(c, tg); bad == nil {
			call.Input, found = input, quiet.Ledger.Notes
		}
		j.elapsed = quiet.elapsed
	case c.Type == callwright.CustomTool:
		call.Input = c.Text
	case c.Found == nil || c.Found.JSON != "":
		call.Arguments = []byte(c.Text)
	case tg != nil:
		call.Arguments, _ = j.assemble(c.Args, tg)
	default:
		call.Arguments = buildObject(c.Args)
	}
	if tg != nil && j.Undo.Touches(tg.Tool.Name) && jsonx.ValidObject(call.Arguments) {
		call.Arguments = j.Undo.Arguments(tg.Tool.Name, call.Arguments)
	}
	return call, found
}

// buildObject returns separate arguments as a JSON object, without a schema.
func buildObject(args []dialect.Arg) []byte {
	var doc jsonx.List
	for _, a := range args {
		value := []byte(a.Text)
		if a.Kind != dialect.JSON || jsonx.Valid(value) != nil {
			value = jsonx.AppendQuote(nil, a.Text)
		}
		doc.Set(a.Key, value)
	}
	return doc.Append(nil)
}

// rawOf returns the source text of a candidate.
func rawOf(c *Candidate) string {
	if c.Found != nil {
		return c.Found.Raw
	}
	return cmp.Or(c.raw, c.Text)
}
