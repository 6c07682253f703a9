package reliable_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/signature"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"
)

// A replaying is a Model that gives whole answers in turn, the last one for good.
type replaying struct {
	callwright.Model
	known   caps.Caps
	answers []callwright.Response
	asked   int
}

func (m *replaying) ID() callwright.ModelID         { return "lab/m" }
func (m *replaying) Caps(context.Context) caps.Caps { return m.known }

func (m *replaying) Generate(context.Context, *callwright.Request) (*callwright.Response, error) {
	out := m.answers[min(m.asked, len(m.answers)-1)]
	m.asked++
	return &out, nil
}

// A writingCapsStore and a writingSignatures write down what they are told to keep.
type writingCapsStore struct {
	*caps.Memory
	kept *[]string
}

func (s writingCapsStore) Learn(ctx context.Context, model string, f caps.Fact) error {
	*s.kept = append(*s.kept, fmt.Sprintf("learn %s %+v", model, f))
	return s.Memory.Learn(ctx, model, f)
}

func (s writingCapsStore) Forget(ctx context.Context, model, key string) error {
	*s.kept = append(*s.kept, "forget "+model+" "+key)
	return s.Memory.Forget(ctx, model, key)
}

type writingSignatures struct {
	*signature.Memory
	kept *[]string
}

func (v writingSignatures) Keep(ctx context.Context, c signature.Call, s signature.State) error {
	*v.kept = append(*v.kept, fmt.Sprintf("keep %+v %+v", c, s))
	return v.Memory.Keep(ctx, c, s)
}

// checkSameByEvents holds what a Client makes of answers against what it makes of their events: response, report, error, and what is kept of them. It
// returns how many were not read by their events.
func checkSameByEvents(t interface{ Fatalf(string, ...any) }, known caps.Caps, answers []callwright.Response, req *callwright.Request, opts ...reliable.Option) int {
	type result struct {
		Resp *callwright.Response
		Err  error
		Kept []string
	}
	var results [2][]result
	took := 0
	for i := range results {
		var kept []string
		at := time.Unix(1_700_000_000, 0)
		now, ids := func() time.Time { return at }, 0
		mint := func(prefix string) string { ids++; return fmt.Sprint(prefix, ids) }
		m := &replaying{known: known, answers: answers}
		c := reliable.New(m, append([]reliable.Option{
			reliable.WithClock(now), reliable.WithIDs(mint), reliable.WithCapsStore(writingCapsStore{caps.NewMemory(now), &kept}), reliable.WithSignatures(writingSignatures{signature.NewMemory(now, signature.Limits{}), &kept}),
		}, opts...)...)
		for range 2 { // the second request knows what the first one learned
			m.asked = 0
			resp, whole, err := c.GenerateBy(context.Background(), req, i == 1)
			if results[i] = append(results[i], result{resp, err, slices.Clone(kept)}); i == 1 && whole > 0 {
				t.Fatalf("%d answers were not read by their events", whole)
			}
			took += whole
		}
	}
	if d := cmp.Diff(results[1], results[0]); d != "" {
		t.Fatalf("%+v (-by events +whole)\n%s", answers, d)
	}
	return took
}

// usualCall is a call such as most answers have.
func usualCall(t *rapid.T) callwright.Part {
	c := callwright.Call{ID: "call_" + rapid.StringMatching(`[a-z]{4}`).Draw(t, "id"), Name: "get_weather", Arguments: json.RawMessage(oslo), Origin: callwright.Origin{Wire: callwright.WireOpenAI}}
	if rapid.Bool().Draw(t, "note") {
		c.Name, c.Arguments = "save-note", json.RawMessage(`{"title": "a"}`)
	}
	return c
}

