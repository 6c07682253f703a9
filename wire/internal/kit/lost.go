package kit

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// Lost gives a note for each member of a request that only the wire it came over knows, where own is another one: those
// members are not carried over, but for those that are named.
func Lost(x callwright.Extra, own callwright.WireName, carried ...string) []callwright.Note {
	if x.Wire == own || len(x.JSON) == 0 {
		return nil
	}
	var notes []callwright.Note
	for key, value := range jsonx.Members(x.JSON) {
		if OneOf(key, carried) {
			continue
		}
		why := "only the " + string(x.Wire) + " API has this member"
		if shared(x.Wire, own) && (key.Is("verbosity") || key.Is("text") || OneOf(key, SharedParams)) {
			why = "the provider is not known to take this member"
		}
		notes = append(notes, callwright.Note{
			Rule: "params.left_out", Stage: callwright.StageEncode, Was: key.String() + ": " + string(value), Why: why,
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

// SettingsAlone notes a message of instructions of another API that holds no text, only settings, which count for the request: there is
// nothing in it to write. It reports whether m is one.
func (l *Notes) SettingsAlone(m callwright.Message, own Own, path string) bool {
	if m.Role != callwright.RoleSystem || len(m.Parts) > 0 || m.Extra.Wire == "" || Own(m.Extra.Wire) == own {
		return false
	}
	l.Add(callwright.Note{Rule: "history.empty_message", Path: path, Was: string(m.Extra.JSON), Why: "its settings count for the request"})
	return true
}

// shared reports whether two wires are those of OpenAI's APIs, which have members in common.
func shared(a, b callwright.WireName) bool {
	return (a == callwright.WireOpenAI || a == callwright.WireResponses) && (b == callwright.WireOpenAI || b == callwright.WireResponses)
}

// IsRefusal reports whether a text says by itself that it is a refusal, as both APIs of OpenAI have it.
func IsRefusal(t callwright.Text) bool {
	if t.Extra.Wire != callwright.WireOpenAI && t.Extra.Wire != callwright.WireResponses {
		return false
	}
	kind, _ := jsonx.Find(t.Extra.JSON, "type")
	return jsonx.Alias(kind) == "refusal"
}

// SharedParams are members of a request that mean the same in both APIs of OpenAI.
var SharedParams = []string{"service_tier", "prompt_cache_key", "prompt_cache_retention", "safety_identifier", "metadata", "top_logprobs"}
