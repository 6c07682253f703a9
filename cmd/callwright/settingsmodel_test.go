package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// modelPlaces are where the settings of models stand: below a provider, a model, and a model in the files of other programs.
var modelPlaces = []string{"providers", "models", "modelOverrides"}

// modelCases have a case for each setting of models, by its key below those places. One of providers or of models alone has a case, too.
var modelCases = map[string]settingCase{
	"mode":           {value: "text", see: explained(toolRequest), want: `"mode":"native"`},
	"modes":          {value: "[text]", see: explained(toolRequest), want: `"mode":"native"`},
	"preferredModes": {value: "[text]", see: explained(toolRequest), want: `"mode":"native"`},

	"preferNativeTools":              {value: "false", see: explained(toolRequest), want: `"mode":"text","dialect":"hermes","why":"first"`},
	"forceTextMode":                  {value: "true", see: explained(toolRequest), want: `"mode":"native"`},
	"experimental":                   {value: "{nativeToolCalling: false}", see: explained(toolRequest), want: `"mode":"text","dialect":"hermes","why":"first"`},
	"experimental/nativeToolCalling": {value: "true", see: explained(toolRequest), want: `"mode":"text"`},

	"dialect":                  {value: "pythonic", with: "mode: text", see: explained(toolRequest), want: `"dialect":"pythonic"`},
	"tool_format":              {value: parrot, with: "mode: text", see: explained(toolRequest), want: "[[CALL"},
	"tool_format/example":      {value: `'[[USE search]]{"query": "tea"}[[/USE]]'`, with: "mode: text", see: explained(toolRequest), want: "[[USE"},
	"tool_format/name":         {value: "parrot", with: parrotAnd, see: explained(toolRequest), want: `"dialect":"parrot"`},
	"tool_format/format":       {value: "json", with: "mode: text, tool_format: {example: '<run tool=\"search\"><with key=\"query\">tea</with></run>'}", see: misspelled, want: "no call is found"},
	"tool_format/parser":       {value: "tags", with: parrotAnd, see: misspelled},
	"tool_format/quirks":       {value: "[single_call]", with: parrotAnd, see: explained(toolRequest)},
	"tool_format/schema_style": {value: "custom", with: parrotAnd, see: explained(toolRequest)},

	"policy":                   {value: "observe", see: answered(toolRequest, badCall, goodCall), want: "was not executed"},
	"rules":                    {value: "{json.trailing_comma: false}", see: answered(toolRequest, `call look {"city":"Oslo",}`, goodCall), want: "was not executed"},
	"max_retries":              {value: "0", see: answered(toolRequest, "status 500", "Hi."), want: "provider_error"},
	"maxRetries":               {value: "0", see: answered(toolRequest, "status 500", "Hi."), want: "provider_error"},
	"max_retry_wait":           {value: "1ms", see: answered(toolRequest, "limited 5", "Hi."), want: "rate_limited"},
	"max_corrections":          {value: "0", see: answered(toolRequest, badCall), want: "Write the call again"},
	"retry_other_mode":         {value: "false", see: answered(toolRequest, badCall), want: "<tools>"},
	"retryWithDifferentFormat": {value: "false", see: answered(toolRequest, badCall), want: "<tools>"},
	"expect_text_calls":        {value: "false", see: answered(toolRequest, taggedCall), want: `"tool_calls"`},
	"expectXmlOutput":          {value: "false", see: answered(toolRequest, taggedCall), want: `"tool_calls"`},
	"enableXmlNormalization":   {value: "false", see: answered(toolRequest, taggedCall), want: `"tool_calls"`},
	"stream_calls":             {value: "flowing", see: answered(streamed(toolRequest), tornCall), want: "502 Bad Gateway"},
	"tool_call_reliable":       {value: "true", see: answered(streamed(toolRequest), tornCall), want: "502 Bad Gateway"},
	"tool_calling_reliable":    {value: "true", see: answered(streamed(toolRequest), tornCall), want: "502 Bad Gateway"},

	"strict_json_instructions":  {value: "true", with: "mode: json_object", see: explained(toolRequest)},
	"useStrictJsonInstructions": {value: "true", with: "mode: json_object", see: explained(toolRequest)},
	"strict_tools":              {value: "on", with: strictReceiver, see: explained(toolRequest), want: `"strict":true`},
	"constrain":                 {value: `"off"`, with: "mode: text, dialect: hermes, caps: {constraint: gbnf}", see: explained(toolRequest), want: "tools.constrained"},
	"cache":                     {value: `"off"`, with: "caps: {cache_control: yes}", see: explained(cachedTurn), want: `"cache_control":{`},
	"tools_over_limit":          {value: "error", with: "caps: {max_tools: 1}", see: explained(twoTools)},
	"fallbacks":                 {value: "[lab/n]", see: explained(toolRequest), want: `"model":"lab/n"`},
	"any":                       {value: "[lab/n]", see: explained(toolRequest), want: `"model":"n"`},
	"prefer":                    {value: "order", with: "any: [lab/n]", see: explained(toolRequest), want: "order: the first"},
	"breaker":                   {value: "{failures: 1}", with: "retries: {backoff: 1ms}", see: answered(toolRequest, "status 500"), want: "the circuit breaker is open"},
	"breaker/failures":          {value: "1", with: "retries: {backoff: 1ms}", see: answered(toolRequest, "status 500"), want: "the circuit breaker is open"},
	"retries":                   {value: "{max: 0}", see: answered(toolRequest, "status 500", "Hi."), want: "provider_error"},
	"retries/max":               {value: "0", see: answered(toolRequest, "status 500", "Hi."), want: "provider_error"},
	"retries/on":                {value: "[timeout]", see: answered(toolRequest, "status 500", "Hi."), want: "provider_error"},
	"timeouts/total":            {value: "200ms", see: answered(toolRequest, "status 500", "Hi."), want: `"content":"Hi."`},
	"conversation":              {value: "{max_calls: 1}", see: conversed, want: "403 Forbidden"},
	"conversation/max_calls":    {value: "1", see: conversed, want: "403 Forbidden"},
	"conversation/max_tokens":   {value: "1", see: conversed, want: "403 Forbidden"},
	"conversation/tell_at":      {value: "0.1", with: "conversation: {max_calls: 10}", see: conversed, want: "This conversation has used"},
	"model":                     {value: "lab/n", see: explained(toolRequest), want: `"model":"n"`},

	"params":                   {value: "{temperature: 0.3}", see: explained(toolRequest), want: `"temperature":0.3`},
	"params/temperature":       {value: "0.3", see: explained(toolRequest), want: `"temperature":0.3`},
	"params/top_p":             {value: "0.3", see: explained(toolRequest), want: `"top_p":0.3`},
	"params/top_k":             {value: "3", with: "wire: anthropic", see: explained(toolRequest), want: `"top_k":3`},
	"params/presence_penalty":  {value: "0.3", see: explained(toolRequest), want: `"presence_penalty":0.3`},
	"params/frequency_penalty": {value: "0.3", see: explained(toolRequest), want: `"frequency_penalty":0.3`},
	"params/seed":              {value: "3", see: explained(toolRequest), want: `"seed":3`},
	"params/max_tokens":        {value: "3", see: explained(toolRequest), want: `_tokens":3`},
	"params/stop":              {value: "[END]", see: explained(toolRequest), want: `"stop":["END"]`},
	"params/reasoning_effort":  {value: "low", see: explained(toolRequest), want: `"reasoning_effort":"low"`},
	"params/reasoning_budget":  {value: "2000", with: "wire: anthropic", see: explained(toolRequest), want: `2000`},
	"params/user":              {value: "me", see: explained(toolRequest), want: `"user":"me"`},
	"request":                  {value: "{verbosity: low}", see: explained(toolRequest), want: `"verbosity":"low"`},

	"transforms":             {value: "[openai_tools_strip_function_descriptions]", see: explained(toolRequest), want: "tools.description"},
	"tool_transforms":        {value: "[openai_tools_strip_function_descriptions]", see: explained(toolRequest), want: "tools.description"},
	"message_transforms":     {value: "[assistant_tool_calls_content_null_if_blank]", see: explained(history), want: `"content":null`},
	"tool_result_transforms": {value: "[tool_result_compact_envelope]", see: explained(history), want: `\"warnings\":[]`},
	"response_transforms":    {value: "[assistant_content_tool_call_tags_to_tool_calls]", below: "rules: {dialect.hermes: false}", see: answered(toolRequest, taggedCall), want: `"tool_calls"`},
	"tool_call_transforms":   {value: "[assistant_tool_calls_arguments_blank_to_empty_object]", below: "rules: {json.empty: false}", see: answered(bareTool, "call now "), want: "was not executed"},

	"call_rules": {value: "[{name: no-look, tools: [look]}]", see: answered(toolRequest, goodCall, "Fine."), want: "was refused by the rule no-look"},

	"caps": {value: "{tools: no}", see: explained(toolRequest), want: `"mode":"native"`},

	"api_key":         {value: "secret", see: answered(toolRequest, "Hi."), want: "Bearer secret"},
	"base_url":        {value: `"LAB/elsewhere/v1"`, see: explained(toolRequest), want: "/elsewhere/v1"},
	"api_key/*/key":   {value: "[{key: secret}]", see: answered(toolRequest, "Hi."), want: "Bearer secret"},
	"api_key/command": {value: "[echo, sesame]", see: answered(toolRequest, "Hi."), want: "Bearer sesame"},
	"base_url/*/url":  {value: `[{url: "LAB/elsewhere/v1"}]`, see: explained(toolRequest), want: "/elsewhere/v1"},

	"headers": {value: "{X-Lab: seven}", see: answered(toolRequest, "Hi."), want: `x-lab="seven"`},
	"wire":    {value: "anthropic", see: explained(toolRequest), want: "/messages"},
}

