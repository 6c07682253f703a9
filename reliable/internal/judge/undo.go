package judge

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
)

// An Undo has the translations of the tools whose arguments do not come as their own schemas have them, by the tools'
// names.
type Undo map[string]*adapter.Translation

// Touches reports whether the arguments of a tool may have to be undone.
func (u Undo) Touches(tool string) bool { return u[tool] != nil }

// Arguments returns arguments of a tool as its own schema has them: args itself where nothing is to be done.
func (u Undo) Arguments(tool string, args []byte) []byte {
	if t := u[tool]; t != nil {
		return t.Undo(args)
	}
	return args
}

// undone brings arguments back to the form of the client's own schema.
func (j *Judge) undone(args []byte, tool string) []byte {
	out := j.Undo.Arguments(tool, args)
	if !bytes.Equal(out, args) {
		j.Ledger.Add(callwright.Note{Rule: "schema.undone", Stage: callwright.StageValidate, Call: tool, Was: string(args), Now: string(out)})
	}
	return out
}

// sentSchema is the schema that was sent of a tool whose arguments have to be undone, nil for other tools.
func (u Undo) sentSchema(tool string) *schema.Schema {
	if t := u[tool]; t != nil {
		return t.CompiledSchema()
	}
	return nil
}

// SentShapes are the tools as they were sent: with the parameters of the schemas that were sent. Required are those
// that the tool's own schema requires.
func (s *Toolset) SentShapes(u Undo) []dialect.Tool {
	if len(u) == 0 {
		return s.Shapes
	}
	out := slices.Clone(s.Shapes)
	for i := range out {
		sent := u.sentSchema(out[i].Name)
		if sent == nil {
			continue
		}
		own := out[i].Params
		out[i].Params = nil
		for _, p := range sent.Params() {
			required := slices.ContainsFunc(own, func(o dialect.Param) bool { return o.Name == p.Name && o.Required })
			out[i].Params = append(out[i].Params, dialect.Param{Name: p.Name, Types: p.Types, Required: required})
		}
	}
	return out
}

// fitsMember reports whether a schema takes a value as a member of its object.
func fitsMember(s *schema.Schema, key string, value []byte) bool {
	var doc jsonx.List
	doc.Set(key, value)
	at := "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
	for _, v := range s.Validate(doc.Append(nil)) {
		if rest, below := strings.CutPrefix(v.Path, at); below && (rest == "" || rest[0] == '/') {
			return false
		}
	}
	return true
}

// A Sent translates an answer from the form in which tools and documents were sent back to the declared form: names,
// arguments, document.
type Sent struct {
	Naming   *Naming                      // nil where tools were sent under their own names
	Undo     Undo                         // for arguments, nil where they come as declared
	Document func(document []byte) []byte // of a mode, in the form in which it is read; nil where it comes so
	InText   bool                         // native calls are asked for as text, under a constraint
	Asked    []string                     // names of the formats in which calls are asked for as text; nil: any
}
