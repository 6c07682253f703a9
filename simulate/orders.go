package simulate

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// playTurn returns the final turn of a script: calls that the prompt orders word for word (readOrders) or an edit of a
// document (answerEdit) replace turn. If the request enables thinking, thought becomes the reasoning. The fault in the
// model's name applies unless corrected is true and the fault is not steady.
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

// order matches a line of a prompt that orders a call word for word.
var order = regexp.MustCompile(`(?m)^Call the tool (\S+) with exactly these arguments: (\{.*\})$`)

// readOrders returns the calls that lines of the last user message order word for word, see order. ok is false if there
// is no such line with a callable tool, or if the request already has the results.
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

// writeDocument converts the text of a turn to a JSON document if the request requires JSON. Documents with tool calls
// are written elsewhere.
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

// answerSchema returns the schema in the response format of a request, in the syntax of any wire. asked is false if the
// request does not require JSON.
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
