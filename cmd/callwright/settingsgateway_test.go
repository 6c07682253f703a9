package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A gatewayCase shows that a key of the whole gateway does something: what is observed with two configurations differs.
type gatewayCase struct {
	without, with string // lines of the configuration
	see           func(s *scene) string
	want          string // a text that one of the observations has more often, "" where any difference will do
}

const (
	guarded = "keys: [{name: me, key: sesame"
	asMe    = "Authorization=Bearer sesame"
	chat    = "POST /v1/chat/completions "
	hello   = `{"model":"lab/m","messages":[{"role":"user","content":"Hi"}]}`
	noLook  = "call_rules: [{name: no-look, tools: [look]"
	priced  = "prices_file: DIR/prices.yaml\n"
)

// grouped is a key in a group with these settings, and inNoGroup one beside a group.
func grouped(settings string) string {
	return guarded + ", group: team}]\ngroups: {team: {" + settings + "}}\n"
}

const inNoGroup = guarded + "}]\ngroups: {team: {requests_per_minute: 1}}\n"

// gatewayCases have a case for each key that is not one of models or agents.
var gatewayCases = map[string]gatewayCase{
	"providers":                            {"", "providers: {lab: {base_url: \"LAB/v1\"}}", bareServe, "lab"},
	"models":                               {"", "models: {fast: {model: lab/m}}", replied("POST /v1/chat/completions " + strings.Replace(hello, "lab/m", "fast", 1)), "200 OK"},
	"modelOverrides":                       {"", "modelOverrides: {fast: {model: lab/m}}", replied("POST /v1/chat/completions " + strings.Replace(hello, "lab/m", "fast", 1)), "200 OK"},
	"agent":                                {"agent: {model: lab/m}", "agent: {model: lab/m, system: Be short.}", ran("Hi."), "Be short."},
	"agent/cost/input_per_million":         {"agent: {cost: {output_per_million: 1}}", "agent: {cost: {output_per_million: 1, input_per_million: 9}}", ran("Hi."), ""},
	"agent/cost/output_per_million":        {"agent: {cost: {input_per_million: 1}}", "agent: {cost: {input_per_million: 1, output_per_million: 9}}", ran("Hi."), ""},
	"agent/tool_profiles/*/tool_allowlist": {"agent: {tool_profile: r, tool_profiles: {r: {}}}", "agent: {tool_profile: r, tool_profiles: {r: {tool_allowlist: look}}}", ran("Hi."), `"name":"drop"`},
	"agent/tool_profiles/*/tool_denylist":  {"agent: {tool_profile: r, tool_profiles: {r: {}}}", "agent: {tool_profile: r, tool_profiles: {r: {tool_denylist: look}}}", ran("Hi."), `"name":"look"`},
	"agent/mcp/*/command":                  {"agent: {mcp: {s: {command: no-such-one}}}", "agent: {mcp: {s: {command: no-such-two}}}", ran("Hi."), "no-such-two"},
	"agent/mcp/*/url":                      {"agent: {mcp: {s: {command: no-such-one}}}", "agent: {mcp: {s: {url: \"http://127.0.0.1:1/mcp\"}}}", ran("Hi."), "no-such-one"},

	"cache":                          {"providers: {lab: {base_url: \"LAB/v1\", caps: {cache_control: yes}}}", "cache: \"off\"\nproviders: {lab: {base_url: \"LAB/v1\", caps: {cache_control: yes}}}", explained(cachedTurn), `"cache_control":{`},
	"experimental":                   {"", "experimental: {nativeToolCalling: false}", explained(toolRequest), `"mode":"text","dialect":"hermes","why":"first"`},
	"experimental/nativeToolCalling": {"experimental: {nativeToolCalling: true}", "experimental: {nativeToolCalling: false}", explained(toolRequest), ""},
	"transforms":                     {"", "transforms: [openai_tools_strip_function_descriptions]", explained(toolRequest), "tools.description"},
	"tool_transforms":                {"", "tool_transforms: [openai_tools_strip_function_descriptions]", explained(toolRequest), "tools.description"},
	"message_transforms":             {"", "message_transforms: [assistant_tool_calls_content_null_if_blank]", explained(history), `"content":null`},
	"tool_result_transforms":         {"", "tool_result_transforms: [tool_result_compact_envelope]", explained(history), `\"warnings\":[]`},

	"call_rules":            {"", noLook + "}]", answered(toolRequest, goodCall, "Fine."), "was refused by the rule no-look"},
	"call_rules/*/name":     {noLook + "}]", "call_rules: [{name: other, tools: [look]}]", answered(toolRequest, goodCall, "Fine."), "was refused by the rule other"},
	"call_rules/*/tools":    {noLook + "}]", "call_rules: [{name: no-look, tools: [now]}]", answered(toolRequest, goodCall, "Fine."), "was refused"},
	"call_rules/*/keys":     {noLook + "}]", noLook + ", keys: [ci]}]", answered(toolRequest, goodCall, "Fine."), "was refused"},
	"call_rules/*/groups":   {noLook + "}]", noLook + ", groups: [ci]}]", answered(toolRequest, goodCall, "Fine."), "was refused"},
	"call_rules/*/when":     {noLook + "}]", noLook + ", when: 'args.city == \"Rome\"'}]", answered(toolRequest, goodCall, "Fine."), "was refused"},
	"call_rules/*/action":   {noLook + "}]", noLook + ", action: park}]", answered(toolRequest, goodCall, "Fine."), "needs the approval of a person"},
	"call_rules/*/message":  {noLook + "}]", noLook + ", message: not at night}]", answered(toolRequest, goodCall, "Fine."), "not at night"},
	"call_rules/*/on_error": {noLook + ", when: args.night}]", noLook + ", when: args.night, on_error: allow}]", answered(toolRequest, goodCall, "Fine."), "could not be checked"},

	"hosts":       {"", "hosts: [gate.example]", replied("GET /v1/models Host=gate.example"), "200 OK"},
	"origins":     {"", "origins: [\"https://app.example\"]", replied("GET /v1/models Origin=https://app.example"), "200 OK https://app.example"},
	"passthrough": {"", "passthrough: none", replied(`POST /v1/embeddings {"model":"lab/m","input":"Hi"}`), "/embeddings"},
	"metrics":     {"", "metrics: off", replied("GET /metrics"), "200 OK"},
	"ui":          {"", "ui: off", replied("GET /ui/"), "404"},

	"budget":          {priced, priced + "budget: {cost: 0.000001, period: day}", replied(chat+hello, chat+hello), "the budget of all keys"},
	"budget/cost":     {priced + "budget: {cost: 1000}", priced + "budget: {cost: 0.000001}", replied(chat+hello, chat+hello), "the budget of all keys"},
	"budget/period":   {priced + "budget: {cost: 0.000001, period: day}", priced + "budget: {cost: 0.000001, period: month}", replied(chat+hello, chat+hello), "USD a month"},
	"budget/unpriced": {"budget: {cost: 1}", "budget: {cost: 1, unpriced: allow}", replied(chat + hello), "200 OK"},

	"limits":          {"", "limits: {body: 20}", replied(chat + hello), "200 OK"},
	"limits/body":     {"limits: {tools: 9}", "limits: {tools: 9, body: 20}", replied(chat + hello), "413"},
	"limits/messages": {"limits: {tools: 9}", "limits: {tools: 9, messages: 1}", replied(chat + strings.Replace(hello, `"Hi"}`, `"Hi"},{"role":"user","content":"Hi"}`, 1)), "200 OK"},
	"limits/tools":    {"limits: {messages: 9}", "limits: {messages: 9, tools: 1}", replied(chat + twoTools), "200 OK"},
	"limits/parts":    {"limits: {messages: 9}", "limits: {messages: 9, parts: 1}", replied(chat + textParts), "200 OK"},

	"keys":                                  {"", "keys: [sesame]", replied(chat + hello), "401"},
	"keys/*/key":                            {guarded + "}]", "keys: [{name: me, key: other}]", replied(chat + asMe + " " + hello), "200 OK"},
	"keys/*/name":                           {guarded + "}]", "keys: [{name: you, key: sesame}]", logged(chat + asMe + " " + hello), "key=you"},
	"keys/*/previous":                       {guarded + "}]", "keys: [{name: me, key: new, previous: sesame}]", replied(chat + "Authorization=Bearer new " + hello), "200 OK"},
	"keys/*/expires":                        {guarded + "}]", guarded + ", expires: 2020-01-01}]", replied(chat + asMe + " " + hello), "200 OK"},
	"keys/*/models":                         {guarded + "}]", guarded + ", models: [lab/other]}]", replied(chat + asMe + " " + hello), "200 OK"},
	"keys/*/providers":                      {guarded + "}]", guarded + ", providers: [groq]}]", replied(chat + asMe + " " + hello), "200 OK"},
	"keys/*/verbs":                          {guarded + "}]", guarded + ", verbs: [metrics]}]", replied(chat + asMe + " " + hello), "200 OK"},
	"keys/*/requests_per_minute":            {guarded + "}]", guarded + ", requests_per_minute: 1}]", replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "429"},
	"keys/*/tokens_per_minute":              {guarded + "}]", guarded + ", tokens_per_minute: 1}]", replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "200 OK"},
	"keys/*/limits":                         {guarded + "}]", guarded + ", limits: {lab/m: {requests_per_minute: 1}}}]", replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "429"},
	"keys/*/limits/*/requests_per_minute":   {guarded + "}]", guarded + ", limits: {lab/m: {requests_per_minute: 1}}}]", replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "429"},
	"keys/*/limits/*/tokens_per_minute":     {guarded + "}]", guarded + ", limits: {lab/m: {tokens_per_minute: 1}}}]", replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "200 OK"},
	"keys/*/spend":                          {guarded + "}]", guarded + ", spend: {usd: 0.000001, per: day}}]", replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "200 OK"},
	"keys/*/spend/usd":                      {priced + guarded + ", spend: {usd: 1000, per: day}}]", priced + guarded + ", spend: {usd: 0.000001, per: day}}]", replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "200 OK"},
	"keys/*/spend/per":                      {priced + guarded + ", spend: {usd: 0.000001, per: day}}]", priced + guarded + ", spend: {usd: 0.000001, per: month}}]", replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "USD a month"},
	"keys/*/limits/*/spend/per":             {priced + guarded + ", limits: {lab/m: {spend: {usd: 0.000001, per: day}}}}]", priced + guarded + ", limits: {lab/m: {spend: {usd: 0.000001, per: month}}}}]", replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "USD a month"},
	"keys/*/spend/unpriced":                 {guarded + ", spend: {usd: 1, per: day}}]", guarded + ", spend: {usd: 1, per: day, unpriced: allow}}]", replied(chat + asMe + " " + hello), "200 OK"},
	"keys/*/limits/*/spend":                 {guarded + "}]", guarded + ", limits: {lab/m: {spend: {usd: 0.000001, per: day}}}}]", replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "200 OK"},
	"keys/*/limits/*/spend/usd":             {priced + guarded + ", limits: {lab/m: {spend: {usd: 1000, per: day}}}}]", priced + guarded + ", limits: {lab/m: {spend: {usd: 0.000001, per: day}}}}]", replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "200 OK"},
	"keys/*/limits/*/spend/unpriced":        {guarded + ", limits: {lab/m: {spend: {usd: 1, per: day}}}}]", guarded + ", limits: {lab/m: {spend: {usd: 1, per: day, unpriced: allow}}}}]", replied(chat + asMe + " " + hello), "200 OK"},
	"keys/*/group":                          {guarded + "}]", grouped("requests_per_minute: 1"), replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "200 OK"},
	"groups":                                {inNoGroup, grouped("requests_per_minute: 1"), replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "429"},
	"groups/*/requests_per_minute":          {grouped(""), grouped("requests_per_minute: 1"), replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "429"},
	"groups/*/tokens_per_minute":            {grouped(""), grouped("tokens_per_minute: 1"), replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "200 OK"},
	"groups/*/spend":                        {grouped(""), grouped("spend: {usd: 0.000001, per: day}"), replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "200 OK"},
	"groups/*/spend/usd":                    {priced + grouped("spend: {usd: 1000, per: day}"), priced + grouped("spend: {usd: 0.000001, per: day}"), replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "200 OK"},
	"groups/*/spend/per":                    {priced + grouped("spend: {usd: 0.000001, per: day}"), priced + grouped("spend: {usd: 0.000001, per: month}"), replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "USD a month"},
	"groups/*/spend/unpriced":               {grouped("spend: {usd: 1, per: day}"), grouped("spend: {usd: 1, per: day, unpriced: allow}"), replied(chat + asMe + " " + hello), "200 OK"},
	"groups/*/limits":                       {grouped(""), grouped("limits: {lab/m: {requests_per_minute: 1}}"), replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "429"},
	"groups/*/limits/*/requests_per_minute": {grouped("limits: {lab/m: {requests_per_minute: 9}}"), grouped("limits: {lab/m: {requests_per_minute: 1}}"), replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "429"},
	"groups/*/limits/*/tokens_per_minute":   {grouped(""), grouped("limits: {lab/m: {tokens_per_minute: 1}}"), replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "200 OK"},
	"groups/*/limits/*/spend":               {grouped(""), grouped("limits: {lab/m: {spend: {usd: 0.000001, per: day}}}"), replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "200 OK"},
	"groups/*/limits/*/spend/usd":           {priced + grouped("limits: {lab/m: {spend: {usd: 1000, per: day}}}"), priced + grouped("limits: {lab/m: {spend: {usd: 0.000001, per: day}}}"), replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "200 OK"},
	"groups/*/limits/*/spend/per":           {priced + grouped("limits: {lab/m: {spend: {usd: 0.000001, per: day}}}"), priced + grouped("limits: {lab/m: {spend: {usd: 0.000001, per: month}}}"), replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "USD a month"},
	"groups/*/limits/*/spend/unpriced":      {grouped("limits: {lab/m: {spend: {usd: 1, per: day}}}"), grouped("limits: {lab/m: {spend: {usd: 1, per: day, unpriced: allow}}}"), replied(chat + asMe + " " + hello), "200 OK"},
	"keys/*/conversation":                   {guarded + "}]", guarded + ", conversation: {max_tokens: 1}}]", replied(chat+asMe+" "+hello, chat+asMe+" "+hello, chat+asMe+" "+hello), "403"},
	"keys/*/conversation/max_tokens":        {guarded + ", conversation: {max_tokens: 9000}}]", guarded + ", conversation: {max_tokens: 1}}]", replied(chat+asMe+" "+hello, chat+asMe+" "+hello, chat+asMe+" "+hello), "403"},
	"keys/*/conversation/max_cost":          {priced + guarded + ", conversation: {max_cost: 9000}}]", priced + guarded + ", conversation: {max_cost: 0.000001}}]", replied(chat+asMe+" "+hello, chat+asMe+" "+hello, chat+asMe+" "+hello), "403"},
	"keys/*/conversation/tell_at":           {guarded + ", conversation: {max_tokens: 20000}}]", guarded + ", conversation: {max_tokens: 20000, tell_at: 0.01}}]", replied(chat+asMe+" "+hello, chat+asMe+" "+hello), "This conversation has used"},
	"keys_file":                             {"", "keys_file: DIR/keys.yaml", replied(chat + hello), "200 OK"},
	"prices_file":                           {guarded + ", spend: {usd: 1, per: day}}]", priced + guarded + ", spend: {usd: 1, per: day}}]", replied(chat + asMe + " " + hello), "200 OK"},

	"trace":                {"", "trace: {file: DIR/trace.jsonl}", wrote("trace.jsonl"), "true true true"},
	"trace/file":           {"trace: {file: DIR/other.jsonl}", "trace: {file: DIR/trace.jsonl}", wrote("trace.jsonl"), "true true true"},
	"trace/content":        {"trace: {file: DIR/trace.jsonl}", "trace: {file: DIR/trace.jsonl, content: false}", wrote("trace.jsonl"), ""},
	"server/history_cache": {"", "server: {history_cache: 0}", metricAfter("callwright_history_cache_bytes", chat+strings.Replace(hello, "Hi", strings.Repeat("Hi. ", 2000), 1)), "callwright_history_cache_bytes 0"},
	"server/header_bytes":  {"", "server: {header_bytes: 4096}", replied("GET /healthz X-Big=" + strings.Repeat("a", 20000)), "200 OK"},
	"state":                {"", "state: {dir: DIR/kept}", kept, "/kept"},
	"state/dir":            {"state: {dir: DIR/one}", "state: {dir: DIR/two}", kept, "/two"},
}

