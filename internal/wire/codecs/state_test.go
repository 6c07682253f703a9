package codecs_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
)

// A scripted is a Model behind a codec: it answers with bytes, and keeps the bytes it was sent.
type scripted struct {
	id      callwright.ModelID
	codec   wire.Codec
	caps    caps.Caps
	answers []string
	sent    []string
}

func (s *scripted) ID() callwright.ModelID         { return s.id }
func (s *scripted) Caps(context.Context) caps.Caps { return s.caps }

func (s *scripted) Generate(_ context.Context, req *callwright.Request) (*callwright.Response, error) {
	_, name := s.id.Split()
	body, _, err := s.codec.EncodeRequest(req, name, s.caps)
	if err != nil {
		return nil, err
	}
	s.sent = append(s.sent, string(body))
	return s.codec.DecodeResponse([]byte(s.answers[len(s.sent)-1]))
}

func (s *scripted) Stream(context.Context, *callwright.Request) iter.Seq2[callwright.Event, error] {
	panic("not asked for")
}

// A client of Chat Completions that hands back nothing but ids, names and arguments keeps a tool loop going with models that
// want more.
func TestChatClientKeepsState(t *testing.T) {
	const first = `{"model":"x","messages":[{"role":"user","content":"Weather in Oslo?"}%s],
		"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}]}`
	for _, tc := range []struct {
		name   string
		wire   callwright.WireName
		caps   caps.Caps
		answer string
		done   string
		want   string
	}{
		{"thinking of Anthropic", callwright.WireAnthropic, caps.Caps{},
			`{"id":"m","type":"message","role":"assistant","content":[{"type":"thinking","thinking":"Look it up.","signature":"c2ln"},{"type":"text","text":"On it."},` +
				`{"type":"tool_use","id":"toolu_1","name":"get_weather","input":{"city":"Oslo"}}],"stop_reason":"tool_use"}`,
			`{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"Cold."}],"stop_reason":"end_turn"}`,
			`[{"type":"thinking","thinking":"Look it up.","signature":"c2ln"},{"type":"text","text":"On it."},{"type":"tool_use","id":"toolu_1"`},
		{"reasoning that has to return", callwright.WireOpenAI, caps.Caps{Reasoning: caps.ReasoningContent, History: caps.HistoryRules{ReasoningBack: caps.ReasoningBackCalls}},
			`{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"On it.","reasoning_content":"Look it up.","tool_calls":[{"id":"functions.get_weather:0",` +
				`"type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]},"finish_reason":"tool_calls"}]}`,
			`{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"Cold."},"finish_reason":"stop"}]}`,
			`"reasoning_content":"Look it up."`},
		{"a thought signature on the first of two calls", callwright.WireOpenAI, caps.Caps{},
			`{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"On it.","tool_calls":[{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"},` +
				`"extra_content":{"google":{"thought_signature":"c2ln"}}},{"id":"b","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Rome\"}"}}]},"finish_reason":"tool_calls"}]}`,
			`{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"Cold."},"finish_reason":"stop"}]}`,
			`"extra_content":{"google":{"thought_signature":"c2ln"}}},{"id":"b","type":"function","function":{"name":"get_weather","arguments":"{ \"city\": \"Rome\" }"}}]`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			front, _ := codecs.Of(callwright.WireOpenAI)
			back, _ := codecs.Of(tc.wire)
			m := &scripted{id: "lab/m", codec: back, caps: tc.caps, answers: []string{tc.answer, tc.done}}
			client := reliable.New(m)
			give := func(body string) *callwright.Response {
				req, err := front.DecodeRequest([]byte(body))
				if err != nil {
					t.Fatal(err)
				}
				resp, err := client.Generate(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				return resp
			}
			var calls, results []string
			for _, c := range give(fmt.Sprintf(first, "")).Calls() {
				spaced := strings.NewReplacer(`{"`, `{ \"`, `":"`, `\": \"`, `"}`, `\" }`).Replace(string(c.Arguments))
				calls = append(calls, `{"id":"`+c.ID+`","type":"function","function":{"name":"get_weather","arguments":"`+spaced+`"}}`)
				results = append(results, `,{"role":"tool","tool_call_id":"`+c.ID+`","content":"4 degrees"}`)
			}
			resp := give(fmt.Sprintf(first, `,{"role":"assistant","content":"On it.","tool_calls":[`+strings.Join(calls, ",")+`]}`+strings.Join(results, "")))
			if !strings.Contains(m.sent[1], tc.want) {
				t.Errorf("the second request lacks\n%s\nit is\n%s", tc.want, m.sent[1])
			}
			if resp.Report.Untouched {
				t.Error("the report calls the request untouched")
			}
		})
	}
}
