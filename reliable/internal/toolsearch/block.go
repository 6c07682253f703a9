package toolsearch

import (
	"encoding/hex"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A block is a part of the history that shows a search which a provider ran, or its outcome.
type block struct {
	outcome   bool
	id        string // of the call that a model made; "" for an outcome: the call before
	name      string // of the search tool; of a call
	arguments []byte
	found     []string // names of tools
	failure   string
}

// blockOf reads a part of the history; ok is false where it shows no search.
func (s *Search) blockOf(p callwright.Part) (b block, ok bool) {
	o, is := p.(callwright.Opaque)
	if !is || !searches(o.Extra.Wire) {
		return block{}, false
	}
	switch v := o.Extra.JSON; textAt(v, "type") {
	case "server_tool_use":
		b = block{id: calledID(textAt(v, "id")), name: textAt(v, "name"), arguments: at(v, "input")}
		return b, s.function(b.name) != nil
	case "tool_search_tool_result":
		content := at(v, "content")
		b = block{outcome: true, id: calledID(textAt(v, "tool_use_id")), failure: textAt(content, "error_message")}
		if b.failure == "" {
			b.failure = textAt(content, "error_code")
		}
		for ref := range jsonx.Elements(at(content, "tool_references")) {
			b.found = append(b.found, textAt(ref, "tool_name"))
		}
		return b, true
	case "tool_search_call":
		b = block{id: strings.TrimPrefix(textAt(v, "id"), calledPrefix), name: "tool_search", arguments: at(v, "arguments")}
		return b, s.function(b.name) != nil
	case "tool_search_output":
		return block{outcome: true, found: s.foundIn(at(v, "tools"))}, true
	}
	return block{}, false
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
	return ok && (kind == "tool_search_tool_result" || kind == "tool_search_call" || kind == "tool_search_output" || kind == "server_tool_use" && strings.HasPrefix(textAt(o.Extra.JSON, "name"), "tool_search_tool_"))
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

// showBlocks writes a search as Anthropic's API shows it:
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool#response-format.
func showBlocks(_ *Search, call *callwright.Call, found []string, failure string) [][]byte {
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
