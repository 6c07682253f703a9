package signature_test

import (
	"strconv"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/restore"
	"github.com/callwright/callwright/signature"
	"github.com/google/go-cmp/cmp"
)

// State is put back whatever a client drops of it: by arguments that it quoted once more, and to each call that came without its own
// where others kept theirs.
func TestRestoreWhatClientsDrop(t *testing.T) {
	origin := callwright.Origin{Wire: callwright.WireGemini}
	call := func(id, args, signature string) callwright.Call {
		return callwright.Call{ID: id, Name: "look", Arguments: []byte(args), Signature: signature, Origin: origin}
	}
	one, two := call("a", `{"n":1}`, "c2lnMQ=="), call("b", `{"n":2}`, "c2lnMg==")
	for name, c := range map[string]struct{ back []callwright.Part }{
		"both as they were, without state": {[]callwright.Part{call("a", `{"n":1}`, ""), call("b", `{"n":2}`, "")}},
		"arguments quoted twice":           {[]callwright.Part{call("a", `"{\"n\":1}"`, ""), call("b", `{ "n" : 2 }`, "")}},
		"the first one kept":               {[]callwright.Part{one, call("b", `{"n":2}`, "")}},
	} {
		t.Run(name, func(t *testing.T) {
			v := signature.NewMemory(nil, signature.Limits{})
			req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("q")}}
			r := restore.NewRecorder(t.Context(), v, req)
			r.Begin("lab/m", caps.HistoryRules{})
			for _, ev := range []callwright.Event{callwright.CallEnd{Index: 0, Call: &one}, callwright.CallEnd{Index: 1, Call: &two}, callwright.End{}} {
				r.Record(ev)
			}
			next := &callwright.Request{Messages: append(req.Messages, callwright.Message{Role: callwright.RoleAssistant, Parts: c.back},
				callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: "a"}, callwright.Result{CallID: "b"}}})}
			if _, err := restore.Signatures(t.Context(), v, next, next.Summaries(), "lab/m"); err != nil {
				t.Fatal(err)
			}
			for i, c := range callwright.CallsOf(next.Messages[1].Parts) {
				if want := []string{one.Signature, two.Signature}[i]; c.Signature != want {
					t.Errorf("call %d has the state %q, not %q", i, c.Signature, want)
				}
			}
		})
	}
}

// turn is a turn of the model with one call.
func turn(c callwright.Call) callwright.Message {
	return callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{c}}
}

func gives(id, text string) callwright.Message {
	return callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: id, Parts: []callwright.Part{callwright.Text{Text: text}}}}}
}

