package config_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
	"github.com/callwright/callwright/sse"
)

// A searchForm is a search tool of a client's API.
type searchForm struct {
	name      string
	wire      callwright.WireName
	tool      string // its definition
	function  string // the name under which a model of another API has it
	arguments string // by which get_weather is found
	group     string // the group in which get_weather is declared
	shown     []string
}

// called is the name of get_weather in the vocabulary.
func (f searchForm) called() string {
	if f.group != "" {
		return "sky__get_weather"
	}
	return "get_weather"
}

var searchForms = []searchForm{
	{name: "regexp", wire: callwright.WireAnthropic, tool: `{"type":"tool_search_tool_regex_20251119","name":"tool_search_tool_regex"}`, function: "tool_search_tool_regex", arguments: `{"pattern":"Weather$"}`,
		shown: []string{`"type":"server_tool_use","id":"srvtoolu_`, `"name":"tool_search_tool_regex","input":{"pattern":"Weather$"}`,
			`"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"get_weather"}]`}},
	{name: "BM25", wire: callwright.WireAnthropic, tool: `{"type":"tool_search_tool_bm25_20251119","name":"tool_search_tool_bm25"}`, function: "tool_search_tool_bm25", arguments: `{"query":"the weather of a city"}`,
		shown: []string{`"type":"server_tool_use","id":"srvtoolu_`, `"input":{"query":"the weather of a city"}`, `"tool_references":[{"type":"tool_reference","tool_name":"get_weather"}]`}},
	{name: "paths", wire: callwright.WireResponses, tool: `{"type":"tool_search"}`, function: "tool_search", arguments: `{"paths":["get_weather"]}`,
		shown: []string{`"type":"tool_search_call"`, `"execution":"server"`, `"arguments":{"paths":["get_weather"]}`, `"type":"tool_search_output"`, `"tools":[{"type":"function","name":"get_weather"`}},
	{name: "paths of groups", wire: callwright.WireResponses, tool: `{"type":"tool_search"}`, function: "tool_search", arguments: `{"paths":["sky"]}`, group: `{"type":"namespace","name":"sky","description":"Tells what comes down.","tools":[%s]}`,
		shown: []string{`"type":"tool_search_call"`, `"arguments":{"paths":["sky"]}`, `"type":"tool_search_output"`, `"tools":[{"type":"namespace","name":"sky","description":"Tells what comes down.","tools":[{"type":"function","name":"get_weather"`, `"namespace":"sky"`}},
}

// dialogue writes what a client's API says otherwise than others do.
type dialogue struct {
	tool     string // a declaration: its name, its description and its schema
	question string
	request  string              // its messages and its tools
	answered func([]byte) string // an answer as it stands in the next request
	result   string              // of a call: its id
}

var dialogues = map[callwright.WireName]dialogue{
	callwright.WireAnthropic: {
		tool: `{"name":%q,"description":%q,"input_schema":%s%s}`, question: `{"role":"user","content":"What is the weather in Oslo?"}`, request: `{"model":"m","max_tokens":999,"messages":[%s],"tools":[%s]}`,
		answered: func(answer []byte) string {
			content, _ := jsonx.Find(answer, "content")
			return `{"role":"assistant","content":` + string(content) + `}`
		},
		result: `{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"3 degrees"}]}`,
	},
	callwright.WireResponses: {
		tool: `{"type":"function","name":%q,"description":%q,"parameters":%s,"strict":false%s}`, question: `{"role":"user","content":"What is the weather in Oslo?"}`, request: `{"model":"m","input":[%s],"tools":[%s]}`,
		answered: func(answer []byte) string {
			output, _ := jsonx.Find(answer, "output")
			return strings.TrimSuffix(strings.TrimPrefix(string(output), "["), "]")
		},
		result: `{"type":"function_call_output","call_id":%q,"output":"3 degrees"}`,
	},
}