// Requests of clients.
const (
	lookTool    = `{"type":"function","function":{"name":"look","description":"Looks at a city.","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}`
	nowTool     = `{"type":"function","function":{"name":"now","parameters":{"type":"object","properties":{}}}}`
	toolRequest = `{"model":"lab/m","messages":[{"role":"user","content":"How is it in Oslo?"}],"tools":[` + lookTool + `]}`
	twoTools    = `{"model":"lab/m","messages":[{"role":"user","content":"How is it in Oslo?"}],"tools":[` + lookTool + `,` + nowTool + `]}`
	bareTool    = `{"model":"lab/m","messages":[{"role":"user","content":"What time is it?"}],"tools":[` + nowTool + `]}`
	history     = `{"model":"lab/m","messages":[{"role":"system","content":"A"},{"role":"system","content":"B"},{"role":"user","content":"One"},` +
		`{"role":"assistant","content":"","tool_calls":[{"id":"call/1:of_a_very_long_identifier_that_goes_on","type":"function","function":{"name":"look","arguments":"{\"city\":\"Oslo\"}"}}]},` +
		`{"role":"tool","tool_call_id":"call/1:of_a_very_long_identifier_that_goes_on","content":"{\"ok\":true,\"data\":\"3\",\"warnings\":[],\"errors\":[]}"},` +
		`{"role":"user","content":"Two"},{"role":"assistant","content":" "},{"role":"user","content":"Three"}],"tools":[` + lookTool + `]}`
)

