package searchform

import (
	"bytes"
	"encoding/hex"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A SearchPart is a part of a history that is a tool search of a provider, or the result of one.
type SearchPart struct {
	Outcome   bool     // the part is a result, not a call
	ID        string   // id of the model's call; "" in a result means the preceding call
	Name      string   // name of the search tool, in a call
	Arguments []byte   // arguments of a call, as JSON
	Found     []string // keys of the tools in a result, see KeysOf
	Failure   string   // error message in a result, "" for success
}

// Read decodes a part of a history. ok is false if it is neither a tool search nor its result.
func Read(p callwright.Part) (s SearchPart, ok bool) {
	o, is := p.(callwright.Opaque)
	if !is {
		return SearchPart{}, false
	}
	switch v := o.Extra.JSON; textAt(v, "type") {
	case "server_tool_use":
		return SearchPart{ID: calledID(textAt(v, "id")), Name: textAt(v, "name"), Arguments: at(v, "input")}, true
	case "tool_search_tool_result":
		content := at(v, "content")
		s = SearchPart{Outcome: true, ID: calledID(textAt(v, "tool_use_id")), Failure: textAt(content, "error_message")}
		if s.Failure == "" {
			s.Failure = textAt(content, "error_code")
		}
		for ref := range jsonx.Elements(at(content, "tool_references")) {
			s.Found = append(s.Found, textAt(ref, "tool_name"))
		}
		return s, true
	case "tool_search_call":
		return SearchPart{ID: strings.TrimPrefix(textAt(v, "id"), calledPrefix), Name: "tool_search", Arguments: at(v, "arguments")}, true
	case "tool_search_output":
		return SearchPart{Outcome: true, Found: keysIn(at(v, "tools"))}, true
	}
	return SearchPart{}, false
}

// at returns the value of a member of the JSON object v, nil if it is absent.
func at(v []byte, key string) []byte {
	m, _ := jsonx.Find(v, key)
	return m
}

// IsShown reports whether a part is a tool search or its result.
func IsShown(p callwright.Part) bool {
	o, ok := p.(callwright.Opaque)
	kind := textAt(o.Extra.JSON, "type")
	return ok && (kind == "tool_search_tool_result" || kind == "tool_search_call" || kind == "tool_search_output" ||
		kind == "server_tool_use" && strings.HasPrefix(textAt(o.Extra.JSON, "name"), "tool_search_tool_"))
}

// servedPrefix is the prefix of the ids of calls that Anthropic runs. The rest of such an id is letters, digits and
// '_'.
const servedPrefix = "srvtoolu_"

// hexPrefix marks an id with other characters, which is encoded in hexadecimal digits.
const hexPrefix = "hex_"

// servedID returns the id that Anthropic's API shows for a model's call id: "call_1" gives "srvtoolu_call_1".
func servedID(id string) string {
	if strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" {
		return servedPrefix + id
	}
	return servedPrefix + hexPrefix + hex.EncodeToString([]byte(id))
}

// calledID returns the model's call id from the id that servedID made: "srvtoolu_call_1" gives "call_1".
func calledID(served string) string {
	id := strings.TrimPrefix(served, servedPrefix)
	if digits, ok := strings.CutPrefix(id, hexPrefix); ok {
		if was, err := hex.DecodeString(digits); err == nil && servedID(string(was)) == served {
			return string(was)
		}
	}
	return id
}

// Blocks encodes a tool search and its result as blocks of Anthropic's API. found are the names of the tools. A failure
// that is not empty is the error message of the result.
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool#response-format
func Blocks(call *callwright.Call, found []string, failure string) [][]byte {
	id := jsonx.AppendQuote(nil, servedID(call.ID))
	use := append([]byte(`{"type":"server_tool_use","id":`), id...)
	use = append(jsonx.AppendQuote(append(use, `,"name":`...), call.Name), `,"input":`...)
	use = append(append(use, call.Arguments...), '}')
	out := append(append([]byte(`{"type":"tool_search_tool_result","tool_use_id":`), id...), `,"content":`...)
	if failure != "" {
		out = append(out, `{"type":"tool_search_tool_result_error","error_code":"invalid_tool_input","error_message":`...)
		return [][]byte{use, append(jsonx.AppendQuote(out, failure), "}}"...)}
	}
	out = append(out, `{"type":"tool_search_tool_search_result","tool_references":[`...)
	for i, name := range found {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(jsonx.AppendQuote(append(out, `{"type":"tool_reference","tool_name":`...), name), '}')
	}
	return [][]byte{use, append(out, "]}}"...)}
}

// Reference returns the tool name in the tool_reference block of Anthropic's API that t stands for, "" if none.
func Reference(t callwright.Text) string {
	if v, ok := jsonx.Lookup(t.Extra.JSON, "stands_for"); ok && textAt(v, "type") == "tool_reference" {
		return textAt(v, "tool_name")
	}
	return ""
}

// MayContainSearch reports whether a request body may contain a tool search or its result. It may report true for other
// bodies.
func MayContainSearch(body []byte) bool {
	return bytes.Contains(body, []byte("tool_search")) || bytes.Contains(body, []byte("tool_reference"))
}

// textAt returns the string value of a member of the JSON object v, "" if it is absent or not a string.
func textAt(v []byte, key string) string {
	s, _ := jsonx.String(at(v, key))
	return s
}
