package reliable_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"pgregory.net/rapid"
)

// A plainServer takes messages, function calls, their results, reasoning and functions alone, in the Responses API. message is its refusal, in
// which %s is the type of the item.
type plainServer struct {
	message string
	answer  string // the output, "" for a text
	bodies  [][]byte
	refused int
}

func (s *plainServer) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	s.bodies = append(s.bodies, body)
	output := `{"type":"message","id":"m","role":"assistant","status":"completed","content":[{"type":"output_text","text":"fine","annotations":[]}]}`
	if s.answer != "" {
		output = s.answer
	}
	status, answer := http.StatusOK, `{"id":"r","object":"response","status":"completed","output":[`+output+`]}`
	if kind := unknownKind(body); kind != "" {
		s.refused++
		status, answer = http.StatusBadRequest, `{"error":{"message":`+quoted(strings.ReplaceAll(s.message, "%s", kind))+`,"type":"invalid_request_error"}}`
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Request: req,
		ContentLength: int64(len(answer)), Body: io.NopCloser(strings.NewReader(answer))}, nil
}

// unknownKind is the type of an item, or of a tool, that the server does not take.
func unknownKind(body []byte) string {
	input, _ := jsonx.Find(body, "input")
	for item := range jsonx.Elements(input) {
		v, _ := jsonx.Find(item, "type")
		switch kind := jsonx.TextOf(v); kind {
		case "", "message", "function_call", "function_call_output", "reasoning":
		default:
			return kind
		}
	}
	tools, _ := jsonx.Find(body, "tools")
	for tool := range jsonx.Elements(tools) {
		if v, _ := jsonx.Find(tool, "type"); jsonx.TextOf(v) != "function" {
			return jsonx.TextOf(v)
		}
	}
	return ""
}

// apiItems are items that only OpenAI's own API is sure to know, with the texts that must arrive all the same.
var apiItems = []struct {
	items   string
	arrives []string
}{
	{`{"type":"additional_tools","role":"developer","tools":[{"type":"namespace","name":"fs","description":"x","tools":[{"type":"custom","name":"exec","description":"run it","format":{"type":"text"}}]}]}`,
		[]string{"fs__exec"}},
	{`{"type":"compaction","id":"cmp_1","encrypted_content":"gAAAA1"}`, nil},
	{`{"type":"context_compaction","encrypted_content":"gAAAA2"}`, nil},
	{`{"type":"tool_search_call","id":"ts_1","call_id":"call_ts","status":"completed","execution":"client","arguments":{"query":"calendar"}},` +
		`{"type":"tool_search_output","call_id":"call_ts","status":"completed","execution":"client","tools":[{"type":"function","name":"list_events","description":"list","parameters":{"type":"object","properties":{"day":{"type":"string"}}},"defer_loading":true}]}`,
		[]string{"calendar", `"name":"list_events"`}},
	{`{"type":"custom_tool_call","call_id":"call_c","name":"patch","input":"*** Begin"},{"type":"custom_tool_call_output","call_id":"call_c","output":"patched"}`, []string{"*** Begin", "patched"}},
	{`{"type":"local_shell_call","call_id":"call_l","status":"completed","action":{"type":"exec","command":["ls"],"env":{}}},{"type":"local_shell_call_output","call_id":"call_l","output":"listed"}`,
		[]string{`\"ls\"`, "listed"}},
	{`{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"q"}}`, nil},
}

const plainTools = `{"type":"function","name":"get_weather","parameters":` + lawSchema + `},{"type":"custom","name":"patch"},` +
	`{"type":"tool_search","execution":"client","description":"search tools","parameters":{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}}`

// itemWords are refusals of items.
var itemWords = []string{
	`invalid_request_error: input.0: item type "%s" is not supported`, "unknown input item type: %s", "Invalid request Error", "Bad Request",
	"Cannot determine type of 'item'", "Input item type '%s' is not supported.",
}

// Items that a server does not know are converted as for the Chat API: at the first request where it is known that it does not know them, at the
// second where it is learned, and at the first from then on.
func TestAPIItems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &plainServer{message: rapid.SampledFrom(itemWords).Draw(t, "words")}
		known := rapid.Bool().Draw(t, "known")
		m := itemsModel(t, s, known)
		drawn := rapid.SliceOfNDistinct(rapid.IntRange(0, len(apiItems)-1), 1, 4, rapid.ID[int]).Draw(t, "items")
		var before sentBody
		for n := 1; n <= len(drawn); n++ {
			input := `{"type":"message","role":"user","content":"go"}`
			for i, at := range drawn[:n] {
				input += "," + apiItems[at].items + fmt.Sprintf(`,{"type":"message","role":"assistant","content":[{"type":"output_text","text":"said %d"}]},{"type":"message","role":"user","content":"next %d"}`, i, i)
			}
			s.bodies = nil
			refused := s.refused
			body := `{"model":"m","store":false,"tools":[` + plainTools + `],"input":[` + input + `]}`
			out := askItems(t, m, body)
			if out != "fine" || len(s.bodies) > 2 || (known || refused > 0) && s.refused > refused {
				t.Fatalf("%q after %d requests, refused: %d, at first\n%s\nof %s", out, len(s.bodies), s.refused-refused, s.bodies[0], body)
			}
			now := sentBody(s.bodies[len(s.bodies)-1])
			for _, at := range drawn[:n] {
				for _, words := range apiItems[at].arrives {
					if !strings.Contains(string(now), words) {
						t.Fatalf("%s is not in %s", words, now)
					}
				}
			}
			list, _ := before.parts()
			if before != nil && s.refused == refused && before.common(now) < len(list)-1 {
				t.Fatalf("what was sent before changes:\n%s\n%s", before, now)
			}
			before = now
		}
	})
}

