package reliable_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// A bodyTool is a tool in the body of a request.
type bodyTool struct{ name, text string }

// bodyTools are the tools of a body of any API, in their order.
func bodyTools(body []byte) (out []bodyTool) {
	list, _ := jsonx.Find(body, "tools")
	for v := range jsonx.Elements(list) {
		group, ok := jsonx.Find(v, "functionDeclarations")
		if !ok {
			group = append(append([]byte{'['}, v...), ']')
		}
		for d := range jsonx.Elements(group) {
			for _, path := range [][]string{{"name"}, {"function", "name"}} {
				if name, ok := jsonx.Lookup(d, path...); ok {
					out = append(out, bodyTool{jsonx.TextOf(name), string(d)})
					break
				}
			}
		}
	}
	return out
}

// A pickyServer refuses requests for some of their tools, and answers others as a simulated model does.
type pickyServer struct {
	refuses func(bodyTool) bool
	words   func(place int, name string) string
	next    http.RoundTripper
	fails   int // the status in place of an answer; 0 answers

	refused, answered int
	accepted          []bodyTool // the tools of the last request that was answered
	users             []string   // the bodies
}

func (s *pickyServer) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.users = append(s.users, string(body))
	tools := bodyTools(body)
	if i := slices.IndexFunc(tools, s.refuses); i >= 0 {
		s.refused++
		text := `{"error":{"message":` + string(jsonx.AppendQuote(nil, s.words(i, tools[i].name))) + `}}`
		return &http.Response{StatusCode: 400, Header: http.Header{"Content-Type": {"application/json"}}, ContentLength: int64(len(text)), Body: io.NopCloser(strings.NewReader(text)), Request: r}, nil
	}
	if s.fails != 0 {
		return &http.Response{StatusCode: s.fails, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	}
	s.answered++
	s.accepted = tools
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	return s.next.RoundTrip(r)
}

// requests is how many requests came since the count was taken last.
func (s *pickyServer) requests() int {
	n := s.refused + s.answered
	s.refused, s.answered = 0, 0
	return n
}

// goodTools are tools that every provider takes, as servers of tools declare them.
func goodTools(n int) (out []callwright.Tool) {
	shapes := []string{
		`{"type":"object","properties":{"query":{"type":"string","description":"Words to look for."},"limit":{"type":"integer","minimum":1}},"required":["query"]}`,
		`{"type":"object","properties":{"path":{"type":"string"},"mode":{"type":"string","enum":["read","write"]}},"required":["path"]}`,
		`{"type":"object","properties":{"ids":{"type":"array","items":{"type":"string"}},"force":{"type":"boolean"}},"required":["ids"]}`,
		`{"type":"object","properties":{"filter":{"type":"object","properties":{"owner":{"type":"string"}},"required":["owner"]}},"required":["filter"]}`,
		`{"type":"object","properties":{"title":{"type":"string"},"labels":{"type":"array","items":{"type":"string"}}},"required":["title"],"additionalProperties":false}`,
	}
	for i := range n {
		out = append(out, callwright.Tool{Name: fmt.Sprintf("mcp__files__action_%02d", i), Description: fmt.Sprintf("Does action %d.", i), Schema: json.RawMessage(shapes[i%len(shapes)])})
	}
	return out
}

// A refusedTool is a tool that a provider refused, with the words for it, as people report them.
type refusedTool struct {
	provider string
	wire     callwright.WireName
	name     string
	schema   string
	words    func(place int, name string) string
	has      string // in the definition as it was declared; "" where every definition is refused
	rewrites bool   // where nothing is known of the provider, all schemas are rewritten
}

func inWords(format string) func(int, string) string {
	return func(place int, name string) string {
		return strings.NewReplacer("PLACE", fmt.Sprint(place), "NAME", name).Replace(format)
	}
}

