package reliable_test

import (
	"context"
	"errors"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable"
)

// An answer that comes when its caller has gone is a canceled request, never one that the model failed at: calls are not judged to the end then.
func TestCallerHasGone(t *testing.T) {
	for name, answer := range map[string][]callwright.Event{"a good call": goodCall, "a bad call": badCall, "nothing": onlyThought, "a call in text": inHermes} {
		for _, choice := range []callwright.Choice{{}, forcedOne} {
			ctx, cancel := context.WithCancel(t.Context())
			m := &scripted{name: "lab/m", answers: []any{answer, goodCall, goodCall}}
			client := reliable.New(gone{m, cancel})
			resp, err := client.Generate(ctx, ask(choice))
			switch {
			case err == nil && len(resp.Calls()) == 0:
				t.Errorf("%s: an answer without calls", name)
			case err != nil && (callwright.KindOf(err) != callwright.KindCanceled || !errors.Is(err, context.Canceled)):
				t.Errorf("%s: %v", name, err)
			case len(m.asked) > 1:
				t.Errorf("%s: was asked %d times", name, len(m.asked))
			}
		}
	}
}

// gone is a model whose callers go while it answers.
type gone struct {
	*scripted
	leave func()
}

func (g gone) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	g.leave()
	return g.scripted.Generate(ctx, req)
}