// gatewayElsewhere are keys whose effect takes time, sockets or servers to see, with the test that sees it.
var gatewayElsewhere = map[string]string{
	"agent/mcp/*/dir": "cmd/callwright/mcpserver_test.go TestServerConfig", "agent/mcp/*/env": "cmd/callwright/mcpserver_test.go TestServerConfig", "agent/mcp/*/headers": "cmd/callwright/mcpserver_test.go TestServerConfig",
	"agent/cost/cached_per_million": "internal/config/agentoptions_test.go TestAgentOptions",
	"keys/*/conversation/max_calls": "internal/gateway/conversation_test.go TestLoopingAgentIsToldThenStopped",
	"discover":                      "internal/config/list_test.go TestDiscover",
	"drain_time":                    "cmd/callwright/operate_test.go TestOperate",
	"listen":                        "cmd/callwright/serve_test.go TestServeListen",
	"hosted_tools":                  "cmd/callwright/servehosted_test.go TestServeHostedTools", "hosted_tools/code_interpreter": "cmd/callwright/servehosted_test.go TestServeHostedTools",
	"hosted_tools/web_fetch": "cmd/callwright/servehosted_test.go TestServeHostedTools", "hosted_tools/web_search": "cmd/callwright/servehosted_test.go TestServeHostedTools",
	"response_transforms": "internal/config/transforms_test.go TestAnswerTransforms", "tool_call_transforms": "internal/config/transforms_test.go TestAnswerTransforms",
	"server": "cmd/callwright/monitor_test.go TestServeTLS", "server/*": "cmd/callwright/operate_test.go TestIdleConnectionsMakeRoom", "server/tls/*": "cmd/callwright/monitor_test.go TestServeTLS",
	"state/*": "cmd/callwright/servestate_test.go TestStateFolder", "state/nats/*": "cmd/callwright/natsguard_test.go TestServeWithAGuardedNATS", "state/nats/tls/*": "cmd/callwright/natsguard_test.go TestServeWithAGuardedNATS",
	"state/answers/*": "cmd/callwright/internal/state/state_test.go TestRetention", "state/reports/*": "cmd/callwright/internal/state/state_test.go TestRetention", "state/vault/*": "cmd/callwright/internal/state/state_test.go TestRetention",
	"state/counters/*": "cmd/callwright/internal/state/state_test.go TestRetention", "state/evals/*": "cmd/callwright/internal/state/state_test.go TestRetention", "state/facts/*": "cmd/callwright/internal/state/state_test.go TestRetention",
	"state/runs/*": "cmd/callwright/internal/state/state_test.go TestRetention",
	"alerts":       "cmd/callwright/alerts_test.go TestServeAlerts", "alerts/*": "cmd/callwright/alerts_test.go TestServeAlerts",
	"telemetry": "internal/telemetry/spans_test.go TestSpans", "telemetry/*": "internal/telemetry/spans_test.go TestContent",
	"trace/age": "internal/config/state_test.go TestTraceOnNATS", "trace/bytes": "internal/config/state_test.go TestTraceOnNATS", "trace/nats": "internal/config/state_test.go TestTraceOnNATS",
}

