package reliable_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/signature"
	"github.com/google/go-cmp/cmp"
)

const days = `{"city":"Oslo","days":3}`

func thought(text, signature string) []callwright.Event {
	return []callwright.Event{callwright.ReasoningDelta{Text: text},
		callwright.ReasoningEnd{Signature: signature, Origin: callwright.Origin{Wire: callwright.WireAnthropic}}}
}

func makes(n int, id, args, signature string) []callwright.Event {
	return []callwright.Event{callwright.CallBegin{Index: n, ID: id, Name: "get_weather", Signature: signature, Origin: callwright.Origin{Wire: callwright.WireGemini}},
		callwright.CallDelta{Index: n, Text: args}, callwright.CallEnd{Index: n}}
}

func saying(s string) []callwright.Event { return []callwright.Event{callwright.TextDelta{Text: s}} }

func answerOf(pieces ...[]callwright.Event) []callwright.Event {
	out := []callwright.Event{callwright.Begin{}}
	for _, p := range pieces {
		out = append(out, p...)
	}
	return append(out, callwright.End{Finish: callwright.FinishCalls})
}

// bare is a turn as clients hand it back that keep texts and calls only, with the texts as one.
func bare(resp *callwright.Response) []callwright.Part {
	var out []callwright.Part
	if t := resp.Text(); t != "" {
		out = append(out, callwright.Text{Text: t})
	}
	for _, c := range resp.Calls() {
		out = append(out, callwright.Call{ID: c.ID, Name: c.Name, Arguments: c.Arguments})
	}
	return out
}

// next is the request that follows an answer: the turn, and a result for each of its calls.
func next(req *callwright.Request, turn []callwright.Part) *callwright.Request {
	out := *req
	out.Messages = append(append([]callwright.Message(nil), req.Messages...), callwright.Message{Role: callwright.RoleAssistant, Parts: turn})
	for _, c := range callwright.CallsOf(turn) {
		out.Messages = append(out.Messages, callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{
			callwright.Result{CallID: c.ID, Parts: []callwright.Part{callwright.Text{Text: "4 degrees"}}}}})
	}
	return &out
}

// turnsOf are the turns of the model in a request, a part in brackets each.
func turnsOf(t *testing.T, req *callwright.Request) []string {
	t.Helper()
	msgs, err := req.History()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range msgs {
		if m.Role != callwright.RoleAssistant {
			continue
		}
		var b strings.Builder
		for _, p := range m.Parts {
			switch p := p.(type) {
			case callwright.Text:
				fmt.Fprintf(&b, "[text %s]", p.Text)
			case callwright.Reasoning:
				fmt.Fprintf(&b, "[thought %s %s %s %s]", p.Text, p.Signature+p.Redacted, p.Origin.Wire, p.Origin.Model)
			case callwright.Call:
				fmt.Fprintf(&b, "[call %s", p.ID)
				if p.Signature != "" {
					fmt.Fprintf(&b, " %s %s %s", p.Signature, p.Origin.Wire, p.Origin.Model)
				}
				b.WriteByte(']')
			}
		}
		out = append(out, b.String())
	}
	return out
}

func restoredIn(rep *callwright.Report) int {
	n := 0
	for _, note := range rep.Notes {
		if note.Rule == "history.state_restored" && note.Risk == callwright.RiskLossless {
			n++
		}
	}
	return n
}

var done = text("It is cold.")

// What the cases of TestStateReturns are made of.
var stateReturnsCalls = caps.Caps{History: caps.HistoryRules{ReasoningBack: caps.ReasoningBackCalls}}