// Clients that hand back no ids get the state of a call by what it says, where it stands; none that may be another's, and none twice.
func TestRestoreWithoutIDs(t *testing.T) {
	said := func(id, args, signature string) callwright.Call {
		return callwright.Call{ID: id, Name: "look", Arguments: []byte(args), Signature: signature, Origin: callwright.Origin{Wire: callwright.WireGemini}}
	}
	type answer struct {
		owner, words string
		call         callwright.Call
		before       []callwright.Message // beside the words of the user
	}
	one := answer{"", "q", said("a", `{"n":1}`, "s1"), nil}
	for name, tc := range map[string]struct {
		kept  []answer
		owner string
		words string
		back  []callwright.Message
		want  []string
	}{
		"no id":                    {[]answer{one}, "", "q", []callwright.Message{turn(said("", `{"n":1}`, "")), gives("", "r")}, []string{"s1"}},
		"an id by its place":       {[]answer{one}, "", "q", []callwright.Message{turn(said("call_1_0", `{ "n": 1 }`, "")), gives("call_1_0", "r")}, []string{"s1"}},
		"an id of another call":    {[]answer{one}, "", "q", []callwright.Message{turn(said("other", `{"n":1}`, "")), gives("other", "r")}, []string{""}},
		"other arguments":          {[]answer{one}, "", "q", []callwright.Message{turn(said("", `{"n":2}`, "")), gives("", "r")}, []string{""}},
		"another place":            {[]answer{one}, "", "p", []callwright.Message{turn(said("", `{"n":1}`, "")), gives("", "r")}, []string{""}},
		"another owner":            {[]answer{one}, "me", "q", []callwright.Message{turn(said("", `{"n":1}`, "")), gives("", "r")}, []string{""}},
		"two answers to one thing": {[]answer{one, {"", "q", said("b", `{"n":1}`, "s2"), nil}}, "", "q", []callwright.Message{turn(said("", `{"n":1}`, "")), gives("", "r")}, []string{""}},
		"an equal call beside one that kept it": {[]answer{one}, "", "q", []callwright.Message{
			{Role: callwright.RoleAssistant, Parts: []callwright.Part{said("", `{"n":1}`, "s1"), said("", `{"n":1}`, "")}}, gives("", "r"), gives("", "r")}, []string{"s1", ""}},
		"two owners": {[]answer{one, {"me", "q", said("b", `{"n":1}`, "s2"), nil}}, "me", "q", []callwright.Message{turn(said("", `{"n":1}`, "")), gives("", "r")}, []string{"s2"}},
		"the call again, elsewhere": {[]answer{one, {"", "q", said("b", `{"n":1}`, "s2"), []callwright.Message{turn(one.call), gives("a", "r")}}}, "", "q",
			[]callwright.Message{turn(said("", `{"n":1}`, "")), gives("", "r"), turn(said("", `{"n":1}`, "")), gives("", "t")}, []string{"s1", "s2"}},
		"the call again, in the same place": {[]answer{{"", "q", said("b", `{"n":1}`, "s2"), []callwright.Message{turn(one.call), gives("a", "r")}}}, "", "q",
			[]callwright.Message{turn(said("", `{"n":1}`, "")), gives("", "r"), turn(said("", `{"n":1}`, "")), gives("", "r"), turn(said("", `{"n":1}`, "")), gives("", "r")}, []string{"", "s2", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			v := signature.NewMemory(nil, signature.Limits{})
			for _, a := range tc.kept {
				req := &callwright.Request{Attached: &companion.Companion{Owner: a.owner}, Messages: append([]callwright.Message{callwright.UserText(a.words)}, a.before...)}
				r := restore.NewRecorder(t.Context(), v, req)
				r.Begin("lab/m", caps.HistoryRules{})
				r.Record(callwright.CallEnd{Call: &a.call})
				r.Record(callwright.End{})
			}
			next := &callwright.Request{Attached: &companion.Companion{Owner: tc.owner}, Messages: append([]callwright.Message{callwright.UserText(tc.words)}, tc.back...)}
			if _, err := restore.Signatures(t.Context(), v, next, next.Summaries(), "lab/m"); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range next.Messages {
				for _, c := range callwright.CallsOf(m.Parts) {
					got = append(got, c.Signature)
				}
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// What is found without ids is bounded on its own: however often a call was made, each is found by its id.
func TestOneCallManyTimes(t *testing.T) {
	m := signature.NewMemory(nil, signature.Limits{})
	call := func(i int) signature.Call {
		return signature.Call{Model: "lab/m", ID: "call_" + strconv.Itoa(i), Tool: "get_weather"}
	}
	for i := range 1000 {
		keep(t, m, call(i), signed(strconv.Itoa(i)))
	}
	for i := range 1000 {
		if d := cmp.Diff([]string{strconv.Itoa(i)}, signatures(t, m, call(i))); d != "" {
			t.Fatalf("call %d (-want +got)\n%s", i, d)
		}
	}
	found := signatures(t, m, oslo.WithoutID(signed("").Arguments))
	if n := len(found); n == 0 || n > 100 || found[n-1] != "999" {
		t.Errorf("without an id %d states are found: %v", n, found)
	}
	small := signature.NewMemory(nil, signature.Limits{Entries: 3})
	for i := range 10 {
		keep(t, small, call(i), signed(strconv.Itoa(i)))
	}
	if d := cmp.Diff([]string{"7", "8", "9"}, signatures(t, small, oslo.WithoutID(signed("").Arguments))); d != "" {
		t.Errorf("in a vault of three (-want +got)\n%s", d)
	}
}