// request is a client's request with deferred tools, and the messages.
func (f searchForm) request(t *testing.T, messages string) *callwright.Request {
	t.Helper()
	d := dialogues[f.wire]
	const deferred = `,"defer_loading":true`
	tools := []string{f.tool, fmt.Sprintf(d.tool, "ping", "Pings.", `{"type":"object","properties":{}}`, "")}
	for i := range 30 {
		tools = append(tools, fmt.Sprintf(d.tool, fmt.Sprint("ledger_", i), "Books an entry.", `{"type":"object","properties":{"amount":{"type":"number"}}}`, deferred))
	}
	weather := fmt.Sprintf(d.tool, "get_weather", "Tells the weather of a city.", simulate.WeatherSchema, deferred)
	if f.group != "" {
		weather = fmt.Sprintf(f.group, weather)
	}
	tools = append(tools, weather)
	codec, _ := codecs.Of(f.wire)
	req, err := codec.DecodeRequest(fmt.Appendf(nil, d.request, messages, strings.Join(tools, ",")))
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// script is a model that searches for what it has not got, calls it, and tells the result.
func (f searchForm) script(s simulate.Seen) simulate.Turn {
	if strings.Contains(string(s.Body), "3 degrees") {
		return simulate.Turn{Text: "It is cold."}
	}
	name := f.called()
	if slices.Contains(s.Tools, "get_weather") { // in a group
		name = "get_weather"
	}
	if slices.Contains(s.Tools, name) || strings.Contains(s.System+string(s.Format), "hourly") {
		return simulate.Turn{Text: "Now I know how.", Calls: []simulate.Call{{Name: name, Arguments: overOslo}}}
	}
	return simulate.Turn{Text: "Let me look.", Calls: []simulate.Call{{Name: f.function, Arguments: f.arguments}}}
}

// A search for deferred tools is answered at every provider that has none, in every mode: the client gets what its own API would have
// shown, whole and streamed alike, and what it sends back keeps the tools loaded. What models are sent of a conversation does not
// change as it grows, but for the tools that were found, which follow the others.
func TestToolSearchIsEmulated(t *testing.T) {
	for _, f := range searchForms {
		for _, to := range codecs.All() {
			for _, mode := range []string{"native", "text", "json_schema"} {
				t.Run(f.name+"/"+string(to.Name())+"/"+mode, func(t *testing.T) {
					llm := simulate.New(f.script)
					srv := httptest.NewServer(llm)
					t.Cleanup(srv.Close)
					client, err := registry(t, parse(t, "providers: {lab: {wire: "+string(to.Name())+", base_url: "+baseOf(to.Name(), srv.URL)+"}}\n"+
						"models: {m: {model: lab/m, mode: "+mode+", caps: {tool_search: none}}}")).Resolve("m")
					if err != nil {
						t.Fatal(err)
					}
					f.converses(t, client, llm)
				})
			}
		}
	}
}

func (f searchForm) converses(t *testing.T, client *reliable.Client, llm *simulate.Server) {
	codec, _ := codecs.Of(f.wire)
	d := dialogues[f.wire]
	req := f.request(t, d.question)
	resp, err := client.Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	whole := encoded(t, codec, req, resp)
	for _, part := range append([]string{`"name":"get_weather"`}, f.shown...) {
		if !strings.Contains(string(whole), part) {
			t.Fatalf("the client got %s, expected %s", whole, part)
		}
	}
	if calls := resp.Calls(); len(calls) != 1 || calls[0].Name != f.called() || resp.Finish != callwright.FinishCalls {
		t.Fatalf("calls %v, finish %s", calls, resp.Finish)
	}
	spent := 0
	for _, a := range resp.Report.Attempts {
		spent += a.Usage.Output
	}
	if len(resp.Report.Attempts) != 2 || resp.Usage.Output != spent || spent == 0 {
		t.Errorf("tokens: %d, of the attempts %+v", resp.Usage.Output, resp.Report.Attempts)
	}
	if diff := cmp.Diff(shownOf(resp), shownOf(streamed(t, codec, client, req))); diff != "" {
		t.Errorf("a stream says otherwise (-whole +streamed):\n%s", diff)
	}
	next := f.request(t, d.question+","+d.answered(whole)+","+fmt.Sprintf(d.result, resp.Calls()[0].ID))
	before := len(llm.Requests())
	last, err := client.Generate(t.Context(), next)
	if err != nil {
		t.Fatal(err)
	}
	if text := last.Text(); text != "It is cold." {
		t.Fatalf("got %q and %v", text, last.Calls())
	}
	seen := llm.Requests()
	if before != 4 || len(seen) != 5 {
		t.Fatalf("%d requests", len(seen))
	}
	searched, later := seen[1], seen[4]
	if len(later.History) < len(searched.History) || !cmp.Equal(searched.History, later.History[:len(searched.History)]) {
		t.Errorf("what was sent changes:\n%s", cmp.Diff(searched.History, later.History))
	}
	if !slices.Equal(searched.Tools, later.Tools) || len(seen[0].Tools) > 0 && !slices.Equal(append(slices.Clone(seen[0].Tools), later.Tools[len(later.Tools)-1]), later.Tools) {
		t.Errorf("tools %v, then %v, then %v", seen[0].Tools, searched.Tools, later.Tools)
	}
	for _, rule := range []string{"tools.search", "tools.deferred", "search.answered"} {
		if !slices.ContainsFunc(resp.Report.Notes, func(n callwright.Note) bool { return n.Rule == rule }) {
			t.Errorf("no note %s: %v", rule, resp.Report.Notes)
		}
	}
}

// encoded is an answer as the client gets it.
func encoded(t *testing.T, codec wire.Codec, req *callwright.Request, resp *callwright.Response) []byte {
	t.Helper()
	body, _, err := codec.EncodeResponse(req, resp)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// streamed is a streamed answer as the client reads it.
func streamed(t *testing.T, codec wire.Codec, client *reliable.Client, req *callwright.Request) *callwright.Response {
	t.Helper()
	enc, dec := codec.NewStreamEncoder(req), codec.NewStreamDecoder()
	var out []byte
	for b, err := range client.Batches(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
		out = enc.Encode(out, b)
	}
	var c callwright.Collector
	for r := sse.NewReader(bytes.NewReader(out)); ; {
		ev, err := r.Next()
		if err == io.EOF {
			break
		}
		var b callwright.Batch
		if err == nil {
			b, err = dec.Feed(ev)
		}
		if err != nil {
			t.Fatalf("%v in %s", err, out)
		}
		for _, ev := range b.Events {
			c.Add(ev)
		}
	}
	return c.Response()
}

// shownOf is what an answer says, without ids.
func shownOf(resp *callwright.Response) []string {
	var out []string
	for _, p := range resp.Parts {
		switch p := p.(type) {
		case callwright.Text:
			out = append(out, strings.TrimSpace(p.Text))
		case callwright.Call:
			out = append(out, p.Name+" "+string(jsonx.Compact(nil, p.Arguments)))
		case callwright.Opaque:
			list, _ := jsonx.ParseObject(p.Extra.JSON)
			for _, id := range []string{"id", "tool_use_id"} {
				list.Delete(id)
			}
			out = append(out, string(jsonx.Compact(nil, list.Append(nil))))
		}
	}
	return out
}

// A searchCase is a conversation in which a model searches otherwise than it should, or a client wants otherwise.
type searchCase struct {
	name     string
	change   func(*callwright.Request)
	messages string // after the question
	turns    []simulate.Turn
	want     []string // of the answer, as shownOf has it
	kind     callwright.Kind
	asked    int
	tools    []string // that the model had last; nil: not looked at
}

func searching(pattern string) simulate.Call {
	return simulate.Call{Name: "tool_search_tool_regex", Arguments: `{"pattern":"` + pattern + `"}`, ID: "call-1"}
}

const (
	used     = `{"type":"server_tool_use","name":"tool_search_tool_regex","input":{"pattern":"weather"}}`
	found    = `{"type":"tool_search_tool_result","content":{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"get_weather"}]}}`
	foundNot = `{"type":"tool_search_tool_result","content":{"type":"tool_search_tool_search_result","tool_references":[]}}`
)

var overOsloCall = simulate.Call{Name: "get_weather", Arguments: overOslo}

var searchCases = []searchCase{
	{name: "it never ends", turns: []simulate.Turn{{Calls: []simulate.Call{searching("weather")}}}, kind: callwright.KindBadAnswer, asked: 11},
	{name: "beside another call", turns: []simulate.Turn{{Calls: []simulate.Call{searching("weather"), {Name: "ping", Arguments: "{}"}}}}, want: []string{used, found, "ping {}"}, asked: 1},
	{name: "twice at once", turns: []simulate.Turn{{Calls: []simulate.Call{searching("weather"), {Name: "tool_search_tool_regex", Arguments: `{"pattern":"nothing"}`}}}, {Calls: []simulate.Call{overOsloCall}}},
		want: []string{used, found, strings.Replace(used, "weather", "nothing", 1), foundNot, calledOslo}, asked: 2, tools: []string{"tool_search_tool_regex", "ping", "get_weather"}},
	{name: "that finds nothing", turns: []simulate.Turn{{Calls: []simulate.Call{searching("nothing")}}, {Text: "I cannot tell."}}, want: []string{strings.Replace(used, "weather", "nothing", 1), foundNot, "I cannot tell."}, asked: 2,
		tools: []string{"tool_search_tool_regex", "ping"}},
	{name: "that is no expression", turns: []simulate.Turn{{Calls: []simulate.Call{searching("(")}}, {Text: "I cannot tell."}},
		want: []string{strings.Replace(used, "weather", "(", 1), `{"type":"tool_search_tool_result","content":{"type":"tool_search_tool_result_error","error_code":"invalid_tool_input","error_message":"Invalid regular expression pattern: missing closing )"}}`, "I cannot tell."}, asked: 2},
	{name: "with broken arguments", turns: []simulate.Turn{{Calls: []simulate.Call{{Name: "ToolSearchToolRegex", Arguments: `{'pattern':'weather',}`}}}, {Calls: []simulate.Call{overOsloCall}}}, want: []string{used, found, calledOslo}, asked: 2},
	{name: "without arguments", turns: []simulate.Turn{{Calls: []simulate.Call{{Name: "tool_search_tool_regex", Arguments: `{}`}}}, {Calls: []simulate.Call{searching("weather")}}, {Calls: []simulate.Call{overOsloCall}}}, want: []string{used, found, calledOslo}, asked: 3},
	{name: "beside a broken call", turns: []simulate.Turn{{Calls: []simulate.Call{searching("weather"), {Name: "get_weather", Arguments: `{"town":1}`}}}, {Calls: []simulate.Call{overOsloCall}}}, want: []string{used, found, calledOslo}, asked: 2,
		tools: []string{"tool_search_tool_regex", "ping", "get_weather"}},
	{name: "without a search", turns: []simulate.Turn{{Calls: []simulate.Call{overOsloCall}}}, want: []string{calledOslo}, asked: 1},
	{name: "a call is required", change: func(r *callwright.Request) { r.Params.Choice.Mode = callwright.ChoiceRequired },
		turns: []simulate.Turn{{Calls: []simulate.Call{searching("weather")}}, {Calls: []simulate.Call{overOsloCall}}}, want: []string{used, found, calledOslo}, asked: 2},
	{name: "a deferred tool is required", change: choice(callwright.ChoiceNamed, "get_weather"), turns: []simulate.Turn{{Calls: []simulate.Call{overOsloCall}}}, want: []string{calledOslo}, asked: 1,
		tools: []string{"tool_search_tool_regex", "ping", "get_weather"}},
	{name: "the search is required", change: choice(callwright.ChoiceNamed, "tool_search_tool_regex"), turns: []simulate.Turn{{Calls: []simulate.Call{searching("weather")}}, {Text: "Fine."}}, want: []string{used, found, "Fine."}, asked: 2},
	{name: "no call is allowed", change: choice(callwright.ChoiceNone), turns: []simulate.Turn{{Calls: []simulate.Call{searching("weather")}}, {Text: "Fine."}}, want: []string{"Fine."}, asked: 2},
	{name: "one call is allowed", change: func(r *callwright.Request) { no := false; r.Params.Parallel = &no },
		turns: []simulate.Turn{{Calls: []simulate.Call{searching("weather")}}, {Calls: []simulate.Call{overOsloCall, {Name: "ping", Arguments: "{}"}}}}, want: []string{used, found, calledOslo}, asked: 2},
	{name: "the client has searched", messages: `,{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ping","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"tool_reference","tool_name":"get_weather"}]}]}`,
		turns: []simulate.Turn{{Calls: []simulate.Call{overOsloCall}}}, want: []string{calledOslo}, asked: 1, tools: []string{"tool_search_tool_regex", "ping", "get_weather"}},
	{name: "a deferred tool was called", messages: `,{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ledger_7","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"booked"}]}`,
		turns: []simulate.Turn{{Text: "Fine."}}, want: []string{"Fine."}, asked: 1, tools: []string{"tool_search_tool_regex", "ping", "ledger_7"}},
}

func choice(mode callwright.ChoiceMode, names ...string) func(*callwright.Request) {
	return func(r *callwright.Request) { r.Params.Choice = callwright.Choice{Mode: mode, Names: names} }
}

// What a search comes to beside other calls, demands and mistakes is the same whole and streamed, and ends within a bound.
func TestToolSearches(t *testing.T) {
	f := searchForms[0]
	codec, _ := codecs.Of(f.wire)
	for _, c := range searchCases {
		for _, way := range []string{"whole", "streamed"} {
			t.Run(c.name+"/"+way, func(t *testing.T) {
				asked := 0
				llm := simulate.New(func(simulate.Seen) simulate.Turn {
					asked++
					return c.turns[min(asked, len(c.turns))-1]
				})
				srv := httptest.NewServer(llm)
				t.Cleanup(srv.Close)
				client, err := registry(t, parse(t, "providers: {lab: {wire: openai, base_url: "+srv.URL+"/v1, retry_other_mode: false}}")).Resolve("lab/m")
				if err != nil {
					t.Fatal(err)
				}
				req := f.request(t, dialogues[f.wire].question+c.messages)
				if c.change != nil {
					c.change(req)
				}
				var resp *callwright.Response
				if way == "whole" {
					resp, err = client.Generate(t.Context(), req)
				} else {
					resp, err = collect(t, client, req)
				}
				if callwright.KindOf(err) != c.kind {
					t.Fatalf("got %v", err)
				}
				if err == nil {
					if diff := cmp.Diff(c.want, shownOf(resp)); diff != "" {
						t.Errorf("(-want +got)\n%s", diff)
					}
					encoded(t, codec, req, resp)
					told := slices.ContainsFunc(resp.Report.Notes, func(n callwright.Note) bool { return n.Rule == "history.search" && n.Was == "tool_reference" })
					if told != strings.Contains(c.messages, "tool_reference") {
						t.Errorf("references that became words are noted: %v", told)
					}
				}
				seen := llm.Requests()
				if len(seen) != c.asked {
					t.Errorf("asked %d times", len(seen))
				}
				if last := seen[len(seen)-1].Tools; c.tools != nil && !slices.Equal(last, c.tools) {
					t.Errorf("the model had the tools %v", last)
				}
			})
		}
	}
}

// A provider of the client's own API is sent the search as it came. One that refuses it is asked without, at once and the next time.
func TestToolSearchAtItsOwnAPI(t *testing.T) {
	f := searchForms[0]
	refuses := false
	llm := simulate.New(func(s simulate.Seen) simulate.Turn {
		if refuses && strings.Contains(string(s.Body), `"tool_search_tool_regex_20251119"`) {
			return simulate.Turn{Status: 400, Text: "tools.0: Input tag 'tool_search_tool_regex_20251119' found using 'type' does not match any of the expected tags: 'custom'"}
		}
		return simulate.Turn{Calls: []simulate.Call{{Name: "ping", Arguments: "{}"}}}
	})
	srv := httptest.NewServer(llm)
	t.Cleanup(srv.Close)
	client, err := registry(t, parse(t, "providers: {lab: {wire: anthropic, base_url: "+srv.URL+"}}")).Resolve("lab/m")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		req := f.request(t, dialogues[f.wire].question)
		resp, err := client.Generate(t.Context(), req)
		if err != nil || len(resp.Calls()) != 1 {
			t.Fatalf("got %v, %v", resp, err)
		}
		seen := llm.Requests()
		if last := string(seen[len(seen)-1].Body); refuses == strings.Contains(last, "defer_loading") || !refuses && last != string(companion.Of(req).Body.Bytes()) || refuses && !strings.Contains(last, `"name":"tool_search_tool_regex","description"`) {
			t.Errorf("refuses %t: sent %s", refuses, last)
		}
		refuses = true
	}
	if n := len(llm.Requests()); n != 4 {
		t.Errorf("%d requests", n)
	}
}
