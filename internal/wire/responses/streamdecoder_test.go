package responses_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/google/go-cmp/cmp"
)

// habit is how a server writes a stream: which places and names its items have, when it ends them, and what it repeats.
type habit struct{ index, id, done, repeat string }

// habits are all of them, but for those in which nothing tells two items apart.
func habits() []habit {
	var out []habit
	for _, index := range []string{"own", "zero", "none"} {
		for _, id := range []string{"own", "none", "changing"} {
			for _, done := range []string{"each", "last", "calls", "never"} {
				for _, repeat := range []string{"all", "calls", "none", "fresh", "bare"} {
					if index != "own" && id == "changing" {
						continue
					}
					if index != "own" && id == "none" && done == "last" {
						continue
					}
					out = append(out, habit{index, id, done, repeat})
				}
			}
		}
	}
	return out
}

type said struct{ kind, text string }

// server writes a stream.
type server struct {
	habit
	out strings.Builder
	ids int
}

func (s *server) event(name string, members map[string]any) {
	members["type"] = name
	b, _ := json.Marshal(members)
	fmt.Fprintf(&s.out, "event: %s\ndata: %s\n\n", name, b)
}

// about adds the place and the name of item n to an event.
func (s *server) about(n int, members map[string]any) map[string]any {
	switch s.index {
	case "own":
		members["output_index"] = n
	case "zero":
		members["output_index"] = 0
	}
	if id := s.name(n); id != "" && members["item"] == nil {
		members["item_id"] = id
	}
	return members
}

func (s *server) name(n int) string {
	switch s.id {
	case "own":
		return fmt.Sprintf("it_%d", n)
	case "changing":
		s.ids++
		return fmt.Sprintf("it_%d_%d", n, s.ids)
	}
	return ""
}

// item is item n, with what it says where it is whole.
func (s *server) item(n int, x said, whole bool, id string) map[string]any {
	m := map[string]any{"type": x.kind}
	if id != "" {
		m["id"] = id
	}
	text := ""
	if whole {
		text = x.text
	}
	switch x.kind {
	case "message":
		m["role"], m["content"] = "assistant", []any{}
		if whole {
			m["content"] = []any{map[string]any{"type": "output_text", "text": text}}
		}
	case "reasoning":
		m["summary"] = []any{}
		if whole {
			m["summary"] = []any{map[string]any{"type": "summary_text", "text": text}}
		}
	case "function_call":
		m["call_id"], m["name"], m["arguments"] = fmt.Sprintf("call_%d", n), "f", text
	}
	return m
}

var deltaEvents = map[string]string{"message": "response.output_text.delta", "reasoning": "response.reasoning_summary_text.delta",
	"function_call": "response.function_call_arguments.delta"}

func (s *server) write(items []said) string {
	s.event("response.created", map[string]any{"response": map[string]any{"id": "resp_1", "status": "in_progress"}})
	end := func(n int) {
		s.event("response.output_item.done", s.about(n, map[string]any{"item": s.item(n, items[n], true, s.name(n))}))
	}
	for n, x := range items {
		s.event("response.output_item.added", s.about(n, map[string]any{"item": s.item(n, x, false, s.name(n))}))
		half := len(x.text) / 2
		for _, piece := range []string{x.text[:half], x.text[half:]} {
			s.event(deltaEvents[x.kind], s.about(n, map[string]any{"delta": piece}))
		}
		if s.done == "each" || s.done == "calls" && x.kind == "function_call" {
			end(n)
		}
	}
	var output []any
	for n, x := range items {
		if s.done == "last" {
			end(n)
		}
		id := s.name(n)
		switch s.repeat {
		case "fresh":
			id = fmt.Sprintf("other_%d", n)
		case "bare":
			id = ""
		}
		if s.repeat != "none" && (s.repeat != "calls" || x.kind == "function_call") {
			output = append(output, s.item(n, x, true, id))
		}
	}
	s.event("response.completed", map[string]any{"response": map[string]any{"id": "resp_1", "status": "completed", "output": output}})
	return s.out.String()
}

// plain is what an answer says, in order.
func plain(parts []callwright.Part) (out []said) {
	for _, p := range parts {
		switch p := p.(type) {
		case callwright.Text:
			out = append(out, said{"message", p.Text})
		case callwright.Reasoning:
			out = append(out, said{"reasoning", p.Text})
		case callwright.Call:
			out = append(out, said{"function_call", string(p.Arguments)})
		}
	}
	return out
}

// Each item of a stream comes out once and whole, however the server tells its items apart, ends and repeats them; and a client
// of the same API has all of them in the answer that ends its stream.
func TestStreamItemsOnce(t *testing.T) {
	talks := map[string][]said{
		"text":      {{"message", "Hello there."}},
		"call":      {{"function_call", `{"city":"Oslo"}`}},
		"two calls": {{"message", "I look both up."}, {"function_call", `{"city":"Rome"}`}, {"function_call", `{"city":"Oslo"}`}},
		"same call": {{"function_call", `{"city":"Rome"}`}, {"function_call", `{"city":"Rome"}`}},
		"thought":   {{"reasoning", "Let me think."}, {"message", "Done."}, {"function_call", `{"city":"Rome"}`}},
		"two texts": {{"message", "First."}, {"function_call", `{"a":1}`}, {"message", "Second."}},
	}
	for name, items := range talks {
		for _, h := range habits() {
			s := server{habit: h}
			stream := s.write(items)
			came := wiretest.Decode(responses.Codec{}, strings.NewReader(stream))
			if came.Err != nil {
				t.Errorf("%s %+v: %v", name, h, came.Err)
				continue
			}
			if diff := cmp.Diff(items, joinedEvents(t, came.Events), cmp.AllowUnexported(said{})); diff != "" {
				t.Errorf("%s %+v (-want +got):\n%s\n%s", name, h, diff, stream)
				continue
			}
			out := wiretest.EncodeBatches(responses.Codec{}, came.Batches)
			final := finalOutput(t, out)
			if diff := cmp.Diff(items, final, cmp.AllowUnexported(said{})); diff != "" && !(h.repeat == "none" || h.repeat == "calls") {
				t.Errorf("%s %+v, whole answer (-want +got):\n%s\n%s", name, h, diff, out)
			}
		}
	}
}

func joinedEvents(t *testing.T, events []callwright.Event) []said {
	t.Helper()
	resp, err := callwright.Collect(func(yield func(callwright.Event, error) bool) {
		for _, ev := range events {
			if !yield(ev, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return plain(resp.Parts)
}

// finalOutput is what the response object that ends a stream says.
func finalOutput(t *testing.T, stream []byte) []said {
	t.Helper()
	_, last, _ := strings.Cut(string(stream), "event: response.completed\ndata: ")
	var ev struct{ Response json.RawMessage }
	if err := json.NewDecoder(strings.NewReader(last)).Decode(&ev); err != nil {
		t.Fatalf("%v in %s", err, stream)
	}
	resp, err := responses.Codec{}.DecodeResponse(ev.Response)
	if err != nil {
		t.Fatal(err)
	}
	return plain(resp.Parts)
}
