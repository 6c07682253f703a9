package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
)

// A script is a model that gives prepared answers: parts, a text, a response or an error. The last one is given again and again.
type script struct {
	answers []any
	caps    caps.Caps
	name    callwright.ModelID

	mu    sync.Mutex
	asked []*callwright.Request
}

func (s *script) Caps(context.Context) caps.Caps { return s.caps }
func (s *script) ID() callwright.ModelID         { return s.name }

func (s *script) Generate(_ context.Context, req *callwright.Request) (*callwright.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := s.answers[min(len(s.asked), len(s.answers)-1)]
	s.asked = append(s.asked, req)
	usage := callwright.Usage{Known: true, Input: 10, Output: 5}
	switch a := answer.(type) {
	case error:
		return nil, a
	case string:
		return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: a}}, Finish: callwright.FinishStop, Usage: usage, Confidence: 1}, nil
	case []callwright.Part:
		return &callwright.Response{Parts: a, Finish: callwright.FinishCalls, Usage: usage, Confidence: 1}, nil
	case callwright.Response:
		return &a, nil
	}
	panic(fmt.Sprintf("no answer: %T", answer))
}

func (s *script) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		resp, err := s.Generate(ctx, req)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, ev := range resp.Events() {
			if !yield(ev, nil) {
				return
			}
		}
		if resp.NeedsMoreWork != nil {
			yield(callwright.Done{Report: &callwright.Report{Confidence: resp.Confidence}, NeedsMoreWork: resp.NeedsMoreWork}, nil)
		}
	}
}

// calls is an answer that calls tools: pairs of a name and arguments.
func calls(pairs ...string) []callwright.Part {
	var out []callwright.Part
	for i := 0; i+1 < len(pairs); i += 2 {
		out = append(out, callwright.Call{ID: fmt.Sprintf("c%d", i/2), Name: pairs[i], Arguments: json.RawMessage(pairs[i+1])})
	}
	return out
}

const citySchema = `{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}`

// weather is a tool, and the cities for which it was called.
func weather(called *[]string) agent.Tool {
	var mu sync.Mutex
	return agent.Tool{Name: "weather", Description: "Tells the weather.", Schema: json.RawMessage(citySchema), Run: func(_ context.Context, arguments json.RawMessage) (agent.Output, error) {
		var in struct{ City string }
		if err := json.Unmarshal(arguments, &in); err != nil {
			return agent.Output{}, err
		}
		mu.Lock()
		*called = append(*called, in.City)
		mu.Unlock()
		return agent.Output{Data: json.RawMessage(fmt.Sprintf(`{"city":%q,"sky":"clear"}`, in.City))}, nil
	}}
}

// tool is a tool without arguments that does f.
func tool(name string, f func(ctx context.Context) (string, error)) agent.Tool {
	return agent.Tool{Name: name, Description: "Does " + name + ".", Schema: json.RawMessage(`{"type":"object"}`), Run: func(ctx context.Context, _ json.RawMessage) (agent.Output, error) {
		out, err := f(ctx)
		if err != nil {
			return agent.Output{}, err
		}
		data, err := json.Marshal(out)
		return agent.Output{Data: data}, err
	}}
}

// results are what the model was told of its calls, in order: "code: message", or the data.
func results(msgs []callwright.Message) (out []string) {
	for _, m := range msgs {
		for _, p := range m.Parts {
			r, ok := p.(callwright.Result)
			if !ok {
				continue
			}
			var e agent.Envelope
			if err := json.Unmarshal([]byte(r.Text()), &e); err != nil {
				out = append(out, "no envelope: "+r.Text())
				continue
			}
			said := string(e.Data)
			if len(e.Errors) > 0 {
				said = string(e.Errors[0].Code)
			}
			if e.OK == r.IsError || e.OK == (len(e.Errors) > 0) {
				said += " (and its flag says otherwise)"
			}
			out = append(out, said)
		}
	}
	return out
}

// kinds are the kinds of events, repetitions of text left out.
func kinds(events []agent.Event) string {
	var out []string
	for _, ev := range events {
		out = append(out, string(ev.Kind))
	}
	return strings.Join(slices.Compact(out), " ")
}
