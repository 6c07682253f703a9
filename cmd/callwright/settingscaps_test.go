package main

import "strings"

// capsCases have a case for each fact that a configuration may state.
var capsCases = map[string]settingCase{
	"tools":                    {value: "no", see: explained(toolRequest), want: `"mode":"native"`},
	"parallel_tools":           {value: "no", with: "caps: {parallel_unasked: no}", see: explained(toolRequest), want: `"parallel_tool_calls":true`},
	"parallel_field":           {value: "no", see: explained(singleCall), want: `"parallel_tool_calls":false`},
	"parallel_unasked":         {value: "no", see: explained(toolRequest), want: `"parallel_tool_calls":true`},
	"choice_field":             {value: "no", see: explained(forcedCall), want: `"tool_choice":"required"`},
	"choice_forced":            {value: "no", see: explained(forcedCall), want: `"tool_choice":"required"`},
	"stream_tools":             {value: "no", see: answered(streamed(toolRequest), goodCall), want: `"stream":true`},
	"json_schema":              {value: "yes", see: explained(toolRequest), want: `"mode":"json_schema"`},
	"json_object":              {value: "yes", see: explained(toolRequest), want: `"mode":"json_object"`},
	"json_with_tools":          {value: "no", see: explained(formBesideTools), want: `"response_format"`},
	"text_calls":               {value: "no", see: answered(toolRequest, taggedCall), want: `"tool_calls"`},
	"needs_help":               {value: "yes", with: strictReceiver, see: explained(toolRequest), want: `"strict":true`},
	"tool_call_reliable":       {value: "yes", see: answered(streamed(toolRequest), tornCall), want: "502 Bad Gateway"},
	"parses_calls":             {value: "no", see: explained(toolRequest), want: `"mode":"text","dialect":"hermes","why":"first"`},
	"images":                   {value: "no", see: explained(image), want: "image_url"},
	"result_images":            {value: "yes", see: explained(anthropicTurn)},
	"strict_tools":             {value: "no", see: explained(strictTool), want: `"strict":true`},
	"custom_tools":             {value: "no", see: explained(customTool), want: `"type":"custom"`},
	"api_items":                {value: "no", with: "wire: responses", see: explained(responsesTurn), want: `"type":"compaction"`},
	"service_params":           {value: "yes", see: explained(responsesStored)},
	"stream_usage":             {value: "no", see: explained(usageRequest), want: `"include_usage":true`},
	"requires_schema":          {value: "yes", see: explained(noSchema), want: `"parameters"`},
	"strict_json_instructions": {value: "yes", with: "mode: json_object", see: explained(toolRequest)},
	"open_objects":             {value: "no", see: explained(openForm)},
	"reasoning_with_tools":     {value: "no", see: explained(toolRequest)},
	"thinking_budget":          {value: "yes", with: "wire: gemini", see: explained(thoughtful)},
	"cache_control":            {value: "yes", see: explained(cachedTurn)},
	"cache_min":                {value: "1", with: "wire: anthropic, caps: {cache_control: yes}", see: explained(cachedRequest), want: "cache_control"},
	"dialect":                  {value: "pythonic", see: explained(toolRequest), want: `"dialect":"pythonic"`},
	"schema_target":            {value: "gemini", see: explained(pattern)},
	"reasoning":                {value: "reasoning", see: explained(thoughts)},
	"reasoning_start":          {value: "primed", see: answered(streamed(toolRequest), "Hm, Oslo.</think>Cold."), want: `"reasoning`},
	"constraint":               {value: "gbnf", with: "mode: text, constrain: on, dialect: hermes", see: explained(toolRequest), want: "tools.constrained"},
	"efforts":                  {value: "low", with: "wire: ollama", see: explained(thoughtful)},
	"tool_search":              {value: "anthropic", see: explained(deferred)},
	"calls_per_answer":         {value: "1", see: explained(toolRequest), want: `"parallel_tool_calls":false`},
	"max_tools":                {value: "1", see: explained(twoTools), want: "tools.selected"},
	"name_max":                 {value: "4", see: explained(dotted), want: "tools.renamed"},
	"name_extra":               {value: "'.'", with: "caps: {name_max: 64}", see: explained(dotted), want: `"name":"math.factorial"`},
	"id_exact":                 {value: "9", see: explained(history), want: "history.call_id"},
	"id_max":                   {value: "9", see: explained(history), want: "history.call_id"},
	"id_extra":                 {value: "'-'", see: explained(history), want: "history.call_id"},
	"alternate":                {value: "true", see: explained(twoUsers)},
	"no_user_after_tool":       {value: "true", see: explained(history)},
	"one_system":               {value: "true", see: explained(history), want: `{"role":"system","content":"B"}`},
	"result_name":              {value: "true", see: explained(history), want: `"name":"look"`},
	"reasoning_back":           {value: "always", see: explained(history), want: "reasoning"},
	"tools_for_calls":          {value: "true", see: explained(callsAlone), want: `"tools"`},
	"no_empty_assistant":       {value: "true", see: explained(history)},
	"no_blank_text":            {value: "true", see: explained(history)},
	"string_content":           {value: "true", see: explained(textParts), want: `"type":"text"`},
	"no_null_content":          {value: "true", see: explained(anthropicTurn), want: `"content":null`},
	"no_item_ids":              {value: "true", with: "wire: responses", see: explained(responsesTurn)},
	"system_role":              {value: "developer", see: explained(history), want: `"role":"developer"`},
	"prefill":                  {value: "prefix", see: explained(begun), want: `"prefix":true`},
	"signed_calls":             {value: "true", see: explained(history), want: "skip_thought_signature_validator"},
	"signed_reasoning":         {value: "true", with: "wire: anthropic", see: explained(unsigned)},
	"loose_tools":              {value: "look", see: explained(strictTool), want: `"strict":true`},
	"open_tools":               {value: "look", see: explained(toolRequest)},
	"refused_tools":            {value: "look=out", see: explained(twoTools), want: "tools.left_out"},
	"refused_state":            {value: markOfABC, with: "wire: responses", see: explained(responsesTurn), want: `"encrypted_content":"abc"`},
	"null_content":             {value: "true", see: explained(history), want: `"content":null`},
	"empty_reasoning":          {value: "true", see: explained(history), want: `"reasoning_content":""`},
	"drop_fields":              {value: "temperature", see: explained(storedRequest), want: `"temperature":0.5`},
	"max_tokens_key":           {value: "max_completion_tokens", see: explained(storedRequest), want: `"max_completion_tokens"`},
	"clean_calls":              {value: "20", see: answered(streamed(toolRequest), tornCall), want: "502 Bad Gateway"},
	"ignored_tools":            {value: "2", see: twice(forcedCall, taggedCall), want: "<tools>\\n{\\\"type\\\""},
	"token_measure":            {value: "40+200%", see: counted},
	"mode_success":             {value: "'native=0+0-40 text=40+0-0'", see: explained(toolRequest), want: `"mode":"text","dialect":"hermes","why":"first"`},
	"sampling":                 {value: "seed", see: answered(forcedCall, "No.", taggedCall), want: `"temperature":0`},
	"remedy_success":           {value: "arguments/choice=0-9", see: answered(toolRequest, badCall, goodCall), want: `"temperature":0`},
	"max_context":              {value: "5", see: answered(cachedRequest, "Hi."), want: "context"},
	"max_output":               {value: "100", with: "wire: anthropic", see: explained(toolRequest), want: `"max_tokens":100`},
}