// cachedRequest has instructions that are long enough for a prompt cache.
var cachedRequest = `{"model":"lab/m","messages":[{"role":"system","content":"` + strings.Repeat("Be brief. ", 3000) + `"},{"role":"user","content":"Hi"}],"tools":[` + lookTool + `]}`

// Answers of the provider, and a format of calls.
const (
	badCall    = `call look {"town":1}`
	tornCall   = "torn " + goodCall
	goodCall   = `call look {"city":"Oslo"}`
	taggedCall = "<tool_call>\n{\"name\": \"look\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>"
	parrot     = `{example: '[[CALL search]]{"query": "tea"}[[/CALL]]'}`
	parrotAnd  = "mode: text, tool_format: " + parrot
)

func streamed(request string) string { return strings.TrimSuffix(request, "}") + `,"stream":true}` }

// explained shows what would be sent, without the facts about the model.
func explained(request string) func(s *scene) string {
	return func(s *scene) string {
		status, out, errs := command(s.T, request, "explain", "--config", s.file(), "--json", "-")
		return fmt.Sprintln(status, errs) + beside.ReplaceAllString(out, "")
	}
}

// beside are the members of a plan that say a setting again.
var beside = regexp.MustCompile(`,"(facts":\{[^{}]*\}|fingerprint":"[^"]*")`)

// misspelled shows what becomes of a description of a format.
func misspelled(s *scene) string {
	status, out, errs := command(s.T, "", "config", "check", s.file())
	return fmt.Sprintln(status, out, errs) + explained(toolRequest)(s)
}

