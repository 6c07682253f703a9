package reliable_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"pgregory.net/rapid"
)

// A codecModel is a model behind a codec that refuses, fails or answers in turn, and keeps the bytes that it was asked with.
type codecModel struct {
	*provider.Remote
	steps  []any // a *callwright.Error each, or the events of an answer
	bodies []string
}

func (m *codecModel) next(ctx context.Context, req *callwright.Request) ([]callwright.Event, error) {
	pre, err := m.Preview(ctx, req)
	if err != nil {
		return nil, err
	}
	m.bodies = append(m.bodies, string(pre.Body))
	if len(m.bodies) > len(m.steps) {
		return nil, &callwright.Error{Kind: callwright.KindInvalid, Message: "asked too often"}
	}
	switch step := m.steps[len(m.bodies)-1].(type) {
	case *callwright.Error:
		return nil, step
	case []callwright.Event:
		return step, nil
	}
	panic("a step is an error or events")
}

func (m *codecModel) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	return callwright.Collect(m.Stream(ctx, req))
}

func (m *codecModel) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.Unbatched(m.Batches(ctx, req))
}

func (m *codecModel) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	return func(yield func(callwright.Batch, error) bool) {
		events, err := m.next(ctx, req)
		for _, b := range batchesOf(events) {
			if !yield(b, nil) {
				return
			}
		}
		if err != nil {
			yield(callwright.Batch{}, err)
		}
	}
}

// refusals are features that a provider may refuse, with the words for it.
var refusals = map[callwright.Feature]string{
	feature.Tools: "this model does not support tools", feature.Choice: "tool_choice is not supported", feature.ForcedChoice: "tool_choice required is not supported",
	feature.Parallel: "parallel_tool_calls is not supported", feature.ResponseFormat: "response_format is not supported", feature.Strict: "strict is not supported",
	feature.Reasoning: "this model does not support thinking", feature.DeveloperRole: "unknown role developer", feature.SystemMessages: "only one system message is allowed",
	feature.Field + "temperature": "temperature is not supported", feature.Field + "seed": "seed is not supported", feature.Images: "image input is not supported",
	feature.MaxTools + ":0": "too many tools", feature.NullContent: "content must not be null", feature.StreamOptions: "stream_options is not supported",
}

// taughtBy reports whether one of the refused features teaches a fact, and not the words of the client.
func taughtBy(key string, refused map[callwright.Feature]bool, said string) bool {
	for f := range refused {
		taught, ok := feature.FactOf(f, caps.Caps{})
		inMode := f == feature.ResponseFormat && key == "json_object" // the form that the mode asked for
		if (ok && taught.Key == key || inMode) && !strings.Contains(strings.ToLower(said), refusals[f]) {
			return true
		}
	}
	return false
}

// Over every API, whole and streamed, however a provider refuses, fails and answers: a refused request is not sent again, and a fact is
// learned only from a refusal that was followed by an answer, and whose words are not the client's own.
func TestLessonsOfAnyRefusals(t *testing.T) {
	var models []*provider.Remote
	for _, c := range codecs.All() {
		p, err := provider.New(provider.Config{Name: "lab", Wire: c.Name(), BaseURL: "http://127.0.0.1:1"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		models = append(models, p.Model("m"))
	}
	var features []callwright.Feature
	for f := range refusals {
		features = append(features, f)
	}
	slices.Sort(features)
	learned := 0
	rapid.Check(t, func(t *rapid.T) {
		m := &codecModel{Remote: rapid.SampledFrom(models).Draw(t, "wire")}
		said, answered, refused := "Weather in Oslo?", false, map[callwright.Feature]bool{}
		times := rapid.IntRange(1, 4).Draw(t, "refusals")
		for range times {
			f := rapid.SampledFrom(features).Draw(t, "feature")
			m.steps = append(m.steps, refusing(f, refusals[f]))
			if refused[f] = true; rapid.Bool().Draw(t, "the client says it") {
				said += " They say: " + strings.ToUpper(refusals[f]) + "."
			}
		}
		if answered = rapid.Bool().Draw(t, "answered"); answered {
			m.steps = append(m.steps, rapid.SampledFrom([][]callwright.Event{goodCall, inHermes, text("Cold.")}).Draw(t, "answer"))
		}
		req := ask(callwright.Choice{})
		yes := true
		req.Messages = []callwright.Message{callwright.SystemText("A."), callwright.UserText(said), callwright.SystemText("B.")}
		req.Params.Temperature, req.Params.Seed, req.Params.Parallel, req.Params.Thinking.Effort = "1", "7", &yes, "low"
		shelf := caps.NewMemory(nil)
		way := rapid.SampledFrom([]string{"whole", "streamed"}).Draw(t, "way")
		resp, err := deliveries[way](reliable.New(m, reliable.WithCapsStore(shelf)), req)
		for i, b := range m.bodies {
			if slices.Contains(m.bodies[:min(i, times)], b) {
				t.Fatalf("refused and sent again: %s", b)
			}
		}
		facts, _ := shelf.Facts(context.Background(), "lab/m")
		for _, fact := range facts {
			switch fact.Key {
			case "clean_calls", "text_calls", "needs_help":
				continue
			}
			learned++
			if err != nil || !answered || !taughtBy(fact.Key, refused, said) {
				t.Fatalf("%s=%s was learned; answered: %t, the client said %q, the answer is %v, %v", fact.Key, fact.Value, answered, said, resp, fmt.Sprint(err))
			}
		}
	})
	if learned == 0 && !testing.Short() { // few draws may all be without a lesson
		t.Error("nothing was ever learned")
	}
}
