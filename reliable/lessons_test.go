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
	return callwright.FlattenBatches(m.Batches(ctx, req))
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

// wireModels returns a model of each API.
func wireModels(t *testing.T) []*provider.Remote {
	t.Helper()
	var models []*provider.Remote
	for _, c := range codecs.All() {
		p, err := provider.New(provider.Config{Name: "lab", Wire: c.Name(), BaseURL: "http://127.0.0.1:1"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		models = append(models, p.Model("m"))
	}
	return models
}

// A lessonCase is a request whose refusals may teach facts.
type lessonCase struct {
	refused []callwright.Feature // in the order of the refusals
	quoted  []callwright.Feature // the refusals that the client's own text repeats
	answer  []callwright.Event   // after the refusals; nil for an error
	way     string               // a key of deliveries
}

// learn runs the case and returns the learned facts about features. It checks that no refused request is sent again, and that a fact
// is learned only from a refusal that was followed by an answer, and whose words are not the client's own.
func (c lessonCase) learn(t interface{ Fatalf(string, ...any) }, remote *provider.Remote) []caps.Fact {
	m := &codecModel{Remote: remote}
	refused := map[callwright.Feature]bool{}
	for _, f := range c.refused {
		m.steps, refused[f] = append(m.steps, refusing(f, refusals[f])), true
	}
	if c.answer != nil {
		m.steps = append(m.steps, c.answer)
	}
	said := "Weather in Oslo?"
	for _, f := range c.quoted {
		said += " They say: " + strings.ToUpper(refusals[f]) + "."
	}
	req := ask(callwright.Choice{})
	yes := true
	req.Messages = []callwright.Message{callwright.SystemText("A."), callwright.UserText(said), callwright.SystemText("B.")}
	req.Params.Temperature, req.Params.Seed, req.Params.Parallel, req.Params.Thinking.Effort = "1", "7", &yes, "low"
	store := caps.NewMemory(nil)
	resp, err := deliveries[c.way](reliable.New(m, reliable.WithCapsStore(store)), req)
	for i, b := range m.bodies {
		if slices.Contains(m.bodies[:min(i, len(c.refused))], b) {
			t.Fatalf("refused and sent again: %s", b)
		}
	}
	facts, _ := store.Facts(context.Background(), "lab/m")
	facts = slices.DeleteFunc(facts, func(f caps.Fact) bool {
		return slices.Contains([]string{"clean_calls", "text_calls", "needs_help"}, f.Key)
	})
	for _, fact := range facts {
		if err != nil || c.answer == nil || !taughtBy(fact.Key, refused, said) {
			t.Fatalf("%s=%s was learned; answered: %t, the client said %q, the answer is %v, %v", fact.Key, fact.Value, c.answer != nil, said, resp, fmt.Sprint(err))
		}
	}
	return facts
}

// The properties of lessonCase.learn hold over every API, whole and streamed, for any refusals and answers.
func TestLessonsOfAnyRefusals(t *testing.T) {
	models := wireModels(t)
	var features []callwright.Feature
	for f := range refusals {
		features = append(features, f)
	}
	slices.Sort(features)
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom(models).Draw(t, "wire")
		var c lessonCase
		for range rapid.IntRange(1, 4).Draw(t, "refusals") {
			f := rapid.SampledFrom(features).Draw(t, "feature")
			if c.refused = append(c.refused, f); rapid.Bool().Draw(t, "the client says it") {
				c.quoted = append(c.quoted, f)
			}
		}
		if rapid.Bool().Draw(t, "answered") {
			c.answer = rapid.SampledFrom([][]callwright.Event{goodCall, inHermes, text("Cold.")}).Draw(t, "answer")
		}
		c.way = rapid.SampledFrom([]string{"whole", "streamed"}).Draw(t, "way")
		c.learn(t, m)
	})
}

// A refusal teaches its fact over every API, whole and streamed, when the changed request is answered and the client did not say the
// words of the refusal.
func TestLessonOfARefusal(t *testing.T) {
	const f = feature.Tools
	for _, m := range wireModels(t) {
		for way := range deliveries {
			for name, c := range map[string]struct {
				lessonCase
				learned string
			}{
				"answered":     {lessonCase{refused: []callwright.Feature{f}, answer: inHermes}, "tools=no"},
				"not answered": {lessonCase{refused: []callwright.Feature{f}}, ""},
				"quoted":       {lessonCase{refused: []callwright.Feature{f}, quoted: []callwright.Feature{f}, answer: inHermes}, ""},
			} {
				t.Run(string(m.Provider().Wire())+"/"+way+"/"+name, func(t *testing.T) {
					c.way = way
					got := ""
					for _, fact := range c.learn(t, m) {
						got += fact.Key + "=" + fact.Value
					}
					if got != c.learned {
						t.Errorf("got %q, want %q", got, c.learned)
					}
				})
			}
		}
	}
}