// answered has a gateway ask the provider, which plays answers, and shows all that is sent.
func answered(request string, answers ...string) func(s *scene) string {
	return func(s *scene) string {
		s.lab.play(answers...)
		g := serve(s.T, s.conf, nil)
		defer g.end()
		out := g.post("/v1/chat/completions", request, nil)
		return s.lab.asked() + "\n" + out
	}
}

// conversed has a gateway ask the provider four times, which makes a call each time, and shows all that is sent.
func conversed(s *scene) string {
	s.lab.play(goodCall)
	g := serve(s.T, s.conf, nil)
	defer g.end()
	out := ""
	for range 4 {
		out += g.post("/v1/chat/completions", toolRequest, nil)
	}
	return s.lab.asked() + "\n" + out
}

// end stops a gateway and reads what it said.
func (s *served) end() string {
	http.DefaultClient.CloseIdleConnections()
	s.stop()
	s.rest()
	return s.said
}

// post sends a request and shows the answer.
func (s *served) post(path, body string, header map[string]string) string {
	s.t.Helper()
	return s.do(http.MethodPost, path, body, header)
}

func (s *served) do(method, path, body string, header map[string]string) string {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, bytes.NewReader([]byte(body)))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for k, v := range header {
		if k == "Host" {
			req.Host = v
		}
		req.Header.Set(k, v)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	return fmt.Sprintln(resp.Status, resp.Header.Get("Access-Control-Allow-Origin"), resp.Header.Get("Callwright-Report"), err) + string(text)
}

// modelKeys are the settings of models, each with the places where it may stand.
func modelKeys(t *testing.T) map[string][]string {
	out := map[string][]string{}
	for _, key := range schemaKeys(t) {
		place, below, ok := strings.Cut(key, "/*/")
		if ok && slices.Contains(modelPlaces, place) {
			out[below] = append(out[below], place)
		}
	}
	return out
}

// modelConf is a configuration with settings at a place, and others that stand below it, of the provider. What is said of the provider alone stands there.
func modelConf(l *lab, place, settings, below string) string {
	provider := map[string]string{"base_url": `"` + l.URL + `/v1"`, "api_key": "any", "wire": "openai"}
	var here []string
	for _, one := range topLevel(settings) {
		key, value, _ := strings.Cut(one, ":")
		if _, ok := provider[key]; ok {
			provider[key] = strings.ReplaceAll(value, "LAB", l.URL)
			continue
		}
		here = append(here, one)
	}
	if wire := strings.TrimSpace(provider["wire"]); wire != "openai" && wire != "responses" {
		provider["base_url"] = strings.Replace(provider["base_url"], "/v1", "", 1)
	}
	at := strings.Join(here, ", ")
	lab := "base_url: " + provider["base_url"] + ", api_key: " + provider["api_key"] + ", wire: " + provider["wire"]
	if place == "providers" {
		return "providers: {lab: {" + lab + ", " + at + "}}\n"
	}
	return "providers: {lab: {" + lab + ", " + below + "}}\n" + place + ": {lab/m: {" + at + "}}\n"
}

// topLevel are the members of a mapping in flow style.
func topLevel(text string) (out []string) {
	depth, from, quoted := 0, 0, byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quoted != 0:
			if c == quoted {
				quoted = 0
			}
		case c == '\'' || c == '"':
			quoted = c
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case c == ',' && depth == 0:
			out, from = append(out, strings.TrimSpace(text[from:i])), i+1
		}
	}
	if last := strings.TrimSpace(text[from:]); last != "" {
		out = append(out, last)
	}
	return out
}

// settings are the settings of an observation without a key and with it. A key below another one is joined with what with has of that.
func (c *settingCase) settings(key string) (without, with string) {
	first, below, nested := strings.Cut(key, "/")
	var others []string
	inside := ""
	for _, one := range topLevel(c.with) {
		if name, value, _ := strings.Cut(one, ":"); name == first {
			inside = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(value), "{"), "}")
			continue
		}
		others = append(others, one)
	}
	value := c.value
	if nested && !strings.HasPrefix(below, "*/") { // else it is a list with elements of that key
		value = "{" + strings.Join(append(topLevel(inside), below+": "+value), ", ") + "}"
	}
	return c.with, strings.Join(append(others, first+": "+value), ", ")
}