// replied has a gateway answer requests, each METHOD PATH, a header NAME=VALUE where it has one, and a body, and shows the answers and what it asked.
func replied(requests ...string) func(s *scene) string {
	return func(s *scene) string {
		g := serve(s.T, s.conf, nil)
		defer g.end()
		var out strings.Builder
		for _, r := range requests {
			out.WriteString(g.send(r) + "\n")
		}
		return s.lab.asked() + "\n" + out.String()
	}
}

// send sends a request as replied has it.
func (s *served) send(request string) string {
	method, rest, _ := strings.Cut(request, " ")
	path, rest, _ := strings.Cut(rest, " ")
	header := map[string]string{}
	if body := strings.IndexByte(rest, '{'); body != 0 && rest != "" {
		if body < 0 {
			body = len(rest)
		}
		name, value, _ := strings.Cut(strings.TrimSpace(rest[:body]), "=")
		header[name], rest = value, rest[body:]
	}
	answer := s.do(method, path, rest, header)
	if method == http.MethodGet { // pages and figures are as they are
		answer, _, _ = strings.Cut(answer, "\n")
	}
	return answer
}

// metricAfter shows a metric after a request.
func metricAfter(name, request string) func(s *scene) string {
	return func(s *scene) string {
		g := serve(s.T, s.conf, nil)
		defer g.end()
		g.send(request)
		for line := range strings.Lines(g.do(http.MethodGet, "/metrics", "", nil)) {
			if strings.HasPrefix(line, name+" ") {
				return line
			}
		}
		return "no metric " + name
	}
}

