package kit

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// Lost gives a note for each member of a request that only the wire it came over knows, where own is another one: those
// members are not carried over.
func Lost(x callwright.Extra, own callwright.WireName) []callwright.Note {
	if x.Wire == own || len(x.JSON) == 0 {
		return nil
	}
	var notes []callwright.Note
	for key, value := range jsonx.Members(x.JSON) {
		notes = append(notes, callwright.Note{
			Rule: "params.left_out", Stage: callwright.StageEncode, Was: key.String() + ": " + string(value),
			Why: "only the " + string(x.Wire) + " API has this member",
		}.Graded())
	}
	return notes
}

// OfTool notes a tool that another API knows by its type and that goes to own as a function.
func (l *Notes) OfTool(t *callwright.Tool, own Own, path string) {
	if t.Type != callwright.FunctionTool || t.Extra.Wire == "" || Own(t.Extra.Wire) == own {
		return
	}
	kind, _ := jsonx.Find(t.Extra.JSON, "type")
	if word := jsonx.Alias(kind); word != "" && word != "custom" && word != "function" {
		l.Add(callwright.Note{Rule: "tools.by_type", Path: path, Was: word, Now: "function", Why: "only the " + string(t.Extra.Wire) + " API knows the tool by its type"})
	}
}