func anyPart(t *rapid.T) callwright.Part {
	extra := rapid.SampledFrom([]callwright.Extra{{}, {}, {}, {Wire: callwright.WireOpenAI}, {Wire: callwright.WireOpenAI, JSON: []byte(`{"type":"refusal"}`)}}).Draw(t, "extra")
	signature := rapid.SampledFrom([]string{"", "", "", "", "sig"}).Draw(t, "signature")
	switch rapid.SampledFrom([]string{"call", "call", "call", "search", "text", "reasoning", "opaque"}).Draw(t, "kind") {
	case "text":
		return callwright.Text{Text: someWords(t), Extra: extra}
	case "reasoning":
		return callwright.Reasoning{Text: rapid.SampledFrom([]string{"", "hm"}).Draw(t, "thought"), Signature: signature, Extra: extra}
	case "opaque":
		return callwright.Opaque{Extra: extra}
	case "search":
		return callwright.Call{ID: "call_5", Name: "tool_search_tool_regex", Arguments: json.RawMessage(`{"pattern":"later"}`)}
	}
	c := callwright.Call{ID: rapid.SampledFrom([]string{"call_1", "call_2", "call_3", "call_4", "", "past", "esc_1", "functions.x:0"}).Draw(t, "id"), Signature: signature, Extra: extra}
	c.Name = rapid.SampledFrom([]string{"get_weather", "get_weather", "save-note", "get_time", "Get_Weather", "run", "unknown", "withheld", "nested.parallel"}).Draw(t, "name")
	c.Arguments = json.RawMessage(rapid.SampledFrom([]string{oslo, oslo, ` { "city" : "Oslo" } `, `{"title":"a"}`, `{}`, "", `{"city":"Os`, `{'city':'Oslo'}`, `{"city":"a\u0007"}`, `{"city":5}`}).Draw(t, "arguments"))
	if c.Type = rapid.SampledFrom([]callwright.ToolType{"", "", "", "", callwright.CustomTool}).Draw(t, "type"); c.Type != "" {
		c.Arguments, c.Input = nil, rapid.SampledFrom([]string{"", "ls"}).Draw(t, "input")
	}
	return c
}

func someWords(t *rapid.T) string {
	return rapid.OneOf(rapid.SampledFrom([]string{"Let me look.", "Let me look.\n\n", "Fine. ", "", " ", "analysisFirst I call it", "I think so"}), answerText()).Draw(t, "words")
}

func someUsage(t *rapid.T) callwright.Usage {
	return rapid.SampledFrom([]callwright.Usage{{}, {Output: 7}, {Known: true, Output: 7}, {Known: true, Input: 3, Output: 50, Extra: callwright.Extra{Wire: callwright.WireOpenAI}}}).Draw(t, "usage")
}

func someRaw(t *rapid.T) *callwright.Raw {
	of := func(wire callwright.WireName) *callwright.Raw {
		return &callwright.Raw{Wire: wire, Bytes: []byte("{}")}
	}
	return rapid.SampledFrom([]*callwright.Raw{nil, nil, of(callwright.WireOpenAI), of(callwright.WireAnthropic)}).Draw(t, "raw")
}

func anAnswer(t *rapid.T) callwright.Response {
	resp := callwright.Response{
		ID: "a", Model: "m", Finish: callwright.FinishStop, Extra: callwright.Extra{Wire: callwright.WireOpenAI, JSON: []byte(`{"tier":1}`)},
		Usage: someUsage(t), Raw: someRaw(t),
	}
	if rapid.Bool().Draw(t, "says") {
		resp.Parts = append(resp.Parts, callwright.Text{Text: someWords(t), Extra: rapid.SampledFrom([]callwright.Extra{{}, {}, {Wire: callwright.WireResponses},
			{Wire: callwright.WireResponses, JSON: []byte(`{"annotations":[{"url":"u"}]}`)}, {Wire: callwright.WireOpenAI, JSON: []byte(`{"type":"refusal"}`)}}).Draw(t, "beside words")})
	}
	odd := rapid.IntRange(0, 2).Draw(t, "odd") // 0: any parts, 1: any finish
	for range rapid.IntRange(0, 2).Draw(t, "parts") {
		resp.Finish = callwright.FinishCalls
		if odd == 0 {
			resp.Parts = append(resp.Parts, anyPart(t))
		} else {
			resp.Parts = append(resp.Parts, usualCall(t))
		}
	}
	if odd == 1 {
		resp.Finish = rapid.SampledFrom([]callwright.Finish{callwright.FinishCalls, callwright.FinishStop, callwright.FinishLength, callwright.FinishPause, callwright.FinishContentFilter, callwright.FinishMalformedCall, ""}).Draw(t, "finish")
	}
	if rapid.Bool().Draw(t, "has report") {
		resp.Report = &callwright.Report{Attempts: []callwright.Attempt{{Tries: 2}}, Notes: []callwright.Note{{Rule: "transport.retry", Stage: callwright.StageTransport}}}
	}
	return resp
}

// searchable are tools of which one has to be searched for.
var searchable = append([]callwright.Tool{
	{Name: "tool_search_tool_regex", Type: callwright.HostedTool, Extra: callwright.Extra{Wire: callwright.WireAnthropic, JSON: []byte(`{"type":"tool_search_tool_regex_20251119","name":"tool_search_tool_regex"}`)}},
	{Name: "later", Schema: []byte(`{"type":"object"}`), Extra: callwright.Extra{Wire: callwright.WireAnthropic, JSON: []byte(`{"defer_loading":true}`)}},
}, lawTools...)