// stateReturnsCases are those of TestStateReturns.
var stateReturnsCases = []struct {
	name   string
	caps   caps.Caps
	answer []callwright.Event
	edit   func(turn []callwright.Part) []callwright.Part // what else the client does
	want   string
	notes  int
}{
	{name: "a signed thought before the text", answer: answerOf(thought("hm", "sig"), saying("On it."), makes(0, "c1", oslo, "")),
		want: "[thought hm sig anthropic lab/m][text On it.][call c1]", notes: 1},
	{name: "thoughts around the text", answer: answerOf(thought("a", "s1"), saying("Bøn."), thought("b", "s2"), makes(0, "c1", oslo, "")),
		want: "[thought a s1 anthropic lab/m][text Bøn.][thought b s2 anthropic lab/m][call c1]", notes: 1},
	{name: "a thought inside the text", answer: answerOf(saying("Let me "), thought("a", "s1"), saying("look."), makes(0, "c1", oslo, "")),
		want: "[text Let me ][thought a s1 anthropic lab/m][text look.][call c1]", notes: 1},
	{name: "parallel calls of which only the first is signed", answer: answerOf(makes(0, "c1", oslo, "sig"), makes(1, "c2", days, "")),
		want: "[call c1 sig gemini lab/m][call c2]", notes: 1},
	{name: "a thought for each call", answer: answerOf(thought("a", "s1"), makes(0, "c1", oslo, ""), thought("b", "s2"), makes(1, "c2", days, "")),
		want: "[thought a s1 anthropic lab/m][call c1][thought b s2 anthropic lab/m][call c2]", notes: 2},
	{name: "redacted", answer: answerOf([]callwright.Event{callwright.ReasoningEnd{Redacted: "enc", Origin: callwright.Origin{Wire: callwright.WireAnthropic}}}, makes(0, "c1", oslo, "")),
		want: "[thought  enc anthropic lab/m][call c1]", notes: 1},
	{name: "arguments written anew", answer: answerOf(makes(0, "c1", days, "sig")), want: "[call c1 sig gemini lab/m]", notes: 1,
		edit: func(turn []callwright.Part) []callwright.Part {
			c := turn[0].(callwright.Call)
			c.Arguments = []byte("{ \"days\": 3.0,\n \"city\": \"\\u004fslo\" }")
			return []callwright.Part{c}
		}},
	{name: "other arguments", answer: answerOf(makes(0, "c1", days, "sig")), want: "[call c1]",
		edit: func(turn []callwright.Part) []callwright.Part {
			c := turn[0].(callwright.Call)
			c.Arguments = []byte(oslo)
			return []callwright.Part{c}
		}},
	{name: "the client kept it", answer: answerOf(thought("hm", "sig"), makes(0, "c1", oslo, "")), want: "[thought hm sig anthropic lab/m][call c1]",
		edit: func(turn []callwright.Part) []callwright.Part {
			r := callwright.Reasoning{Text: "hm", Signature: "sig", Origin: callwright.Origin{Wire: callwright.WireAnthropic, Model: "lab/m"}}
			return append([]callwright.Part{r}, turn...)
		}},
	{name: "the client kept the words alone", answer: answerOf(thought("hm", "sig"), makes(0, "c1", oslo, "")), want: "[thought hm sig anthropic lab/m][call c1]", notes: 1,
		edit: func(turn []callwright.Part) []callwright.Part {
			return append([]callwright.Part{callwright.Reasoning{Text: "hm"}}, turn...)
		}},
	{name: "nothing opaque and nothing wanted", answer: answerOf([]callwright.Event{callwright.ReasoningDelta{Text: "hm"}}, makes(0, "c1", oslo, "")), want: "[call c1]"},
	{name: "plain reasoning that has to return", caps: stateReturnsCalls, answer: answerOf([]callwright.Event{callwright.ReasoningDelta{Text: "hm"}}, saying("On it."), makes(0, "c1", oslo, "")),
		want: "[thought hm   lab/m][text On it.][call c1]", notes: 1},
	{name: "plain reasoning that did return", caps: stateReturnsCalls, answer: answerOf([]callwright.Event{callwright.ReasoningDelta{Text: "hm"}}, makes(0, "c1", oslo, "")),
		want: "[thought shortened   ][call c1]", edit: func(turn []callwright.Part) []callwright.Part {
			return append([]callwright.Part{callwright.Reasoning{Text: "shortened"}}, turn...)
		}},
	{name: "arguments that had to be mended", answer: answerOf(thought("hm", "sig"), makes(0, "c1", `{"city":"Oslo","days":"3",}`, "")),
		want: "[thought hm sig anthropic lab/m][call c1]", notes: 1},
}