// strictReceiver takes schemas strict, and wire and target are not the client's.
const strictReceiver = "caps: {strict_tools: yes, schema_target: openai}"

// markOfABC is the entry of refused_state for the state "abc".
const markOfABC = "7aigaz"

// Requests that facts change. Those of other APIs are told apart by their shape.
const (
	hiWith          = `{"model":"lab/m","messages":[{"role":"user","content":"Hi"}],`
	singleCall      = hiWith + `"tools":[` + lookTool + `],"parallel_tool_calls":false}`
	forcedCall      = hiWith + `"tools":[` + lookTool + `],"tool_choice":"required"}`
	formBesideTools = hiWith + `"tools":[` + lookTool + `],"response_format":` + openObject + `}`
	openForm        = hiWith + `"response_format":` + openObject + `}`
	openObject      = `{"type":"json_schema","json_schema":{"name":"a","schema":{"type":"object","properties":{"any":{"type":"object"}},"required":["any"]}}}`
	strictTool      = hiWith + `"tools":[{"type":"function","function":{"name":"look","strict":true,"parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}}}]}`
	customTool      = hiWith + `"tools":[` + lookTool + `,{"type":"custom","custom":{"name":"patch","description":"Patches."}}]}`
	storedRequest   = hiWith + `"max_tokens":99,"temperature":0.5,"service_tier":"flex","store":true,"prompt_cache_key":"k"}`
	usageRequest    = hiWith + `"tools":[` + lookTool + `],"stream":true,"stream_options":{"include_usage":true}}`
	noSchema        = hiWith + `"tools":[{"type":"function","function":{"name":"now"}}]}`
	thoughtful      = hiWith + `"tools":[` + lookTool + `],"max_tokens":9000,"reasoning_effort":"high"}`
	pattern         = hiWith + `"tools":[{"type":"function","function":{"name":"look","parameters":{"type":"object","properties":{"n":{"anyOf":[{"type":"integer"},{"type":"null"}]}},"additionalProperties":false}}}]}`
	dotted          = hiWith + `"tools":[{"type":"function","function":{"name":"math.factorial","parameters":{"type":"object","properties":{}}}}]}`
	image           = `{"model":"lab/m","messages":[{"role":"user","content":[{"type":"text","text":"See"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}]}`
	textParts       = `{"model":"lab/m","messages":[{"role":"user","content":[{"type":"text","text":"One"},{"type":"text","text":"Two"}]}]}`
	twoUsers        = `{"model":"lab/m","messages":[{"role":"user","content":"One"},{"role":"user","content":"Two"}]}`
	begun           = `{"model":"lab/m","messages":[{"role":"user","content":"One"},{"role":"assistant","content":"It is"}]}`
	callsAlone      = `{"model":"lab/m","messages":[{"role":"user","content":"One"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"3"}]}`
	thoughts        = `{"model":"lab/m","messages":[{"role":"user","content":"One"},{"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"3"}],"tools":[` + lookTool + `]}`

	anthropicTool  = `{"name":"look","description":"Looks.","input_schema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}`
	anthropicTools = `{"model":"lab/m","max_tokens":99,"messages":[{"role":"user","content":"Hi"}],"tools":[` + anthropicTool + `],"tool_choice":{"type":"auto"}}`
	anthropicTurn  = `{"model":"lab/m","max_tokens":9000,"thinking":{"type":"enabled","budget_tokens":2000},"messages":[{"role":"user","content":"One"},` +
		`{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"c2ln"},{"type":"tool_use","id":"toolu_1","name":"look","input":{"city":"Oslo"}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"3"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]}]}],"tools":[` + anthropicTool + `]}`
	unsigned = `{"model":"lab/m","max_tokens":9000,"thinking":{"type":"enabled","budget_tokens":2000},"messages":[{"role":"user","content":"One"},` +
		`{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":""},{"type":"tool_use","id":"toolu_1","name":"look","input":{"city":"Oslo"}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"3"}]}],"tools":[` + anthropicTool + `]}`
	deferred = `{"model":"lab/m","max_tokens":99,"messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"tool_search_tool_bm25_20251119","name":"tool_search_tool_bm25"},` +
		`{"name":"look","description":"Looks.","defer_loading":true,"input_schema":{"type":"object","properties":{"city":{"type":"string"}}}}]}`
	responsesStored = `{"model":"lab/m","input":"Hi","store":true,"prompt_cache_key":"k"}`
	responsesTurn   = `{"model":"lab/m","input":[{"role":"user","content":"One"},{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"abc"},` +
		`{"type":"function_call","id":"fc_1","call_id":"c1","name":"look","arguments":"{\"city\":\"Oslo\"}"},{"type":"function_call_output","call_id":"c1","output":"3"},` +
		`{"type":"compaction","id":"cmp_1","encrypted_content":"xyz"},{"role":"user","content":"Two"}],"tools":[{"type":"function","name":"look","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}],"include":["reasoning.encrypted_content"]}`
)

// cachedTurn has a mark of Anthropic's API for a prompt cache.
var cachedTurn = `{"model":"lab/m","max_tokens":99,"system":[{"type":"text","text":"` + strings.Repeat("Be brief. ", 3000) + `","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"Hi"}],"tools":[` + anthropicTool + `]}`

// twice asks two times.
func twice(request string, answers ...string) func(s *scene) string {
	return func(s *scene) string {
		s.lab.play(answers...)
		g := serve(s.T, s.conf, nil)
		defer g.end()
		first := g.post("/v1/chat/completions", request, nil)
		return first + g.post("/v1/chat/completions", request, nil) + s.lab.asked()
	}
}

// counted asks how many tokens a request has, of a provider that does not count.
func counted(s *scene) string {
	g := serve(s.T, s.conf, nil)
	defer g.end()
	return g.post("/v1/messages/count_tokens", anthropicTools, nil)
}