// manyTools are lawTools and one that takes free text.
var manyTools = append([]callwright.Tool{{Name: "run", Type: callwright.CustomTool}}, lawTools...)

func usualRequest(tools []callwright.Tool) *callwright.Request {
	past := callwright.Call{ID: "past", Name: "get_weather", Arguments: []byte(oslo)}
	return &callwright.Request{Model: "lab/m", Tools: tools, Messages: []callwright.Message{
		callwright.UserText("Weather in Oslo?"), {Role: callwright.RoleAssistant, Parts: []callwright.Part{past}}, callwright.ToolResult(past, "rain"),
	}}
}

func aRequest(t *rapid.T) *callwright.Request {
	req := usualRequest(rapid.SampledFrom([][]callwright.Tool{manyTools, manyTools, searchable, nil}).Draw(t, "tools"))
	companion.Change(req, func(c *companion.Companion) {
		c.Withheld = rapid.SampledFrom([][]string{nil, nil, {"withheld"}}).Draw(t, "withheld")
	})
	if req.Tools != nil {
		req.Params.Choice = rapid.SampledFrom([]callwright.Choice{{}, {}, {}, {Mode: callwright.ChoiceNone}, {Mode: callwright.ChoiceRequired}, forcedOne, {Mode: callwright.ChoiceAuto, Names: []string{"get_time"}}}).Draw(t, "choice")
	}
	req.Params.Parallel = rapid.SampledFrom([]*bool{nil, nil, nil, new(false)}).Draw(t, "parallel")
	req.Params.MaxTokens = rapid.SampledFrom([]json.Number{"", "", "40"}).Draw(t, "limit")
	req.Params.Format = rapid.SampledFrom([]*callwright.AnswerFormat{nil, nil, nil, nil, {Schema: []byte(`{"type":"object"}`)}}).Draw(t, "format")
	if rapid.Bool().Draw(t, "received") {
		return received(req)
	}
	return req
}

// An answer that is taken whole comes to what its events come to.
func TestWholeIsItsEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		known := rapid.SampledFrom([]caps.Caps{{}, {}, {}, {CallsPerAnswer: 1}, {ToolCallReliable: caps.Yes}, {TextCalls: caps.No}, {ChoiceForced: caps.No}, {ParallelField: caps.No}, {NeedsHelp: caps.Yes}, {NameMax: 6}}).Draw(t, "known")
		opts := []reliable.Option{
			reliable.WithPolicy(rapid.SampledFrom([]callwright.Policy{callwright.PolicyHeal, callwright.PolicyHeal, callwright.PolicyHeal, callwright.PolicyStrict, callwright.PolicyHealHeuristic, callwright.PolicyObserve, callwright.PolicyOff}).Draw(t, "policy")),
		}
		if rapid.IntRange(0, 5).Draw(t, "without calls in text") == 0 {
			opts = append(opts, reliable.WithoutTextCalls())
		}
		answers := []callwright.Response{anAnswer(t), anAnswer(t)}
		checkSameByEvents(t, known, answers, aRequest(t), opts...)
	})
}

// Usual answers to usual requests are taken whole, and come to what their events come to.
func TestUsualAnswersAreTakenWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		resp := callwright.Response{ID: "a", Model: "m", Finish: callwright.FinishCalls, Usage: someUsage(t), Raw: someRaw(t)}
		if rapid.Bool().Draw(t, "says") {
			resp.Parts = append(resp.Parts, callwright.Text{Text: rapid.SampledFrom([]string{"Let me look.", "I shall ask for the weather, then note it.\n"}).Draw(t, "words")})
		}
		for range rapid.IntRange(1, 4).Draw(t, "calls") {
			resp.Parts = append(resp.Parts, usualCall(t))
		}
		req := usualRequest(rapid.SampledFrom([][]callwright.Tool{manyTools, searchable}).Draw(t, "tools"))
		if took := checkSameByEvents(t, caps.Caps{}, []callwright.Response{resp}, req); took != 2 {
			t.Fatalf("taken whole %d times, want 2: %+v", took, resp)
		}
	})
}

