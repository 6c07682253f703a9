package directive_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/directive"
	"github.com/callwright/callwright/internal/feature"
	"github.com/google/go-cmp/cmp"
)

// What cannot be asked is an error of the turn.
func TestUnfit(t *testing.T) {
	reg := registry(t)
	formed := ask()
	formed.Params.Format = &callwright.AnswerFormat{}
	for name, c := range map[string]struct {
		client *directive.Client
		req    *callwright.Request
	}{
		"no model":    {directive.New(nil, reg), ask()},
		"no registry": {directive.New(&script{}, nil), ask()},
		"no request":  {directive.New(&script{}, reg), nil},
		"a form":      {directive.New(&script{}, reg), formed},
		"a mode":      {directive.New(&script{}, reg, directive.WithModes("xml")), ask()},
	} {
		for _, way := range ways {
			if turn, _, err := asking(t, c.client, c.req, way); callwright.KindOf(err) != callwright.KindInvalid || turn != nil {
				t.Errorf("%s/%s: got %+v, %v", name, way, turn, err)
			}
		}
	}
}

// A broken is a model whose streams break off after some events, or have no end; its answers are nil.
type broken struct {
	script
	events []callwright.Event
	err    error
	taken  int
}

func (b *broken) Generate(context.Context, *callwright.Request) (*callwright.Response, error) {
	return nil, b.err
}

func (b *broken) Stream(context.Context, *callwright.Request) iter.Seq2[callwright.Event, error] {
	return b.play
}

func (b *broken) play(yield func(callwright.Event, error) bool) {
	for _, ev := range b.events {
		b.taken++
		if !yield(ev, nil) {
			return
		}
	}
	if b.err != nil {
		yield(nil, b.err)
	}
}

var begun = []callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: `{"assistant_text":"Hel`}, callwright.TextDelta{Text: `lo"`}}

func TestBrokenModels(t *testing.T) {
	down := &callwright.Error{Kind: callwright.KindUnavailable}
	for name, c := range map[string]struct {
		err  error
		want callwright.Kind
		way  string
		text string
	}{
		"breaks":               {down, callwright.KindUnavailable, "streamed", "Hello"},
		"refuses after text":   {refusal(feature.ResponseFormat), callwright.KindUnsupported, "streamed", "Hello"},
		"has no end":           {nil, callwright.KindTruncated, "streamed", "Hello"},
		"gives nothing":        {nil, callwright.KindBadAnswer, "whole", ""},
		"gives only its error": {down, callwright.KindUnavailable, "whole", ""},
	} {
		m := &broken{events: begun, err: c.err}
		_, events, err := asking(t, directive.New(m, registry(t)), ask(), c.way)
		var text strings.Builder
		for _, ev := range events {
			text.WriteString(ev.Text)
		}
		if callwright.KindOf(err) != c.want || text.String() != c.text {
			t.Errorf("%s: got %q, %v", name, text.String(), err)
		}
	}
}

// Whoever stops taking events ends the stream of the model, and nothing more is asked.
func TestStopped(t *testing.T) {
	m := &broken{events: append(begun, callwright.End{})}
	for range directive.New(m, registry(t), directive.WithCorrection()).Stream(t.Context(), ask()) {
		break
	}
	if m.taken != 2 {
		t.Errorf("%d events were taken", m.taken)
	}
	s := &script{answers: []any{`{"assistant_text":"A","directives":[{"type":"x"}]}`, plainAnswer}}
	for ev := range directive.New(s, registry(t), directive.WithCorrection()).Stream(t.Context(), ask()) {
		if ev.Kind == directive.EventDropped {
			break
		}
	}
	if len(s.asked) != 1 {
		t.Errorf("asked %d times", len(s.asked))
	}
}

// The message of a turn is what the model wrote, or the document that was read in it.
func TestMessage(t *testing.T) {
	call := callwright.Call{ID: "c", Name: "get_weather", Arguments: []byte(`{}`)}
	think := callwright.Reasoning{Text: "hm", Signature: "s"}
	text := func(s string) callwright.Part { return callwright.Text{Text: s} }
	read := `{"assistant_text":"Here.","directives":[{"type":"save","payload":{}}]}`
	for name, c := range map[string]struct{ answer, want []callwright.Part }{
		"as asked for":         {[]callwright.Part{think, text("\n" + plainAnswer), call}, []callwright.Part{think, text("\n" + plainAnswer), call}},
		"something was mended": {[]callwright.Part{think, text("```\n"), text(plainAnswer), call, text("\n```")}, []callwright.Part{think, text(read), call}},
		"something was left out": {[]callwright.Part{text(`{"assistant_text":"Here.","directives":[` + saves + `,{"type":"x"}]}`), call},
			[]callwright.Part{text(read), call}},
		"plain text":    {[]callwright.Part{text("He said \"no\".")}, []callwright.Part{text(`{"assistant_text":"He said \"no\".","directives":[]}`)}},
		"calls alone":   {[]callwright.Part{think, call}, []callwright.Part{think, call}},
		"nothing right": {[]callwright.Part{text(`{"assistant_text":"","directives":[{"type":"x"}]}`), call}, []callwright.Part{call}},
	} {
		for _, way := range ways {
			turn, _, err := asking(t, directive.New(&script{answers: []any{c.answer}}, registry(t)), ask(), way)
			if err != nil {
				t.Fatal(err)
			}
			msg := turn.Message()
			if d := cmp.Diff(joined(c.want), joined(msg.Parts)); d != "" || msg.Role != callwright.RoleAssistant {
				t.Errorf("%s/%s (-want +got)\n%s", name, way, d)
			}
		}
	}
	alone := registry(t).Read(plainAnswer, callwright.FinishStop)
	if got := callwright.TextOf(alone.Message().Parts); got != read {
		t.Errorf("got %s", got)
	}
}

// joined are parts with texts on end as one, as a stream has them.
func joined(parts []callwright.Part) []callwright.Part {
	var out []callwright.Part
	for _, p := range parts {
		t, ok := p.(callwright.Text)
		if n := len(out) - 1; ok && n >= 0 {
			if before, ok := out[n].(callwright.Text); ok {
				out[n] = callwright.Text{Text: before.Text + t.Text}
				continue
			}
		}
		out = append(out, p)
	}
	return out
}

// Turns of many goroutines do not disturb each other.
func TestConcurrentTurns(t *testing.T) {
	client := directive.New(&steady{}, registry(t))
	done := make(chan string)
	for i := range 16 {
		go func() {
			turn, _, err := asking(t, client, ask(), ways[i%2])
			if err != nil {
				done <- err.Error()
				return
			}
			done <- strings.Join(gist(turn), "\n")
		}()
	}
	for range 16 {
		if got := <-done; got != "text Here.\n"+saved {
			t.Errorf("got %s", got)
		}
	}
}

// A steady is a model that refuses a schema and otherwise always gives one answer.
type steady struct{}

func (steady) Generate(_ context.Context, req *callwright.Request) (*callwright.Response, error) {
	if f := req.Params.Format; f != nil && f.Schema != nil {
		return nil, refusal(feature.ResponseFormat)
	}
	return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: plainAnswer}}, Finish: callwright.FinishStop}, nil
}

func (s steady) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return played(10)(s.Generate(ctx, req))
}
