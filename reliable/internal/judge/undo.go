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

// An Undo has the schema translations, by tool name, of tools whose arguments must be converted to the declared
// schema.
type Undo map[string]*adapter.Translation

// Touches reports whether arguments of the tool may need a conversion.
func (u Undo) Touches(tool string) bool { return u[tool] != nil }

// Arguments converts arguments to the tool's declared schema. It returns args itself if no conversion is necessary.
func (u Undo) Arguments(tool string, args []byte) []byte {
	if t := u[tool]; t != nil {
		return t.Undo(args)
	}
	return args
}

// undone converts arguments to the declared schema and notes a change.
func (j *Judge) undone(args []byte, tool string) []byte {
	out := j.Undo.Arguments(tool, args)
	if !bytes.Equal(out, args) {
		j.Ledger.Add(callwright.Note{Rule: "schema.undone", Stage: callwright.StageValidate, Call: tool, Was: string(args), Now: string(out)})
	}
	return out
}

// sentSchema returns the sent schema of a tool whose arguments need a conversion, otherwise nil.
func (u Undo) sentSchema(tool string) *schema.Schema {
	if t := u[tool]; t != nil {
		return t.CompiledSchema()
	}
	return nil
}

// SentShapes returns the tools with the parameters of the sent schemas. A parameter is required if the declared schema
// requires it.
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

// fitsMember reports whether value is valid for the member key of the schema.
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

// A Sent describes how the sent tools and documents differ from the declared ones, to convert a response back.
type Sent struct {
	Naming   *Naming                      // nil if all names are sent unchanged
	Undo     Undo                         // for arguments, nil if none need a conversion
	Document func(document []byte) []byte // converts a response document to the structure that is read; nil if unnecessary
	InText   bool                         // native calls are requested as text under a decoding constraint
	Asked    []string                     // names of the requested text formats; nil means any
}
