package anthropic_test

import (
	"testing"

	"github.com/callwright/callwright/wire/anthropic"
	"github.com/callwright/callwright/wire/wiretest"
)

// The optional members of a request may be null, empty, or such as nobody knows.
func TestOptionalMembers(t *testing.T) {
	const cache = `"cache_control":{"type":"ephemeral","ttl":"5m"}`
	const full = `{"model":"m","max_tokens":9,"system":[{"type":"text","text":"be",` + cache + `,"citations":null}],"stream":true,"temperature":1,"top_p":1,"top_k":1,"stop_sequences":["x"],` +
		`"metadata":{"user_id":"u"},"service_tier":"auto","container":"c","mcp_servers":[{"type":"url","url":"u","name":"n"}],"context_management":{"edits":[]},"inference_geo":"us",` +
		`"thinking":{"type":"enabled","budget_tokens":1024,"display":"omitted"},"output_config":{"effort":"low","format":{"type":"json_schema","schema":{"type":"object"}},"task_budget":{"type":"tokens","total":9}},` +
		`"output_format":{"type":"json_schema","schema":{"type":"object"}},"tool_choice":{"type":"tool","name":"f","disable_parallel_tool_use":false},` +
		`"tools":[{"type":"custom","name":"f","description":"d","input_schema":{"type":"object","properties":{"x":{"type":"integer"}}},"strict":true,"eager_input_streaming":true,"defer_loading":false,"allowed_callers":["direct"],"input_examples":[{"x":1}],` + cache + `},` +
		`{"type":"web_search_20250305","name":"web_search","max_uses":1,"allowed_domains":["x"],"user_location":{"type":"approximate","city":"Oslo"}},{"type":"bash_20250124","name":"bash"}],` +
		`"messages":[{"role":"user","content":[{"type":"text","text":"q","citations":[{"type":"char_location","cited_text":"x"}],` + cache + `},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aQ=="},` + cache + `},` +
		`{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"},"title":"t","context":"c","citations":{"enabled":true}}]},` +
		`{"role":"assistant","content":[{"type":"thinking","thinking":"h","signature":"s"},{"type":"redacted_thinking","data":"d"},{"type":"tool_use","id":"a","name":"f","input":{"x":1},"caller":{"type":"direct"},` + cache + `}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"r"},{"type":"tool_reference","tool_name":"f"}],"is_error":false,` + cache + `}]},` +
		`{"role":"system","content":[{"type":"text","text":"now"}],"output_config":{"effort":"high"}},{"role":"user","content":"q"}]}`
	wiretest.Unset(t, anthropic.Codec{}, full, []string{"/model", "/messages", "/messages/*/role", "/messages/*/content", "/messages/*/content/*/type", "/messages/*/content/*/text", "/system/*/type", "/system/*/text",
		"/messages/*/content/*/id", "/messages/*/content/*/name", "/messages/*/content/*/tool_use_id", "/tools/*/name", "/tool_choice/type", "/tool_choice/name"},
		map[string]string{"/tools": "[]", "/system": `""`, "/metadata": "{}", "/stop_sequences": "[]", "/output_config": "{}", "/thinking": "{}", "/messages/*/content/*/input": "{}",
			"/messages/*/content/*/content": "[]", "/tools/*/input_schema": "{}", "/tools/*/description": `""`, "/output_config/format": "{}", "/output_config/effort": `""`})
}
