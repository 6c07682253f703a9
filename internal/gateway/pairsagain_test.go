package gateway_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// again lets the client hand back the answer with the results of its calls: to the same provider, which must get its opaque
// state byte for byte, and to every other one, which must get nothing of it.
func (c *cell) again(t *testing.T, body []byte, got *answer, results []byte) {
	t.Helper()
	next := c.echo(t, body, []byte(got.body), results)
	state := string(c.file(c.far.Name(), "state"))
	c.play = c.answer(t, c.text)
	second := post(t, c.url+c.door(), string(next))
	c.asked(t, againGist, &second)
	if state != "" && strings.Count(string(c.sent), quoted(state)) != 1 {
		t.Errorf("expected the state %s once, got %s", state, c.sent)
	}
	if bytes.Contains(c.sent, []byte(wire.CarrierMark)) {
		t.Errorf("a carrier reached the provider: %s", c.sent)
	}
	if plain := c.plain(t, next); state != "" {
		c.play = c.answer(t, c.text)
		if got := post(t, c.url+c.door(), string(plain)); strings.Count(string(c.sent), quoted(state)) != 1 {
			t.Errorf("a plain client: expected the state %s once, got %s for %s", state, c.sent, got.body)
		}
	}
	for _, other := range codecs.All() {
		if other.Name() == c.far.Name() {
			continue
		}
		to := *c
		to.far = other
		to.play, to.sent = to.answer(t, c.text), nil
		to.asks(t, bytes.Replace(next, []byte(quoted(c.model())), []byte(quoted(to.model())), 1), state)
	}
}

// asks lets the client ask with what it has of another provider, whose state is not to be sent.
func (c *cell) asks(t *testing.T, body []byte, state string) {
	t.Helper()
	got := post(t, c.url+c.door(), string(body))
	if c.sent == nil {
		t.Fatalf("nothing was sent to %s: %s", c.far.Name(), got.body)
	}
	if state != "" && strings.Contains(string(c.sent), state) || bytes.Contains(c.sent, []byte(wire.CarrierMark)) {
		t.Errorf("state of another provider reached %s: %s", c.far.Name(), c.sent)
	}
	c.strict(t)
}

func quoted(s string) string { return `"` + s + `"` }

// plain returns the request as the plainest clients of the wire send it, which keep of an answer only the members and items that they
// know.
func (c *cell) plain(t *testing.T, next []byte) []byte {
	t.Helper()
	e := echoings[c.client.Name()]
	body := object(next)
	body[e.member] = marshal(t, e.only(t, elements(body[e.member])))
	return marshal(t, body)
}

// reasoningTypes are the types of the items that hold nothing but reasoning.
var reasoningTypes = []string{`"thinking"`, `"redacted_thinking"`, `"reasoning"`}

// only returns objects without the members that are not known, nor those of the objects in their lists and of their calls. What is
// nothing but reasoning is left out, and so are objects of which nothing is left.
func (e *echoing) only(t *testing.T, list []json.RawMessage) []json.RawMessage {
	t.Helper()
	out := []json.RawMessage{}
	for _, v := range list {
		m := object(v)
		if slices.Contains(reasoningTypes, string(m["type"])) || string(m["thought"]) == "true" {
			continue
		}
		for key, value := range m {
			switch {
			case !slices.Contains(e.keeps, key):
				delete(m, key)
			case elements(value) != nil:
				m[key] = marshal(t, e.only(t, elements(value)))
			case key == "functionCall", key == "functionResponse":
				m[key] = e.only(t, []json.RawMessage{value})[0]
			}
		}
		if len(m) > 0 {
			out = append(out, marshal(t, m))
		}
	}
	return out
}

func marshal(t *testing.T, v any) json.RawMessage {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// An echoing is how clients of a wire hand an answer back: the member of the request that holds the conversation, and what
// they add to it of a whole answer.
type echoing struct {
	member string
	of     func(whole map[string]json.RawMessage) []json.RawMessage
	keeps  []string // the members that its plainest clients know
}

var echoings = map[callwright.WireName]echoing{
	callwright.WireOpenAI: {"messages", func(w map[string]json.RawMessage) []json.RawMessage { return at(w, "choices", "message") },
		[]string{"role", "content", "tool_calls", "tool_call_id", "id", "type", "function"}},
	callwright.WireOllama: {"messages", func(w map[string]json.RawMessage) []json.RawMessage { return at(w, "message") },
		[]string{"role", "content", "tool_calls", "tool_name", "function"}}, // ids are younger than many of its clients
	callwright.WireGemini: {"contents", func(w map[string]json.RawMessage) []json.RawMessage { return at(w, "candidates", "content") },
		[]string{"role", "parts", "text", "functionCall", "functionResponse", "name", "args", "response"}}, // whose ids are optional
	callwright.WireResponses: {"input", func(w map[string]json.RawMessage) []json.RawMessage { return elements(w["output"]) },
		[]string{"role", "type", "content", "text", "name", "call_id", "arguments", "output"}},
	callwright.WireAnthropic: {"messages", func(w map[string]json.RawMessage) []json.RawMessage {
		return []json.RawMessage{[]byte(`{"role":"assistant","content":` + string(w["content"]) + `}`)}
	}, []string{"role", "content", "type", "text", "id", "name", "input", "tool_use_id", "is_error"}},
}

// at goes down members, and into the first element of lists.
func at(w map[string]json.RawMessage, members ...string) []json.RawMessage {
	v := w[members[0]]
	if list := elements(v); len(list) > 0 {
		v = list[0]
	}
	if len(members) == 1 {
		return []json.RawMessage{v}
	}
	return at(object(v), members[1:]...)
}

func object(b []byte) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	_ = json.Unmarshal(b, &m)
	return m
}

func elements(b []byte) []json.RawMessage {
	var l []json.RawMessage
	_ = json.Unmarshal(b, &l)
	return l
}

// echo returns the client's next request: its last one, the answer and the results. A streamed answer is put together first.
func (c *cell) echo(t *testing.T, body, answered, results []byte) []byte {
	t.Helper()
	if c.way == streamed {
		s := wiretest.Decode(c.client, bytes.NewReader(answered))
		resp, err := callwright.Collect(s.All())
		if err != nil {
			t.Fatal(err)
		}
		resp.Raw = nil
		if answered, _, err = c.client.EncodeResponse(nil, resp); err != nil {
			t.Fatal(err)
		}
	}
	e := echoings[c.client.Name()]
	had := object(body)[e.member]
	list := slices.Concat(elements(had), e.of(object(answered)), elements(results))
	return bytes.Replace(body, had, marshal(t, list), 1)
}