// A client that keeps nothing but texts, ids, names and arguments, and a model that wants more back.
func TestStateReturns(t *testing.T) {
	for _, tc := range stateReturnsCases {
		for _, way := range []string{"whole", "streamed"} {
			t.Run(tc.name+"/"+way, func(t *testing.T) {
				m := &scripted{name: "lab/m", caps: tc.caps, answers: []any{tc.answer, done}}
				client := reliable.New(m)
				give := func(req *callwright.Request) *callwright.Response {
					if way == "whole" {
						resp, err := client.Generate(t.Context(), req)
						if err != nil {
							t.Fatal(err)
						}
						return resp
					}
					resp, err := callwright.Collect(client.Stream(t.Context(), req))
					if err != nil {
						t.Fatal(err)
					}
					return resp
				}
				req := ask(callwright.Choice{})
				turn := bare(give(req))
				if tc.edit != nil {
					turn = tc.edit(turn)
				}
				second := next(req, turn)
				resp := give(second)
				if d := cmp.Diff([]string{tc.want}, turnsOf(t, m.asked[1])); d != "" {
					t.Errorf("(-want +got)\n%s", d)
				}
				if n := restoredIn(resp.Report); n != tc.notes || resp.Report.Untouched != (n == 0) {
					t.Errorf("%d notes, want %d; untouched %t", n, tc.notes, resp.Report.Untouched)
				}
				if d := cmp.Diff(len(turn), len(second.Messages[1].Parts)); d != "" {
					t.Errorf("the client's own copy was changed (-want +got)\n%s", d)
				}
			})
		}
	}
}

