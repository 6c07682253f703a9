package statetool_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/workspace"
	"github.com/callwright/callwright/workspace/statetool"
)

const id workspace.ID = "ws_letter"

var person = workspace.Author{Actor: workspace.Person}

// letter is an editor with a workspace whose title is locked.
func letter(t testing.TB, l workspace.Limits) *workspace.Editor {
	t.Helper()
	e := workspace.NewEditor(workspace.NewMemory(), workspace.WithLimits(l))
	_, err := e.Create(t.Context(), workspace.Origin{ID: id, By: person, Facts: json.RawMessage(`{"name":"Ada"}`),
		Draft: json.RawMessage(`{"title":"Offer","items":[{"price":9007199254740993}],"note":"<é>"}`)})
	if err == nil {
		_, err = e.Edit(t.Context(), id, workspace.Edit{Kind: workspace.Lock, By: person, Path: "/title"})
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// newest is the workspace as it is.
func newest(t testing.TB, e *workspace.Editor) *workspace.State {
	t.Helper()
	st, err := e.Store().Load(t.Context(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// A script is a model that makes prepared calls, one after the other, and then says that it is done.
type script [][2]string

func (s script) Generate(_ context.Context, req *callwright.Request) (*callwright.Response, error) {
	turn := 0
	for _, m := range req.Messages {
		if m.Role == callwright.RoleAssistant {
			turn++
		}
	}
	if turn >= len(s) {
		return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: "Done."}}, Finish: callwright.FinishStop}, nil
	}
	call := callwright.Call{ID: strings.Repeat("c", turn+1), Name: s[turn][0], Arguments: json.RawMessage(s[turn][1])}
	return &callwright.Response{Parts: []callwright.Part{call}, Finish: callwright.FinishCalls}, nil
}

func (s script) Stream(context.Context, *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) { yield(nil, errors.New("it answers whole")) }
}

// envelopes are what the model was told of its calls.
func envelopes(t testing.TB, messages []callwright.Message) (out []agent.Envelope) {
	t.Helper()
	for _, m := range messages {
		for _, p := range m.Parts {
			if r, ok := p.(callwright.Result); ok {
				var e agent.Envelope
				if err := json.Unmarshal([]byte(r.Text()), &e); err != nil {
					t.Fatalf("%s: %v", r.Text(), err)
				}
				out = append(out, e)
			}
		}
	}
	return out
}

// toolError has a model make one call, and returns what it is told.
func toolError(t *testing.T, e *workspace.Editor, name, arguments string, opts ...statetool.Option) agent.Envelope {
	t.Helper()
	a := agent.New(script{{name, arguments}}, agent.Tools(statetool.Tools(e, id, opts...)...), agent.WithFailures(agent.FailuresTolerated))
	res, _ := a.Run(t.Context(), callwright.UserText("Edit it.")) // a run whose only call fails ends with an error
	list := envelopes(t, res.Messages)
	if len(list) != 1 {
		t.Fatalf("%s %s: told %v", name, arguments, list)
	}
	return list[0]
}

func TestGet(t *testing.T) {
	e := letter(t, workspace.Limits{})
	if _, err := e.Edit(t.Context(), id, workspace.Edit{Kind: workspace.ProposeFacts, By: person, Patch: json.RawMessage(`{"age":36}`), Why: "it says so"}); err != nil {
		t.Fatal(err)
	}
	const draft = `{"title":"Offer","items":[{"price":9007199254740993}],"note":"<é>"}`
	for arguments, want := range map[string]string{
		`{}`: `{"workspace_id":"ws_letter","version":3,"draft":` + draft + `,"facts":{"name":"Ada"},"locks":["/title"],"proposals":[{"id":"p3","patch":{"age":36},"why":"it says so"}]}`,
		`{"workspace_id":"ws_letter","path":"/items/0/price"}`: `{"version":3,"of":"draft","path":"/items/0/price","value":9007199254740993}`,
		`{"path":""}`:                 `{"version":3,"of":"draft","path":"","value":` + draft + `}`,
		`{"of":"facts"}`:              `{"version":3,"of":"facts","path":"","value":{"name":"Ada"}}`,
		`{"of":"ui","path":""}`:       `{"version":3,"of":"ui","path":"","value":null}`,
		`{"of":"draft"}`:              `{"version":3,"of":"draft","path":"","value":` + draft + `}`,
		`{"path":"/note"}`:            `{"version":3,"of":"draft","path":"/note","value":"<é>"}`,
		`{"of":null,"path":"/title"}`: `INVALID_ARGUMENTS`,
	} {
		got := toolError(t, e, statetool.Get, arguments)
		said := string(got.Data)
		if !got.OK {
			said = string(got.Errors[0].Code)
		}
		if said != want {
			t.Errorf("%s: expected\n%s\ngot\n%s %v", arguments, want, said, got.Errors)
		}
	}
}

// A model that asks for too much is told which parts there are.
func TestGetTooMuch(t *testing.T) {
	e := letter(t, workspace.Limits{})
	fill := `{"big":[` + strings.Repeat(`"0123456789",`, 30) + `{"x/y":1}],"long":"` + strings.Repeat("x", 300) + `"}`
	if _, err := e.Edit(t.Context(), id, workspace.Edit{Kind: workspace.PatchDraft, By: person, Patch: json.RawMessage(fill)}); err != nil {
		t.Fatal(err)
	}
	for arguments, want := range map[string]string{
		`{}`:                          `the workspace has 892 bytes, the draft 786 and the facts 14 of them; ask for a part by its path: /title (string, 7 bytes), /items (array, 28 bytes), /note (string, 6 bytes), /big (array, 401 bytes), /long (string, 302 bytes)`,
		`{"path":"/big"}`:             `"/big" of the draft has 401 bytes; ask for a part by its path: /big/0 (string, 12 bytes), `,
		`{"path":"/long"}`:            `"/long" of the draft has 302 bytes, and has no parts to ask for`,
		`{"path":"/big/30"}`:          ``,
		`{"of":"facts"}`:              ``,
		`{"of":"facts","path":"/no"}`: `the document is an object without a member "no"; it has: "name"`,
	} {
		got := toolError(t, e, statetool.Get, arguments, statetool.WithMaxOutput(200))
		switch {
		case want == "" && !got.OK, want != "" && (got.OK || !strings.HasPrefix(got.Errors[0].Message, want)):
			t.Errorf("%s: expected %q, got %s, %v", arguments, want, got.Data, got.Errors)
		case strings.Contains(want, "ask for") && got.Errors[0].Code != agent.CodeOutputTooLarge:
			t.Errorf("%s: got %v", arguments, got.Errors)
		}
	}
}

// Each way to go wrong has a code, a path into the arguments, and words that say how to go right.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ name, tool, arguments, code, path, says string }{
		{"a path that is not there", statetool.Patch, `{"patch":[{"op":"test","path":"","value":{}},{"op":"remove","path":"/titel"}]}`, "TEST_FAILED", "/patch/0/value", ""},
		{"a name that is spelt wrong", statetool.Patch, `{"patch":[{"op":"add","path":"/a","value":1},{"op":"replace","path":"/titel","value":1}]}`, "PATH_NOT_FOUND", "/patch/1/path", `did you mean "/title"?`},
		{"a path from the workspace", statetool.Patch, `{"patch":[{"op":"add","path":"/draft/a","value":1}]}`, "PATH_NOT_FOUND", "/patch/0/path", `paths begin inside of the draft, so write "/a" in place of "/draft/a"`},
		{"a path below a string", statetool.Patch, `{"patch":[{"op":"add","path":"/title/a","value":1}]}`, "WRONG_TYPE", "/patch/0/path", `"/title" is a string, which has nothing below it`},
		{"an index that is too large", statetool.Patch, `{"patch":[{"op":"replace","path":"/items/1","value":1}]}`, "INVALID_INDEX", "/patch/0/path", "expected the index 0"},
		{"a source that is not there", statetool.Patch, `{"patch":[{"op":"copy","from":"/x","path":"/y"}]}`, "PATH_NOT_FOUND", "/patch/0/from", ""},
		{"no source", statetool.Patch, `{"patch":[{"op":"copy","path":"/y"}]}`, "INVALID_PATCH", "/patch/0", `copy needs "from"`},
		{"no value", statetool.Patch, `{"patch":[{"op":"add","path":"/y"}]}`, "INVALID_PATCH", "/patch/0", `add needs a "value", which may be null`},
		{"a large patch", statetool.Patch, `{"patch":{"a":"` + strings.Repeat("x", 400) + `"}}`, "TOO_LARGE", "/patch", "the patch has 408 bytes, and 300 are taken; make several smaller ones"},
		{"a large document", statetool.Patch, `{"patch":[{"op":"copy","from":"","path":"/a"},{"op":"copy","from":"","path":"/b"},{"op":"copy","from":"","path":"/c"},{"op":"copy","from":"","path":"/d"}]}`, "TOO_LARGE", "/patch/2", "the document would have"},
		{"a locked path", statetool.Patch, `{"patch":[{"op":"add","path":"/a","value":1},{"op":"replace","path":"/title","value":"X"}]}`, "LOCKED", "/patch/1", `"/title" is locked by a person`},
		{"a locked path in a merge", statetool.Patch, `{"patch":{"note":"","title":null}}`, "LOCKED", "/patch/title", "leave it as it is where it is, or ask the person to unlock it"},
		{"an old version", statetool.Patch, `{"patch":{"a":1},"base_version":1}`, "CONFLICT", "/base_version", "the workspace is at version 2 by now"},
		{"another workspace", statetool.Patch, `{"patch":{"a":1},"workspace_id":"ws_other"}`, "INVALID_ARGUMENTS", "/workspace_id", `this workspace is "ws_letter"; leave workspace_id out, and it is filled in`},
		{"another workspace's facts", statetool.Propose, `{"patch":{"a":1},"workspace_id":"ws_other"}`, "INVALID_ARGUMENTS", "/workspace_id", ""},
		{"another workspace's draft", statetool.Get, `{"workspace_id":"ws_other"}`, "INVALID_ARGUMENTS", "/workspace_id", ""},
		{"no patch", statetool.Patch, `{}`, "INVALID_ARGUMENTS", "", "patch"},
		{"a patch in a string", statetool.Patch, `{"patch":"[]"}`, "INVALID_ARGUMENTS", "/patch", ""},
		{"an operation that there is not", statetool.Patch, `{"patch":[{"op":"put","path":"/a","value":1}]}`, "INVALID_ARGUMENTS", "/patch/0/op", ""},
		{"an argument that there is not", statetool.Patch, `{"patch":{},"force":true}`, "INVALID_ARGUMENTS", "/force", "want only the members"},
		{"a name twice", statetool.Patch, `{"patch":[{"op":"add","path":"/a","value":{"b":1,"b":2}}]}`, "DUPLICATE_MEMBER", "/patch/0/value/b", ""},
		{"facts that are not there", statetool.Propose, `{"patch":[{"op":"replace","path":"/facts/name","value":1}]}`, "PATH_NOT_FOUND", "/patch/0/path", `so write "/name"`},
		{"facts that are no object", statetool.Propose, `{"patch":[{"op":"replace","path":"","value":1}]}`, "WRONG_TYPE", "", "the facts would be 1"},
		{"a path to read that is not there", statetool.Get, `{"path":"/items/7"}`, "INVALID_INDEX", "/path", "expected the index 0"},
		{"a long path from the workspace", statetool.Get, `{"path":"/draft/` + strings.Repeat("x", 400) + `"}`, "PATH_NOT_FOUND", "/path", `x…" in place of "/draft/x`},
		{"a path to read that is none", statetool.Get, `{"path":"title"}`, "INVALID_POINTER", "/path", "such as /title"},
		{"a commit", "facts_commit", `{"proposal":"p1"}`, "NOT_ALLOWED", "", "only a person may use facts_commit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := letter(t, workspace.Limits{Patch: 300, Document: 300})
			was := newest(t, e)
			got := toolError(t, e, c.tool, c.arguments)
			if got.OK || len(got.Errors) == 0 || string(got.Errors[0].Code) != c.code || got.Errors[0].Path != c.path || !strings.Contains(got.Errors[0].Message, c.says) {
				t.Errorf("expected %s at %q with %q, got %+v", c.code, c.path, c.says, got)
			}
			if is := newest(t, e); is.Version != was.Version {
				t.Errorf("the workspace went on to version %d", is.Version)
			}
		})
	}
}

