package reliable_test

import (
	"context"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A knowing is a scripted that says when it knows something else of itself.
type knowing struct {
	scripted
	known *caps.Caps
}

func (k *knowing) SharedCaps() *caps.Caps         { return k.known }
func (k *knowing) Caps(context.Context) caps.Caps { return *k.known }

// A Client plans each request as a new one would, whatever it planned, learned and was refused before.
func TestPlansAreNeverStale(t *testing.T) {
	unsupported := func(feature callwright.Feature) *callwright.Error {
		return &callwright.Error{Kind: callwright.KindUnsupported, Feature: feature, Status: 400, Message: "no"}
	}
	known := []caps.Caps{{}, {Tools: caps.No}, {JSONSchema: caps.Yes}, {JSONObject: caps.Yes, ToolCallReliable: caps.Yes}}
	facts := []caps.Fact{{Key: "tools", Value: "no"}, {Key: "tools", Value: "yes"}, {Key: "json_schema", Value: "yes"}, {Key: "clean_calls", Value: "20"}, {Key: "choice_forced", Value: "no"},
		{Key: "mode_success", Value: "native=1+0-9 text=9+0-0"}, {Key: "mode_success", Value: "native=9+0-1 text=9+0-0 lead=text before=native since=1700000000000"}}
	answers := []any{goodCall, badCall, spentOnNothing, inHermes, text("Hello."), isDown, noTools, unsupported(feature.ForcedChoice), unsupported(feature.Parallel)}
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(1_700_000_000, 0)
		now := func() time.Time { return at }
		capsStore := caps.NewMemory(now)
		models := []*knowing{{scripted{name: "lab/m"}, &known[0]}, {scripted{name: "lab/n"}, &known[0]}}
		c := func() *reliable.Client {
			opts := []reliable.Option{reliable.WithCapsStore(capsStore), reliable.WithClock(now)}
			if len(models) > 1 {
				opts = append(opts, reliable.WithFallback(models[1]))
			}
			return reliable.New(models[0], opts...)
		}
		models = models[:rapid.IntRange(1, 2).Draw(t, "models")]
		old := c()
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			m := rapid.SampledFrom(models).Draw(t, "model")
			switch rapid.SampledFrom([]string{"learn", "forget", "change", "wait", "ask", "ask", "ask"}).Draw(t, "step") {
			case "learn":
				f := rapid.SampledFrom(facts).Draw(t, "fact")
				f.Source = caps.Learned
				if err := capsStore.Learn(context.Background(), string(m.name), f); err != nil {
					t.Fatal(err)
				}
			case "forget":
				_ = capsStore.Forget(context.Background(), string(m.name), "")
			case "change":
				m.known = new(rapid.SampledFrom(known).Draw(t, "known"))
			case "wait":
				at = at.Add(13 * time.Hour)
			case "ask":
				for _, m := range models {
					m.asked, m.answers = nil, rapid.SliceOfN(rapid.SampledFrom(answers), 6, 6).Draw(t, "answers")
				}
				_, _ = old.Generate(context.Background(), planRequest(t))
			}
			req := planRequest(t)
			got, err := old.Explain(context.Background(), req)
			want, wantErr := c().Explain(context.Background(), req)
			if err != nil || wantErr != nil {
				t.Fatal(err, wantErr)
			}
			if d := cmp.Diff(want.Chain, got.Chain); d != "" {
				t.Fatalf("(-new +old)\n%s", d)
			}
		}
	})
}

func planRequest(t *rapid.T) *callwright.Request {
	req := ask(rapid.SampledFrom([]callwright.Choice{{}, forcedOne}).Draw(t, "choice"))
	req.Params.Format = rapid.SampledFrom([]*callwright.AnswerFormat{nil, nil, {}}).Draw(t, "format")
	if rapid.IntRange(0, 3).Draw(t, "no tools") == 0 {
		req.Tools, req.Params.Choice = nil, callwright.Choice{}
	}
	return req
}