func generate(t *testing.T, c *reliable.Client, req *callwright.Request) *callwright.Response {
	t.Helper()
	resp, err := c.Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// State of one model is never sent to another, and is there again when the first one is asked again.
func TestStateStaysWithItsModel(t *testing.T) {
	v := signature.NewMemory(nil, signature.Limits{})
	one := &scripted{name: "lab/one", answers: []any{answerOf(thought("hm", "sig"), makes(0, "c1", oslo, "own")), done}}
	other := &scripted{name: "lab/other", answers: []any{done}}
	first, second := reliable.New(one, reliable.WithSignatures(v)), reliable.New(other, reliable.WithSignatures(v))
	req := ask(callwright.Choice{})
	follow := next(req, bare(generate(t, first, req)))
	generate(t, second, follow)
	generate(t, first, follow)
	if d := cmp.Diff([]string{"[call c1]"}, turnsOf(t, other.asked[0])); d != "" {
		t.Errorf("the other model (-want +got)\n%s", d)
	}
	if d := cmp.Diff([]string{"[thought hm sig anthropic lab/one][call c1 own gemini lab/one]"}, turnsOf(t, one.asked[1])); d != "" {
		t.Errorf("the first model (-want +got)\n%s", d)
	}
}

// State of one owner's calls is found for no other, whatever the ids and words are.
func TestStateStaysWithItsOwner(t *testing.T) {
	m := &scripted{name: "lab/m", answers: []any{answerOf(makes(0, "call_0", oslo, "sig")), done, done}}
	client := reliable.New(m)
	req := signature.ForOwner(ask(callwright.Choice{}), "mine")
	mine := next(req, bare(generate(t, client, req)))
	generate(t, client, signature.ForOwner(mine, "theirs"))
	generate(t, client, mine)
	if d := cmp.Diff([][]string{{"[call call_0]"}, {"[call call_0 sig gemini lab/m]"}}, [][]string{turnsOf(t, m.asked[1]), turnsOf(t, m.asked[2])}); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// A history that repeats a call makes the request no larger than the bound says, and takes no longer for it.
func TestStateOfOneCallManyTimes(t *testing.T) {
	m := &scripted{name: "lab/m", answers: []any{answerOf(thought(strings.Repeat("hm", 32<<10), "sig"), makes(0, "c1", oslo, "")), done, done}}
	client := reliable.New(m)
	req := ask(callwright.Choice{})
	for range 16_000 {
		req.Messages[0].Parts = append(req.Messages[0].Parts, callwright.Text{Text: strings.Repeat("words", 100)})
	}
	turn := bare(generate(t, client, req))
	call := turn[0].(callwright.Call)
	calls := &callwright.Request{Messages: slices.Clone(req.Messages), Tools: req.Tools}
	again := slices.Repeat([]callwright.Part{call}, 16_000)
	calls.Messages = append(calls.Messages, callwright.Message{Role: callwright.RoleAssistant, Parts: again})
	generate(t, client, calls)
	bytes, times := 0, 0
	for _, p := range m.asked[1].Messages[1].Parts {
		if r, is := p.(callwright.Reasoning); is {
			bytes, times = bytes+len(r.Text), times+1
		}
	}
	if times < 2 || bytes > 16<<20 {
		t.Errorf("%d bytes came back in %d thoughts", bytes, times)
	}
}

// What a fallback answered returns to the fallback alone.
func TestStateOfAFallback(t *testing.T) {
	spare := &scripted{name: "lab/spare", answers: []any{answerOf(makes(0, "c1", oslo, "sig")), done}}
	m := &scripted{name: "lab/m", answers: []any{isDown, isDown}}
	client := reliable.New(m, reliable.WithFallback(spare))
	req := ask(callwright.Choice{})
	generate(t, client, next(req, bare(generate(t, client, req))))
	if d := cmp.Diff([]string{"[call c1]"}, turnsOf(t, m.asked[1])); d != "" {
		t.Errorf("the model that was down (-want +got)\n%s", d)
	}
	if d := cmp.Diff([]string{"[call c1 sig gemini lab/spare]"}, turnsOf(t, spare.asked[1])); d != "" {
		t.Errorf("the fallback (-want +got)\n%s", d)
	}
}

// Ids that are counted come again in every conversation.
func TestStateOfRepeatedIDs(t *testing.T) {
	m := &scripted{name: "lab/m", answers: []any{
		answerOf(makes(0, "call_0", oslo, "first")), answerOf(makes(0, "call_0", oslo, "second")), done, done, done}}
	client := reliable.New(m)
	a, b, c := ask(callwright.Choice{}), ask(callwright.Choice{}), ask(callwright.Choice{})
	b.Messages = []callwright.Message{{Role: callwright.RoleUser, Parts: []callwright.Part{callwright.Text{Text: "Is it cold?"}}}}
	c.Messages = []callwright.Message{{Role: callwright.RoleUser, Parts: []callwright.Part{callwright.Text{Text: "Shall I take a coat?"}}}}
	followA, followB := next(a, bare(generate(t, client, a))), next(b, bare(generate(t, client, b)))
	generate(t, client, followA)
	generate(t, client, followB)
	generate(t, client, next(c, []callwright.Part{callwright.Call{ID: "call_0", Name: "get_weather", Arguments: []byte(oslo)}}))
	for i, want := range []string{"[call call_0 first gemini lab/m]", "[call call_0 second gemini lab/m]", "[call call_0]"} {
		if d := cmp.Diff([]string{want}, turnsOf(t, m.asked[2+i])); d != "" {
			t.Errorf("conversation %d (-want +got)\n%s", i, d)
		}
	}
}

// Turns before the user's latest words keep their state, so that what is sent for them stays the same.
func TestStateOfEarlierTurns(t *testing.T) {
	want := []string{"[call c1 s1 gemini lab/m]", "[call c2 s2 gemini lab/m]"}
	for _, back := range []caps.ReasoningBack{"", caps.ReasoningBackAlways} {
		m := &scripted{name: "lab/m", caps: caps.Caps{History: caps.HistoryRules{ReasoningBack: back}},
			answers: []any{answerOf(makes(0, "c1", oslo, "s1")), answerOf(makes(0, "c2", oslo, "s2")), done}}
		client := reliable.New(m)
		req := ask(callwright.Choice{})
		req = next(req, bare(generate(t, client, req)))
		req.Messages = append(req.Messages, callwright.Message{Role: callwright.RoleUser, Parts: []callwright.Part{callwright.Text{Text: "And tomorrow?"}}})
		generate(t, client, next(req, bare(generate(t, client, req))))
		if d := cmp.Diff(want, turnsOf(t, m.asked[2])); d != "" {
			t.Errorf("reasoning back %q (-want +got)\n%s", back, d)
		}
	}
}

func TestStateIsForgotten(t *testing.T) {
	signed := answerOf(makes(0, "c1", oslo, "sig"))
	for _, tc := range []struct {
		name   string
		limits signature.Limits
		pause  time.Duration
		opts   []reliable.Option
		want   string
	}{
		{"in time", signature.Limits{}, 59 * time.Minute, nil, "[call c1 sig gemini lab/m]"},
		{"expired", signature.Limits{}, time.Hour, nil, "[call c1]"},
		{"made room", signature.Limits{Entries: 1}, 0, nil, "[call c1]"},
		{"switched off", signature.Limits{}, 0, []reliable.Option{reliable.WithRules(map[string]bool{"history.state_restored": false})}, "[call c1]"},
		{"policy off", signature.Limits{}, 0, []reliable.Option{reliable.WithPolicy(callwright.PolicyOff)}, "[call c1]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &scripted{name: "lab/m", answers: []any{signed, answerOf(makes(0, "c9", oslo, "other")), done}}
				client := reliable.New(m, append(tc.opts, reliable.WithSignatures(signature.NewMemory(nil, tc.limits)))...)
				req := ask(callwright.Choice{})
				turn := bare(generate(t, client, req))
				generate(t, client, req)
				time.Sleep(tc.pause)
				generate(t, client, next(req, turn))
				if d := cmp.Diff([]string{tc.want}, turnsOf(t, m.asked[2])); d != "" {
					t.Errorf("(-want +got)\n%s", d)
				}
			})
		})
	}
}