// In a strict setting the workspace has to be named.
func TestStrict(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"patch":{"a":1}}`:                             `workspace_id is needed; this workspace is "ws_letter"`,
		`{"patch":{"a":1},"workspace_id":""}`:           `workspace_id is needed; this workspace is "ws_letter"`,
		`{"patch":{"a":1},"workspace_id":"ws_other"}`:   `this workspace is "ws_letter"`,
		`{"patch":{"a":1},"workspace_id":"WS_LETTER"}`:  `this workspace is "ws_letter"`,
		`{"patch":{"a":1},"workspace_id":"ws_letter "}`: `this workspace is "ws_letter"`,
		`{"patch":{"a":1},"workspace_id":"ws_letter"}`:  ``,
	} {
		got := toolError(t, letter(t, workspace.Limits{}), statetool.Patch, arguments, statetool.Strict())
		if got.OK != (want == "") || !got.OK && (got.Errors[0].Message != want || got.Errors[0].Path != "/workspace_id") {
			t.Errorf("%s: expected %q, got %+v", arguments, want, got)
		}
	}
}

// What a model does stands in the history with the run in which it did it, and what it proposes waits for a person.
func TestHistory(t *testing.T) {
	e := letter(t, workspace.Limits{})
	calls := script{
		{statetool.Patch, `{"patch":{"note":null},"why":"it is empty","base_version":2}`},
		{statetool.Propose, `{"patch":[{"op":"add","path":"/born","value":1815}],"why":"it says so"}`},
	}
	res, err := agent.New(calls, agent.Tools(statetool.Tools(e, id)...)).Run(t.Context(), callwright.UserText("Edit it."))
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, e := range envelopes(t, res.Messages) {
		said = append(said, string(e.Data))
	}
	if want := []string{`{"version":3}`, `{"version":4,"proposal":"p4","status":"waits for the person; the facts have not changed"}`}; !slices.Equal(said, want) {
		t.Errorf("told %q", said)
	}
	history, err := e.Store().History(t.Context(), id)
	if err != nil || len(history) != 4 {
		t.Fatalf("got %v, %v", history, err)
	}
	for i, want := range map[int]string{2: "it is empty", 3: "it says so"} {
		if h := history[i]; h.Why != want || h.By != (workspace.Author{Actor: workspace.Model, Name: string(res.ID)}) || h.Base != uint64(i) {
			t.Errorf("got the entry %+v", h)
		}
	}
	st := newest(t, e)
	if string(st.Facts) != `{"name":"Ada"}` || len(st.Proposals) != 1 || string(st.Draft) != `{"title":"Offer","items":[{"price":9007199254740993}]}` {
		t.Errorf("got %+v", st)
	}
}

// A workspace that is not there is told, and one that cannot be read fails the call alone.
func TestNoWorkspace(t *testing.T) {
	e := workspace.NewEditor(workspace.NewMemory())
	for _, c := range [][2]string{{statetool.Get, `{}`}, {statetool.Patch, `{"patch":{}}`}} {
		got := toolError(t, e, c[0], c[1])
		if got.OK || got.Errors[0].Code != agent.CodeToolFailed || !strings.Contains(got.Errors[0].Message, `there is no workspace "ws_letter"`) {
			t.Errorf("got %+v", got)
		}
	}
}