// logged shows what the gateway logs of a request.
func logged(request string) func(s *scene) string {
	return func(s *scene) string {
		g := serve(s.T, s.conf, nil)
		g.send(request)
		return g.end()
	}
}

// bareServe shows what a gateway says when it starts.
func bareServe(s *scene) string {
	s.conf = strings.Replace(s.conf, "agent: {}\n", "", 1)
	return serve(s.T, s.conf, nil).end()
}

// wrote shows what the gateway wrote into a file.
func wrote(name string) func(s *scene) string {
	return func(s *scene) string {
		logged(chat + hello)(s)
		text, err := os.ReadFile(filepath.Join(s.dir, name))
		return fmt.Sprintln(err != nil, len(text) > 0, strings.Contains(string(text), `"Hi"`), strings.Contains(string(text), "lab/m"))
	}
}

// kept shows which folders there are once a gateway has answered.
func kept(s *scene) string {
	replied(chat + hello)(s)
	found, err := os.ReadDir(s.dir)
	out := fmt.Sprintln(err)
	for _, f := range found {
		out += "/" + f.Name() + "\n"
	}
	return out
}

// Each key of the whole gateway changes what it does.
func TestGatewaySettings(t *testing.T) {
	var keys []string
	cases := map[string]gatewayCase{}
	for key, c := range gatewayCases {
		cases[key] = c
	}
	for _, key := range schemaKeys(t) {
		first, below, nested := strings.Cut(key, "/")
		switch {
		case nested && (first == "providers" || first == "models" || first == "modelOverrides"), first == "agent" && nested && !strings.Contains(below, "/"):
			continue // in the other tables
		}
		keys = append(keys, key)
		if _, ok := cases[key]; ok {
			continue
		}
		by, ok := gatewayElsewhere[key]
		if !ok {
			by, ok = gatewayElsewhere[key[:strings.LastIndexByte(key, '/')+1]+"*"]
		}
		if ok {
			held(t, by)
			cases[key] = gatewayCase{}
		}
	}
	complete(t, keys, cases)
	for key, c := range cases {
		if c.see == nil {
			continue
		}
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			conf := func(lines string) string {
				if !strings.Contains(lines, "providers: {lab") && key != "providers" {
					lines = "providers: {lab: {base_url: \"LAB/v1\", api_key: any, discover: off}}\n" + lines // no check of the start beside what is seen
				}
				return lines + "\n"
			}
			see := func(s *scene) string {
				s.conf = strings.NewReplacer("DIR", s.dir, "LAB", l.URL).Replace(s.conf)
				for name, text := range map[string]string{"prices.yaml": "lab/m: {input: 10, output: 10}\n", "keys.yaml": "- {name: me, key: sesame}\n"} {
					if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				return strings.ReplaceAll(c.see(s), s.dir, "DIR")
			}
			differ(t, &settingCase{see: see, want: c.want}, l, scene{conf: conf(c.without)}, scene{conf: conf(c.with)})
		})
	}
}