// Each setting of a model changes what its provider or its client gets, wherever it stands.
func TestModelSettings(t *testing.T) {
	keys := modelKeys(t)
	names := make([]string, 0, len(keys))
	for key := range keys {
		names = append(names, key)
	}
	cases := map[string]settingCase{}
	for key, c := range modelCases {
		cases[key] = c
	}
	for fact, c := range capsCases {
		cases["caps/"+fact] = c
	}
	for key, by := range heldElsewhere {
		if _, ok := keys[key]; ok {
			held(t, by)
			cases[key] = settingCase{}
		}
	}
	complete(t, names, cases)
	for key, c := range cases {
		for _, place := range keys[key] {
			if c.see == nil || c.below != "" && place == "providers" { // nothing is below that
				continue
			}
			t.Run(place+"/"+key, func(t *testing.T) {
				t.Parallel()
				l := newLab(t)
				without, with := c.settings(key)
				differ(t, &c, l, scene{conf: modelConf(l, place, without, c.below)}, scene{conf: modelConf(l, place, with, c.below)})
			})
		}
	}
}

// gatewaySettings is the test of what stands in the list of the whole gateway likewise.
const gatewaySettings = "cmd/callwright/settingsgateway_test.go TestGatewaySettings"

// heldElsewhere are settings whose effect takes time or servers to see, with the test that sees it.
var heldElsewhere = map[string]string{
	"api_key/*/weight":   "internal/provider/target_test.go TestWeights",
	"base_url/*/weight":  "internal/provider/target_test.go TestWeights",
	"api_key/expires_in": "internal/config/auth_test.go TestKeyCommand",
	"auth":               "cmd/callwright/credentials_test.go TestServeCredentials", "auth/azure": "cmd/callwright/credentials_test.go TestServeCredentials",
	"auth/azure/tenant": "cmd/callwright/credentials_test.go TestServeCredentials", "auth/azure/client": "cmd/callwright/credentials_test.go TestServeCredentials",
	"auth/azure/secret": "cmd/callwright/credentials_test.go TestServeCredentials", "auth/azure/token_file": "internal/config/auth_test.go TestAuth", "auth/azure/scope": "internal/config/auth_test.go TestSharedToken",
	"auth/aws": "internal/config/auth_test.go TestAuth", "auth/aws/region": "internal/config/auth_test.go TestAuth", "auth/aws/profile": "internal/config/auth_test.go TestAuth",
	"auth/aws/role": "internal/config/auth_test.go TestAuth", "auth/google": "internal/config/auth_test.go TestAuth", "auth/google/project": "internal/config/auth_test.go TestAuth",
	"auth/google/location": "internal/config/auth_test.go TestAuth", "auth/google/credentials": "internal/config/auth_test.go TestAuth",
	"probe":                  "internal/config/probing_test.go TestProbeUnknown",
	"discover":               "internal/config/list_test.go TestDiscover",
	"timeouts":               "internal/provider/stream_test.go TestTimeouts",
	"timeouts/connect":       "internal/provider/stream_test.go TestTimeouts",
	"timeouts/first_byte":    "internal/provider/stream_test.go TestTimeouts",
	"timeouts/between_bytes": "internal/provider/stream_test.go TestTimeouts",
	"breaker/window":         "internal/config/groups_test.go TestTries",
	"breaker/pause":          "internal/config/groups_test.go TestTries",
	"retries/backoff":        "internal/config/groups_test.go TestTries",
	"fallbacks/*/model":      "internal/config/groups_test.go TestFallbacksByKind",
	"fallbacks/*/on":         "internal/config/groups_test.go TestFallbacksByKind",
	"conversation/max_cost":  "internal/gateway/conversation_test.go TestLoopingAgentIsToldThenStopped",
	"call_rules/*/name":      gatewaySettings,
	"call_rules/*/tools":     gatewaySettings,
	"call_rules/*/keys":      gatewaySettings,
	"call_rules/*/groups":    gatewaySettings,
	"call_rules/*/when":      gatewaySettings,
	"call_rules/*/action":    gatewaySettings,
	"call_rules/*/message":   gatewaySettings,
	"call_rules/*/on_error":  gatewaySettings,
	"caps/hosted_tools":      "cmd/callwright/servehosted_test.go TestServeHostedTools",
}

// held fails where a test that holds a setting is not there.
func held(t *testing.T, by string) {
	t.Helper()
	file, name, _ := strings.Cut(by, " ")
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
	if err != nil || !strings.Contains(string(text), "func "+name+"(") {
		t.Errorf("there is no test %s: %v", by, err)
	}
}
