package simulate

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// playTurn makes a script's well-behaved turn the answer of the model that the request names: a call that the user
// orders goes first, then an edit of a document; a model that is asked to think does, and the fault of the model's name
// acts, unless it is gone after a correction.
func playTurn(req Seen, turn Turn, thought string, corrected bool) Turn {
	if why := checkFaultName(req.Model); why != nil {
		return Turn{Status: 404, Text: why.Error()}
	}
	if named, ok := readOrders(req); ok {
		turn = named
	} else if edit, again, ok := answerEdit(req); ok {
		turn, corrected = edit, again
	} else {
		turn = writeDocument(req, turn)
	}
	if req.Thinks {
		turn.Reasoning = thought
	}
	if fault, _ := ParseFault(req.Model); !corrected || fault.steady() {
		turn.Fault = fault
	}
	return turn
}

// order is a line that names a call to be made, word for word.
var order = regexp.MustCompile(`(?m)^Call the tool (\S+) with exactly these arguments: (\{.*\})$`)

// readOrders returns the calls that the last text of the user orders; ok is false where it orders none that can be
// made, and after the results.
func readOrders(req Seen) (turn Turn, ok bool) {
	if req.Choice == "none" || len(req.Results) > 0 {
		return turn, false
	}
	for _, m := range order.FindAllStringSubmatch(req.User, -1) {
		if isNamed := req.Choice != "auto" && req.Choice != "required" && len(req.Tools) > 0; isNamed && m[1] != req.Choice {
			continue
		}
		if slices.Contains(req.Tools, m[1]) || len(req.Tools) == 0 && strings.Contains(req.System, m[1]) {
			turn.Calls = append(turn.Calls, Call{Name: m[1], Arguments: m[2]})
		}
	}
	if req.Serial && len(turn.Calls) > 1 {
		turn.Calls = turn.Calls[:1]
	}
	return turn, len(turn.Calls) > 0
}

// writeDocument writes the text of a turn as the JSON document that the request asks for, if it asks for one. Documents
// that hold calls are written elsewhere.
func writeDocument(req Seen, turn Turn) Turn {
	schema, asked := answerSchema(req.Format)
	switch {
	case !asked, turn.Calls != nil, turn.Text == "", req.document():
	case schema == nil:
		turn.Text = object(member{"answer", quote(turn.Text)})
	default:
		turn.Text = sample(schema)
	}
	return turn
}

// answerSchema returns the schema of the answer in the response format of a request, in the form of any wire; asked is
// false where the request asks for no JSON.
func answerSchema(format json.RawMessage) (schema json.RawMessage, asked bool) {
	f, err := parseNode(format)
	switch kind := f.at("type").str(); {
	case err != nil, kind == "text", f.is("null"), f.is("string") && f.text != "json":
		return nil, false
	case f.is("string"), kind == "json_object", !f.has("type") && !f.has("anyOf"):
		return nil, true
	case kind == "json_schema" && f.at("json_schema", "schema") != nil:
		return json.RawMessage(f.at("json_schema", "schema").raw), true
	case kind == "json_schema" && f.has("schema"):
		return json.RawMessage(f.at("schema").raw), true
	case kind == "json_schema":
		return nil, true
	}
	return format, true
}
