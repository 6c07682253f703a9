package searchform

import (
	"bytes"
	"encoding/hex"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Shown is a part of the history that shows a search which a provider ran, or its outcome.
type Shown struct {
	Outcome   bool
	ID        string // of the call that a model made; "" for an outcome: the call before
	Name      string // of the search tool; of a call
	Arguments []byte
	Found     []string // the keys of tools, see KeysOf
	Failure   string
}

// Read reads a part of the history; ok is false where it shows no search.
func Read(p callwright.Part) (s Shown, ok bool) {
	o, is := p.(callwright.Opaque)
	if !is {
		return Shown{}, false
	}
	switch v := o.Extra.JSON; textAt(v, "type") {
	case "server_tool_use":
		return Shown{ID: calledID(textAt(v, "id")), Name: textAt(v, "name"), Arguments: at(v, "input")}, true
	case "tool_search_tool_result":
		content := at(v, "content")
		s = Shown{Outcome: true, ID: calledID(textAt(v, "tool_use_id")), Failure: textAt(content, "error_message")}
		if s.Failure == "" {
			s.Failure = textAt(content, "error_code")
		}
		for ref := range jsonx.Elements(at(content, "tool_references")) {
			s.Found = append(s.Found, textAt(ref, "tool_name"))
		}
		return s, true
	case "tool_search_call":
		return Shown{ID: strings.TrimPrefix(textAt(v, "id"), calledPrefix), Name: "tool_search", Arguments: at(v, "arguments")}, true
	case "tool_search_output":
		return Shown{Outcome: true, Found: keysIn(at(v, "tools"))}, true
	}
	return Shown{}, false
}

// at is a member, nil without one.
func at(v []byte, key string) []byte {
	m, _ := jsonx.Find(v, key)
	return m
}

// IsShown reports whether a part is one of those that show a search.
func IsShown(p callwright.Part) bool {
	o, ok := p.(callwright.Opaque)
	kind := textAt(o.Extra.JSON, "type")
	return ok && (kind == "tool_search_tool_result" || kind == "tool_search_call" || kind == "tool_search_output" ||
		kind == "server_tool_use" && strings.HasPrefix(textAt(o.Extra.JSON, "name"), "tool_search_tool_"))
}

// servedPrefix begins the ids of calls that Anthropic runs, which are letters, digits and '_'.
const servedPrefix = "srvtoolu_"

// hexPrefix marks an id that is written in hexadecimal digits, as it has other characters.
const hexPrefix = "hex_"

// servedID is the id under which a client is shown a call of a model.
func servedID(id string) string {
	if strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" {
		return servedPrefix + id
	}
	return servedPrefix + hexPrefix + hex.EncodeToString([]byte(id))
}

// calledID is the id of the call that a client was shown under this id.
func calledID(served string) string {
	id := strings.TrimPrefix(served, servedPrefix)
	if digits, ok := strings.CutPrefix(id, hexPrefix); ok {
		if was, err := hex.DecodeString(digits); err == nil && servedID(string(was)) == served {
			return string(was)
		}
	}
	return id
}

// Blocks writes a search as Anthropic's API shows it:
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool#response-format.
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

// Reference is the name of the tool that a part of a result refers to, "" where it refers to none.
func Reference(t callwright.Text) string {
	if v, ok := jsonx.Lookup(t.Extra.JSON, "stands_for"); ok && textAt(v, "type") == "tool_reference" {
		return textAt(v, "tool_name")
	}
	return ""
}

// MayTell reports whether the body of a request may hold a search, or the result of one.
func MayTell(body []byte) bool {
	return bytes.Contains(body, []byte("tool_search")) || bytes.Contains(body, []byte("tool_reference"))
}

// textAt is a member that is a string, "" without one.
func textAt(v []byte, key string) string {
	s, _ := jsonx.String(at(v, key))
	return s
}