// itemsModel is a client of a model behind the server.
func itemsModel(t interface{ Fatal(...any) }, s http.RoundTripper, known bool) *reliable.Client {
	none := 0
	cfg := provider.Config{Name: "lab", Wire: "responses", BaseURL: "http://lab.test/of", Transport: s, APIKey: provider.NewSecret("k"), MaxRetries: &none}
	if known {
		cfg.Caps = func(string) caps.Caps { return caps.Caps{APIItems: caps.No} }
	}
	p, err := provider.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return reliable.New(p.Model("m"))
}

// askItems is the text of the answer to a request of the Responses API, or its output where it has no text.
func askItems(t tester, m *reliable.Client, body string) string {
	codec, _ := codecs.Of("responses")
	req, err := codec.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatalf("%v", err)
	}
	resp, err := m.Generate(t.Context(), req)
	if err != nil {
		t.Fatalf("%v\nof %s", err, body)
	}
	if resp.Text() != "" {
		return resp.Text()
	}
	out, _, err := codec.EncodeResponse(req, resp)
	if err != nil {
		t.Fatalf("%v", err)
	}
	list, _ := jsonx.Find(out, "output")
	return string(list)
}

// A call of a tool that the client has as one of the API's own comes back as that, although the server got a function.
func TestAPIItemsInAnswers(t *testing.T) {
	for name, tc := range map[string]struct{ call, want string }{
		"tool_search": {`"name":"tool_search","arguments":"{\"query\":\"calendar\"}"`, `"type":"tool_search_call"`},
		"custom":      {`"name":"patch","arguments":"{\"input\":\"*** Begin\"}"`, `"type":"custom_tool_call"`},
		"namespace":   {`"name":"fs__read","arguments":"{}"`, `"namespace":"fs"`},
		"function":    {`"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"`, `"type":"function_call"`},
	} {
		t.Run(name, func(t *testing.T) {
			s := &plainServer{answer: `{"type":"function_call","id":"fc_1","call_id":"call_1","status":"completed",` + tc.call + `}`}
			out := askItems(t, itemsModel(t, s, true), `{"model":"m","tools":[`+plainTools+`,{"type":"namespace","name":"fs","description":"x","tools":[{"type":"function","name":"read","parameters":{"type":"object","properties":{}}}]}],"input":"go"}`)
			if !strings.Contains(out, tc.want) {
				t.Errorf("expected %s in %s", tc.want, out)
			}
		})
	}
}

// A stateServer cannot verify opaque state other than its own.
type stateServer struct {
	bodies  [][]byte
	refused int
}

func (s *stateServer) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	s.bodies = append(s.bodies, body)
	status, answer := http.StatusOK, fineAnswers["responses"]
	input, _ := jsonx.Find(body, "input")
	for item := range jsonx.Elements(input) {
		if v, ok := jsonx.Find(item, "encrypted_content"); ok && !strings.HasPrefix(jsonx.TextOf(v), "own") {
			s.refused++
			status, answer = http.StatusBadRequest, `{"error":{"message":"The encrypted content gAAA...ng== could not be verified.","type":"invalid_request_error","param":null,"code":"invalid_encrypted_content"}}`
		}
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Request: req,
		ContentLength: int64(len(answer)), Body: io.NopCloser(strings.NewReader(answer))}, nil
}

// Opaque state that a provider cannot verify is left out, at the second request and at the first from then on; what it gives itself from then on goes back.
func TestRefusedState(t *testing.T) {
	reasoning := func(id, state string) string {
		return `{"type":"reasoning","id":"` + id + `","summary":[],"encrypted_content":"` + state + `"},{"type":"message","id":"msg_` + id + `","role":"assistant","content":[{"type":"output_text","text":"said"}]},{"type":"message","role":"user","content":"next"}`
	}
	for name, foreign := range map[string]string{
		"reasoning":  reasoning("rs_1", "gAAAA1"),
		"two":        reasoning("rs_1", "gAAAA1") + "," + reasoning("rs_2", "gAAAA2"),
		"compaction": `{"type":"compaction","id":"cmp_1","encrypted_content":"gAAAA3"},{"type":"message","role":"user","content":"next"}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := &stateServer{}
			m := itemsModel(t, s, false)
			begin := `{"model":"m","store":false,"tools":[` + plainTools + `],"input":[{"type":"message","role":"user","content":"go"},` + foreign
			for n, more := range []string{"", "," + reasoning("rs_8", "own1"), "," + reasoning("rs_8", "own1") + "," + reasoning("rs_9", "own2")} {
				s.bodies = nil
				askItems(t, m, begin+more+"]}")
				if want := map[bool]int{true: 2, false: 1}[n == 0]; len(s.bodies) != want {
					t.Fatalf("request %d: %d were sent, expected %d", n, len(s.bodies), want)
				}
				last := string(s.bodies[len(s.bodies)-1])
				if strings.Contains(last, "gAAAA") || strings.Count(last, `"own`) != n || slices.ContainsFunc([]string{"rs_1", "msg_rs_1"}, func(id string) bool { return strings.Contains(last, `"`+id+`"`) }) {
					t.Errorf("request %d: %s", n, last)
				}
			}
		})
	}
}
