package translate

import (
	"encoding/json"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// NoParameters is the schema of a tool without parameters.
const NoParameters = `{"type":"object","properties":{}}`

// GiveSchemas adds the schema NoParameters to function tools without a schema, if the provider rejects such tools.
func GiveSchemas(out *callwright.Request, c caps.Caps, l *judge.Ledger) error {
	if c.RequiresSchema != caps.Yes {
		return nil
	}
	tools, err := out.DeclaredTools()
	if err != nil {
		return err
	}
	bare := func(t callwright.Tool) bool { return t.Type == callwright.FunctionTool && jsonx.IsNull(t.Schema) }
	if !slices.ContainsFunc(tools, bare) {
		return nil
	}
	out.Tools = slices.Clone(tools)
	for i := range out.Tools {
		if t := &out.Tools[i]; bare(*t) {
			l.Add(callwright.Note{Rule: "tools.empty_schema", Stage: callwright.StageOutbound, Call: t.Name, Now: NoParameters})
			t.Schema = json.RawMessage(NoParameters)
		}
	}
	return nil
}