// A lazyBody is a Body that counts how often its history is decoded.
type lazyBody struct {
	companion.Body
	req     *callwright.Request
	turns   []callwright.Summary
	decoded int
}

func (b *lazyBody) Wire() callwright.WireName       { return callwright.WireOpenAI }
func (b *lazyBody) Summaries() []callwright.Summary { return b.turns }
func (b *lazyBody) Message(int) callwright.Message  { return b.req.Messages[0] }
func (b *lazyBody) Messages() ([]callwright.Message, error) {
	b.decoded++
	return b.req.Messages, nil
}

func outlined(req *callwright.Request, signed bool) (*callwright.Request, *lazyBody) {
	b := &lazyBody{req: req}
	for _, m := range req.Messages {
		turn := callwright.Summary{Role: m.Role, Text: callwright.TextOf(m.Parts) != "", Signed: signed && m.Role == callwright.RoleAssistant}
		for _, p := range m.Parts {
			switch p := p.(type) {
			case callwright.Call:
				turn.Calls = append(turn.Calls, callwright.CallRef{ID: p.ID, Name: p.Name, Sound: true})
			case callwright.Result:
				turn.Results = append(turn.Results, p.CallID)
			}
		}
		b.turns = append(b.turns, turn)
	}
	out := *req
	out.Messages = nil
	companion.Change(&out, func(c *companion.Companion) { c.Body = b })
	return &out, b
}

// A history is decoded only when something that is kept lacks in it.
func TestRestoringIsLazy(t *testing.T) {
	again := answerOf(makes(0, "c2", oslo, ""))
	for _, tc := range []struct {
		name   string
		first  []callwright.Event
		signed bool
		want   int
	}{
		{"nothing is kept", answerOf(makes(0, "c1", oslo, "")), false, 0},
		{"the client hands it back", answerOf(makes(0, "c1", oslo, "sig")), true, 0},
		{"it is missing", answerOf(makes(0, "c1", oslo, "sig")), false, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := &scripted{name: "lab/m", answers: []any{tc.first, again}}
			client := reliable.New(m)
			req := ask(callwright.Choice{})
			start, body := outlined(req, false)
			turn := bare(generate(t, client, start))
			if body.decoded != 0 {
				t.Errorf("the first history was decoded %d times", body.decoded)
			}
			follow, body := outlined(next(req, turn), tc.signed)
			generate(t, client, follow)
			if body.decoded != tc.want {
				t.Errorf("the history was decoded %d times, want %d", body.decoded, tc.want)
			}
		})
	}
}

// Opaque state leaves with the model that was asked as its origin; what says another origin keeps it.
func TestOriginIsStamped(t *testing.T) {
	elsewhere := callwright.ReasoningEnd{Signature: "t", Origin: callwright.Origin{Model: "lab/elsewhere"}}
	m := &scripted{name: "lab/m", answers: []any{answerOf(thought("hm", "s"), []callwright.Event{elsewhere}, makes(0, "c1", oslo, "sig"))}}
	resp := generate(t, reliable.New(m), ask(callwright.Choice{}))
	var got []callwright.ModelID
	for _, p := range resp.Parts {
		switch p := p.(type) {
		case callwright.Reasoning:
			got = append(got, p.Origin.Model)
		case callwright.Call:
			got = append(got, p.Origin.Model)
		}
	}
	if d := cmp.Diff([]callwright.ModelID{"lab/m", "lab/elsewhere", "lab/m"}, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