// refusedTools are recorded refusals; each has the address of its report.
var refusedTools = map[string]refusedTool{
	"https://github.com/anthropics/claude-code/issues/5319": {"anthropic", callwright.WireAnthropic, "mcp__cloud__query",
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
		inWords("tools.PLACE.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"), `"anyOf":`, false},
	"https://github.com/beautyfree/appstore-connect-mcp/issues/2": {"anthropic", callwright.WireAnthropic, "mcp__asc__list-apps",
		`{"type":"object","properties":{"filter[id]":{"type":"string"}}}`,
		inWords("tools.PLACE.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'"), `"filter[id]":`, false},
	"https://github.com/IlyaGulya/gradle-mcp-server/issues/2": {"anthropic", callwright.WireAnthropic, "run tests",
		`{"type":"object","properties":{"task":{"type":"string"}}}`,
		inWords("tools.PLACE.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"), `"run tests"`, false},
	"https://github.com/nspady/google-calendar-mcp/issues/39": {"openai", callwright.WireOpenAI, "update-event",
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`,
		inWords("Invalid schema for function 'NAME': schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."), `"oneOf":`, false},
	"https://github.com/Automattic/wordpress-mcp/issues/103": {"openai", callwright.WireOpenAI, "mcp_wordpress-mcp_wc_update_product",
		`{"type":"object","properties":{"meta_data":{"type":"array","items":{"type":"object","properties":{"value":{"type":["string","array"]}}}}}}`,
		inWords("Invalid schema for function 'NAME': In context=('properties', 'meta_data', 'items', 'properties', 'value', 'type', '6'), array schema missing items."), `["string","array"]`, false},
	"https://github.com/janhq/jan/issues/7017": {"openai", callwright.WireOpenAI, "aws___list_regions", `{"type":"object"}`,
		inWords("Invalid schema for function 'NAME': In context=(), object schema missing properties."), "", false},
	"https://github.com/getsentry/sentry-mcp/issues/106": {"openai", callwright.WireOpenAI, "search_errors",
		`{"type":"object","properties":{"query":{"type":"string"}}}`,
		inWords("Invalid 'tools[PLACE].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 1103 instead."), "the last word", false},
	"https://github.com/openai/codex/issues/8174": {"openai", callwright.WireResponses, "calendar.respondToEvent",
		`{"type":"object","properties":{"id":{"type":"string"}}}`,
		inWords("Invalid 'tools[PLACE].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."), `"calendar.respondToEvent"`, false},
	"https://github.com/anomalyco/opencode/issues/11889": {"gemini", callwright.WireGemini, "notion_update",
		`{"type":"object","properties":{"data":{"type":"string","properties":{"x":{"type":"string"}},"required":["x"]}}}`,
		inWords("* GenerateContentRequest.tools[0].function_declarations[PLACE].parameters.properties[data].properties: only allowed for OBJECT type\n"), `"required":["x"]`, false},
	"https://github.com/zereight/gitlab-mcp/issues/166": {"gemini", callwright.WireGemini, "list_issues",
		`{"type":"object","properties":{"assignee":{"anyOf":[{"type":""},{"type":"null"}]}}}`,
		inWords(`Invalid value at 'tools[0].function_declarations[PLACE].parameters.properties[11].value.any_of[0].type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), ""`), `"type":""`, false},
	"https://github.com/zed-industries/zed/issues/44875": {"gemini", callwright.WireGemini, "plan_route",
		`{"type":"object","properties":{"from":{"type":["string","null"]}}}`,
		inWords(`Invalid JSON payload received. Unknown name "type" at 'tools[0].function_declarations[PLACE].parameters.properties[3].value': Proto field is not repeating, cannot start list.`), `["string","null"]`, false},
	"https://github.com/wonderwhy-er/DesktopCommanderMCP/issues/79": {"gemini", callwright.WireGemini, "1_start/process",
		`{"type":"object","properties":{"command":{"type":"string"}}}`,
		inWords("The GenerateContentRequest proto is invalid:\n  * tools[0].function_declarations[PLACE].name: [FIELD_INVALID] Invalid function name. Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or contain underscores, dots and dashes, with a maximum length of 64."), `"1_start/process"`, false},
	"https://github.com/google-gemini/gemini-cli/issues/5270, https://github.com/tanaikech/ToolsForMCPServer/issues/13": {"gemini", callwright.WireGemini, "classroom_rubrics_create",
		`{"type":"object","properties":{"criteria":{"type":"array","items":{"type":"object","properties":{"levels":{"type":"array","items":{"type":"object","title":"Level"}}}}}}}`,
		inWords("Request contains an invalid argument."), `"title":"Level"`, false},
	"https://github.com/google-gemini/gemini-cli/issues/1458": {"gemini", callwright.WireGemini, "version",
		`{"type":"object","properties":{"verbose":{"type":"boolean"}},"required":["model"]}`,
		inWords("Unable to submit request because required fields ['model'] are not defined in the schema properties."), `"required":["model"]`, false},
	"https://github.com/FTShare-Lab/FTShare-MCP/issues/7": {"moonshot", callwright.WireOpenAI, "ft_balance",
		`{"type":"object","anyOf":[{"required":["stock_code"]},{"required":["year"]}],"properties":{"stock_code":{"type":"string"},"year":{"type":"integer"}}}`,
		inWords("tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'root': when using anyOf, type should be defined in anyOf items instead of the parent schema>"), `"anyOf":`, true},
	"https://github.com/openJiuwen-ai/jiuwenswarm/issues/3942": {"moonshot", callwright.WireOpenAI, "ask_user",
		`{"type":"object","properties":{"questions":{"type":"array","items":{"type":"object","properties":{"options":{"type":"array","anyOf":[{"items":{"type":"string"}},{"items":{"type":"integer"}}]}}}}}}`,
		inWords("tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.questions.items.properties.options': when using anyOf, type should be defined in anyOf items instead of the parent schema>"), `"type":"array","anyOf":`, true},
	"https://github.com/MoonshotAI/kimi-cli/issues/1903": {"moonshot", callwright.WireOpenAI, "generate_variants",
		`{"type":"object","$defs":{"options":{"type":"string","description":"Any."}},"properties":{"variantOptions":{"$ref":"#/$defs/options","description":"What to vary."}}}`,
		inWords("Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.variantOptions': conflicting keywords found after $ref expansion: description>"), `"$ref":`, true},
	"https://github.com/usestrix/strix/issues/1088": {"groq", callwright.WireOpenAI, "view_agent_graph", `{"type":"object","required":["agent"]}`,
		inWords("invalid JSON schema for tool NAME, tools[PLACE].function.parameters: 'required' present but 'properties' is missing"), `"required":["agent"]}`, false},
	"https://github.com/langchain-ai/langchain/issues/31132": {"groq", callwright.WireOpenAI, "create_connector",
		`{"type":"object","properties":{"headers":{"type":"array","items":{"type":"object","properties":{"key":{"type":"string","required":true}}}}}}`,
		inWords("schema is not valid JSON Schema: jsonschema file:///home/di/params.json compilation failed: '/properties/headers/items/properties/key/required' does not validate with https://json-schema.org/draft/2020-12/schema#/allOf/3/$ref/properties/required/$ref/type: expected array, but got boolean"), `"required":true`, false},
	"https://github.com/containers/kubernetes-mcp-server/issues/758": {"llamacpp", callwright.WireOpenAI, "pods_top",
		`{"type":"object","properties":{"selector":{"type":"string","pattern":"[a-z]+=[a-z]+"}}}`,
		inWords("JSON schema conversion failed:\nPattern must start with '^' and end with '$'"), `"pattern":`, true},
	"https://github.com/codefuturist/email-mcp/issues/58": {"llamacpp", callwright.WireOpenAI, "send_email",
		`{"type":"object","properties":{"to":{"type":"string","format":"email","pattern":"^(?!\\.)(?!.*\\.\\.)[a-z.]+@[a-z.]+$"}}}`,
		inWords("Failed to initialize samplers: failed to parse grammar"), `"pattern":`, true},
	"https://github.com/kirodotdev/Kiro/issues/11026": {"bedrock", callwright.WireOpenAI, "web_search", `{"oneOf":[{"type":"object","properties":{"q":{"type":"string"}}},{"type":"object","properties":{"url":{"type":"string"}}}]}`,
		inWords("The value at toolConfig.tools.PLACE.toolSpec.inputSchema.json.type must be one of the following: object."), `"oneOf":`, false},
	"https://github.com/unclecode/crawl4ai/issues/2207": {"lmstudio", callwright.WireOpenAI, "ask", `{"type":"object"}`,
		inWords(`[{"code":"invalid_type","expected":"object","received":"undefined","path":[PLACE,"function","parameters","properties"],"message":"Required"}]`), `"parameters":{"type":"object"}`, false},
	"https://github.com/mcp-router/mcp-router/issues/100": {"zai", callwright.WireAnthropic, "mcp__mcp-router__mcp-router__mcp-shrimp-task-manager__analyze_task",
		`{"type":"object","properties":{"summary":{"type":"string"}}}`, inWords("工具名称过长，请检查:\nNAME"), "", false},
}

// picky opens a model at a picky server.
func picky(t *testing.T, name string, w callwright.WireName, server *pickyServer) callwright.Model {
	t.Helper()
	server.next = simulate.NewTransport(simulate.New(simulate.Weather()))
	p, err := provider.New(provider.Config{Name: name, Wire: w, BaseURL: "http://127.0.0.1:1", APIKey: provider.NewSecret("k"), Transport: server})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p.Model("m")
}

// A culpritCase is a request with one bad tool among others.
type culpritCase struct {
	refusedTool
	name     string // of the provider
	stubborn bool   // the provider takes the tool in no form
	streamed bool
	place    int
}

// culpritOf is the note that names the culprit, and whether it was left out.
func culpritOf(rep *callwright.Report) (why string, out bool) {
	for _, n := range rep.Notes {
		if n.Rule == "tools.culprit" {
			why, out = n.Why, out || n.Now == "left out"
		}
	}
	return why, out
}

func (c culpritCase) check(t *testing.T) {
	bad := callwright.Tool{Name: c.refusedTool.name, Description: "Is refused.", Schema: json.RawMessage(c.schema)}
	if c.has == "the last word" {
		bad.Description = strings.Repeat("What this tool finds. ", 60) + c.has
	}
	server := &pickyServer{words: c.words, refuses: func(b bodyTool) bool {
		mine := b.name == bad.Name || strings.Contains(b.text, bad.Description) || strings.Contains(b.text, "What this tool finds.")
		return mine && (c.stubborn || c.has != "" && strings.Contains(b.text, c.has))
	}}
	good := goodTools(49)
	tools := slices.Insert(slices.Clone(good), c.place, bad)
	client := reliable.New(picky(t, c.name, c.wire, server), reliable.WithCapsStore(caps.NewMemory(nil)))
	for turn := range 2 {
		req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("What is the secret?")}, Tools: tools}
		resp, err := turnOf(t.Context(), client, req, c.streamed)
		if err != nil {
			t.Fatalf("turn %d: %v", turn, err)
		}
		n := server.requests()
		switch {
		case turn == 0 && n > 4:
			t.Errorf("it took %d requests: %s", n, attemptsOf(resp.Report))
		case turn == 1 && n != 1:
			t.Errorf("the next turn took %d requests: %s", n, attemptsOf(resp.Report))
		}
		c.checkTools(t, good, bad, server.accepted)
		why, out := culpritOf(resp.Report)
		if turn == 0 && n > 1 && (out != c.stubborn || c.stubborn && !strings.Contains(why, "`")) {
			t.Errorf("named in %q, left out %v: %+v", why, out, rulesIn(resp.Report))
		}
		if n > 1 && !slices.ContainsFunc(resp.Report.Notes, func(n callwright.Note) bool { return n.Call == bad.Name || n.Was == bad.Name }) {
			t.Errorf("no note names the tool: %+v", resp.Report.Notes)
		}
	}
	for _, body := range server.users {
		if strings.Contains(body, `"Hi"`) && strings.Contains(body, "secret") {
			t.Error("a probe has the conversation")
		}
	}
}