// So does one that follows another of which the client got something.
func TestWholeAfterAnother(t *testing.T) {
	search := callwright.Call{ID: "call_1", Name: "tool_search_tool_regex", Arguments: json.RawMessage(`{"pattern":"later"}`)}
	broken := callwright.Call{ID: "call_2", Name: "get_weather", Arguments: json.RawMessage(`{"town":5}`)}
	good := callwright.Call{ID: "call_3", Name: "get_weather", Arguments: json.RawMessage(oslo)}
	for name, first := range map[string][]callwright.Part{
		"nothing": {broken}, "a call": {good, broken}, "a search": {search}, "a search beside a broken call": {search, broken}, "text": {callwright.Text{Text: "Let me look."}, broken},
	} {
		t.Run(name, func(t *testing.T) {
			answers := []callwright.Response{{Parts: first, Finish: callwright.FinishCalls}, {Parts: []callwright.Part{good}, Finish: callwright.FinishCalls}}
			checkSameByEvents(t, caps.Caps{}, answers, &callwright.Request{Model: "lab/m", Messages: []callwright.Message{callwright.UserText("Weather in Oslo?")}, Tools: searchable})
		})
	}
}

// So does each recorded answer, to a request that declares the tools that it calls and to one that declares others.
func TestRecordedWholeIsItsEvents(t *testing.T) {
	took, all := 0, 0
	for _, c := range codecs.All() {
		for name, body := range recordedAnswers(t, c.Name()) {
			resp, err := c.DecodeResponse(body)
			if err != nil {
				continue
			}
			var tools []callwright.Tool
			for _, c := range resp.Calls() {
				tools = append(tools, callwright.Tool{Name: c.Name, Type: c.Type, Schema: []byte(`{"type":"object"}`)})
			}
			for _, declared := range [][]callwright.Tool{tools, weather, nil} {
				t.Run(name, func(t *testing.T) {
					all++
					took += checkSameByEvents(t, caps.Caps{}, []callwright.Response{*resp}, &callwright.Request{Messages: []callwright.Message{callwright.UserText("Go on.")}, Tools: declared})
				})
			}
		}
	}
	if took < all/2 {
		t.Errorf("%d of %d answers were taken whole", took, all)
	}
}

// recordedAnswers are the whole answers among the cases of a codec, and of the gateway.
func recordedAnswers(t *testing.T, name callwright.WireName) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for dir, file := range map[string]string{path.Join("internal/wire", string(name), "testdata"): "response.json", "internal/gateway/testdata/pairs": string(name) + "/answer.json"} {
		files, err := fs.Glob(os.DirFS(".."), path.Join(dir, "*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			raw, err := os.ReadFile(path.Join("..", f))
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range txtar.Parse(raw).Files {
				if part.Name == file {
					out[strings.TrimSuffix(f, ".txtar")+"/"+string(name)] = part.Data
				}
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("no recorded answers of %s", name)
	}
	return out
}

// Whoever changes the parts of an answer leaves those that its model keeps as they are.
func TestWholeHasItsOwnParts(t *testing.T) {
	kept := []callwright.Part{callwright.Call{ID: "1", Name: "get_weather", Arguments: json.RawMessage(oslo)}}
	c := reliable.New(&replaying{answers: []callwright.Response{{Finish: callwright.FinishCalls, Parts: kept}}})
	resp, err := c.Generate(t.Context(), &callwright.Request{Model: "lab/m", Tools: weather, Messages: []callwright.Message{callwright.UserText("x")}})
	if err != nil {
		t.Fatal(err)
	}
	resp.Parts[0] = callwright.Text{Text: "mine"}
	if _, ok := kept[0].(callwright.Call); !ok {
		t.Errorf("the model's part is %#v now", kept[0])
	}
}

// What is longer than a megabyte goes the way of its events, where the length of an answer is counted.
func TestWholeIsBounded(t *testing.T) {
	long := `{"city":"` + strings.Repeat("x", 600<<10) + `"}`
	call := func(id, arguments string) callwright.Part {
		return callwright.Call{ID: id, Name: "get_weather", Arguments: json.RawMessage(arguments)}
	}
	for _, tt := range []struct {
		name  string
		parts []callwright.Part
		whole int
	}{
		{"one long call", []callwright.Part{call("1", long), call("2", oslo)}, 1},
		{"two long calls", []callwright.Part{call("1", long), call("2", long)}, 0},
		{"a long text", []callwright.Part{callwright.Text{Text: strings.Repeat("word ", 250<<10)}, call("1", oslo)}, 0},
	} {
		c := reliable.New(&replaying{answers: []callwright.Response{{Finish: callwright.FinishCalls, Parts: tt.parts}}})
		resp, whole, err := c.GenerateBy(t.Context(), &callwright.Request{Model: "lab/m", Tools: weather, Messages: []callwright.Message{callwright.UserText("x")}}, false)
		if err != nil || whole != tt.whole || len(resp.Calls()) != len(callwright.CallsOf(tt.parts)) {
			t.Errorf("%s: taken whole %d times, want %d, error %v", tt.name, whole, tt.whole, err)
		}
	}
}
