package reliable_test

import (
	"bytes"
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
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"pgregory.net/rapid"
)

// A contentServer refuses turns of the model without content and calls, where reasoning is no content.
type contentServer struct {
	wire    callwright.WireName
	message string // of the refusal
	refused int
	bodies  [][]byte
}

func (s *contentServer) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	s.bodies = append(s.bodies, body)
	status, answer := http.StatusOK, fineAnswers[s.wire]
	list, _ := sentBody(body).parts()
	if slices.ContainsFunc(list, saysNothing) {
		s.refused++
		status, answer = http.StatusBadRequest, `{"error":{"message":"`+s.message+`","type":"invalid_request_error"}}`
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Request: req,
		ContentLength: int64(len(answer)), Body: io.NopCloser(strings.NewReader(answer))}, nil
}

// fineAnswers are whole answers of the APIs.
var fineAnswers = map[callwright.WireName]string{
	callwright.WireOpenAI: `{"choices":[{"index":0,"message":{"role":"assistant","content":"fine"},"finish_reason":"stop"}]}`,
	callwright.WireResponses: `{"id":"r","object":"response","status":"completed","output":[{"type":"message","id":"m","role":"assistant","status":"completed",` +
		`"content":[{"type":"output_text","text":"fine","annotations":[]}]}]}`,
	callwright.WireAnthropic: `{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"fine"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`,
	callwright.WireGemini:    `{"candidates":[{"content":{"role":"model","parts":[{"text":"fine"}]},"finishReason":"STOP"}]}`,
	callwright.WireOllama:    `{"model":"m","message":{"role":"assistant","content":"fine"},"done":true,"done_reason":"stop"}`,
}

// saysNothing reports whether a message or an item is a turn of the model that has no content and no calls, in any API.
func saysNothing(message []byte) bool {
	in := jsonx.FieldsOf(message)
	if role := jsonx.TextOf(in.Get("role")); role != "assistant" && role != "model" {
		return false
	}
	if jsonx.First(in.Get("tool_calls")) != nil {
		return false
	}
	content := in.Get("content")
	if content == nil {
		content = in.Get("parts")
	}
	if jsonx.IsText(content) {
		return jsonx.TextOf(content) == ""
	}
	for part := range jsonx.Elements(content) {
		p := jsonx.FieldsOf(part)
		kind := jsonx.TextOf(p.Get("type"))
		words := p.Get("text") != nil && jsonx.TextOf(p.Get("text")) == ""
		if !words && !jsonx.IsTrue(p.Get("thought")) && kind != "thinking" && kind != "redacted_thinking" {
			return false
		}
	}
	return true
}

// contentWords are refusals of turns without content.
var contentWords = []string{
	"Invalid assistant message: content or tool_calls must be set",
	"Assistant message must have either content or tool_calls, but not none.",
	"Invalid request: the message at position 2 with role 'assistant' must not be empty",
	"Each message must have at least one content element.",
	"messages.1: all messages must have non-empty content except for the optional final assistant message",
	"messages.1: The final block in an assistant message cannot be `thinking`.",
	"The content field in the Message object at messages.1 is empty. Add a ContentBlock object to the content field and try again.",
	"* GenerateContentRequest.contents[1].parts: contents.parts must not be empty.",
	"Unable to submit request because it must include at least one parts field, which describes the prompt input.",
}

// interrupted are conversations in which turns of the model are empty or reasoning alone, and end with the user.
func interrupted() *rapid.Generator[talk] {
	return rapid.Custom(func(t *rapid.T) talk {
		c := talk{turns: [][]piece{{{role: callwright.RoleUser, text: "say"}}}}
		for turn := range rapid.IntRange(1, 6).Draw(t, "turns") {
			var pieces []piece
			for range rapid.IntRange(1, 3).Draw(t, "turns of the model") {
				m := piece{role: callwright.RoleAssistant, list: rapid.Bool().Draw(t, "list")}
				switch rapid.IntRange(0, 4).Draw(t, "turn") {
				case 0:
				case 1:
					m.thoughts = fmt.Sprint("thought ", turn)
				case 2:
					m.thoughts, m.signature = fmt.Sprint("thought ", turn), "c2lnbmF0dXJl"
				case 3:
					m.thoughts, m.text = fmt.Sprint("thought ", turn), fmt.Sprint("answer ", turn)
				default:
					m.text = fmt.Sprint("answer ", turn)
				}
				pieces = append(pieces, m)
			}
			c.turns = append(c.turns, append(pieces, piece{role: callwright.RoleUser, text: fmt.Sprint("go on ", turn)}))
		}
		return c
	})
}

// A conversation with turns that say nothing is accepted at the first request where it is known that the receiver refuses them, at the second
// where it is learned, and at the first from then on; and what is sent for its beginning stays. All texts and no other turns arrive.
func TestTurnsWithoutContent(t *testing.T) {
	for _, client := range codecs.All() {
		for _, to := range codecs.All() {
			t.Run(fmt.Sprint(client.Name(), " to ", to.Name()), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					s := &contentServer{wire: to.Name(), message: rapid.SampledFrom(contentWords).Draw(t, "words")}
					known := rapid.Bool().Draw(t, "known")
					m := contentModel(t, s, known)
					c := interrupted().Draw(t, "conversation")
					var before sentBody
					for n := 2; n <= len(c.turns); n++ {
						s.bodies = nil
						learned := s.refused > 0
						refused := s.refused
						askFine(t, m, client.Name(), writers[client.Name()].request(c, n))
						switch {
						case (known || learned) && s.refused > refused:
							t.Fatalf("refused although it was known: %s", s.bodies[0])
						case len(s.bodies) > 2:
							t.Fatalf("%d requests, the last\n%s", len(s.bodies), s.bodies[len(s.bodies)-1])
						}
						now := sentBody(s.bodies[len(s.bodies)-1])
						if d := before.changed(now); d != "" && s.refused == refused {
							t.Fatalf("turn %d changes what is sent before it: %s", n, d)
						}
						checkTexts(t, c, n, now)
						before = now
					}
				})
			})
		}
	}
}

// contentModel is a client of a model behind the server.
func contentModel(t *rapid.T, s *contentServer, known bool) *reliable.Client {
	none := 0
	cfg := provider.Config{Name: "lab", Wire: s.wire, BaseURL: "http://lab.test/of", Transport: s, APIKey: provider.NewSecret("k"), MaxRetries: &none}
	if known {
		cfg.Caps = func(string) caps.Caps { return caps.Caps{History: caps.HistoryRules{NoEmptyAssistant: true}} }
	}
	p, err := provider.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return reliable.New(p.Model("m"))
}

// askFine asks for an answer to a request, which must come.
func askFine(t *rapid.T, m *reliable.Client, wire callwright.WireName, body string) {
	codec, _ := codecs.Of(wire)
	req, err := codec.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := m.Generate(t.Context(), req)
	if err != nil {
		t.Fatalf("%v\nof %s", err, body)
	}
	if got := resp.Text(); got != "fine" {
		t.Fatalf("the answer is %q", got)
	}
}

// checkTexts fails where a text of the conversation does not stand in what was sent.
func checkTexts(t *rapid.T, c talk, n int, sent sentBody) {
	for _, turn := range c.turns[:n] {
		for _, m := range turn {
			if m.text != "" && !bytes.Contains(sent, []byte(m.text)) {
				t.Fatalf("%q is not in %s", m.text, sent)
			}
		}
	}
}