// checkTools checks that the good tools were sent, and the bad one where the provider takes it.
func (c culpritCase) checkTools(t *testing.T, good []callwright.Tool, bad callwright.Tool, sent []bodyTool) {
	t.Helper()
	if want := map[bool]int{true: len(good), false: len(good) + 1}[c.stubborn]; len(sent) != want {
		t.Errorf("%d tools were sent, want %d", len(sent), want)
	}
	for _, g := range good {
		if !slices.ContainsFunc(sent, func(b bodyTool) bool { return b.name == g.Name }) {
			t.Errorf("%s was left out", g.Name)
		}
	}
}

func turnOf(ctx context.Context, client *reliable.Client, req *callwright.Request, streamed bool) (*callwright.Response, error) {
	if streamed {
		return callwright.Collect(client.Stream(ctx, req))
	}
	return client.Generate(ctx, req)
}

func attemptsOf(rep *callwright.Report) string {
	var out []string
	for _, a := range rep.Attempts {
		out = append(out, string(a.Mode)+" "+a.Why+": "+a.Error)
	}
	return "\n" + strings.Join(out, "\n")
}

// One bad tool among 50 costs three more requests at most, once. A provider that takes the tool in another form gets it so, any other gets the
// others.
func TestCulprit(t *testing.T) {
	i := 0
	for address, c := range refusedTools {
		i++
		for _, stubborn := range []bool{true, false} {
			for _, streamed := range []bool{true, false} {
				name := c.provider
				if !stubborn { // of which nothing is known, so that definitions are sent as they are
					name = "lab"
				}
				t.Run(fmt.Sprintf("%s/stubborn=%v/streamed=%v", address, stubborn, streamed), func(t *testing.T) {
					culpritCase{c, name, stubborn, streamed, i * 7 % 50}.check(t)
				})
			}
		}
	}
	if i < 20 {
		t.Errorf("%d recorded refusals", i)
	}
}
