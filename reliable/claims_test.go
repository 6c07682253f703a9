package reliable_test

import (
	"context"
	"iter"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/claim"
	"github.com/callwright/callwright/reliable"
)

// A speaker answers each request with a text, whole and in pieces.
type speaker string

func (s speaker) Generate(context.Context, *callwright.Request) (*callwright.Response, error) {
	return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: string(s)}}, Finish: callwright.FinishStop}, nil
}

func (s speaker) Stream(context.Context, *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		if !yield(callwright.Begin{}, nil) || !yield(callwright.TextBegin{}, nil) {
			return
		}
		for i := range len(s) {
			if !yield(callwright.TextDelta{Text: string(s[i : i+1])}, nil) {
				return
			}
		}
		yield(callwright.End{Finish: callwright.FinishStop}, nil)
	}
}

// claimNotes are the notes of a report about claims.
func claimNotes(rep *callwright.Report) (out []callwright.Note) {
	for _, n := range rep.Notes {
		if n.Rule == claim.Rule {
			out = append(out, n)
		}
	}
	return out
}

// A claim that no call supports is noted, whole and in a stream, and the answer stays as it is. The answer is no
// healed one, and counts as untouched as it would without the note.
func TestClaimIsNoted(t *testing.T) {
	const text = "I have updated the file a.go."
	req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("Update a.go.")}, Tools: []callwright.Tool{{Name: "write_file"}}}
	for name, c := range map[string]struct {
		opts []reliable.Option
		want int
	}{
		"heal":         {nil, 1},
		"strict":       {[]reliable.Option{reliable.WithPolicy(callwright.PolicyStrict)}, 1},
		"observe":      {[]reliable.Option{reliable.WithPolicy(callwright.PolicyObserve)}, 1},
		"off":          {[]reliable.Option{reliable.WithPolicy(callwright.PolicyOff)}, 0},
		"switched off": {[]reliable.Option{reliable.WithRules(map[string]bool{claim.Rule: false})}, 0},
	} {
		client := reliable.New(speaker(text), c.opts...)
		resp, err := client.Generate(t.Context(), req)
		if err != nil || resp.Text() != text {
			t.Fatalf("%s: %+v, %v", name, resp, err)
		}
		check := func(way string, rep *callwright.Report) {
			notes := claimNotes(rep)
			if len(notes) != c.want {
				t.Errorf("%s, %s: %+v", name, way, rep.Notes)
			}
			for _, n := range notes {
				if n.Risk != "" || n.Fault != "" || n.Was != text || n.Call != "write_file" || n.Why != "done: nothing was called" {
					t.Errorf("%s, %s: %+v", name, way, n)
				}
			}
		}
		check("whole", resp.Report)
		said := ""
		for ev, err := range client.Stream(t.Context(), req) {
			switch ev := ev.(type) {
			case callwright.TextDelta:
				said += ev.Text
			case callwright.Done:
				check("stream", ev.Report)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if said != text {
			t.Errorf("%s: %q", name, said)
		}
	}
}

// An answer whose claims its calls support, and one without any, have no note.
func TestSupportedClaimIsNotNoted(t *testing.T) {
	call := callwright.Call{ID: "c1", Name: "write_file", Arguments: []byte(`{}`)}
	req := &callwright.Request{Tools: []callwright.Tool{{Name: "write_file"}}, Messages: []callwright.Message{callwright.UserText("Update a.go."),
		{Role: callwright.RoleAssistant, Parts: []callwright.Part{call}}, callwright.ToolResult(call, "ok")}}
	resp, err := reliable.New(speaker("I have updated the file a.go.")).Generate(t.Context(), req)
	if err != nil || len(claimNotes(resp.Report)) != 0 {
		t.Errorf("%+v, %v", resp, err)
	}
}
