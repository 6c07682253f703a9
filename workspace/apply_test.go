package workspace_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/workspace"
)

// Those who edit.
var (
	person = workspace.Author{Actor: workspace.Person, Name: "Ada"}
	model  = workspace.Author{Actor: workspace.Model, Name: "run_1"}
	app    = workspace.Author{Actor: workspace.App}
)

var now = time.Date(2026, 3, 29, 1, 59, 59, 0, time.UTC)

// origin is a workspace to begin with.
func origin(t testing.TB, draft string) *workspace.State {
	t.Helper()
	s, err := workspace.Limits{}.New(workspace.Origin{ID: "ws_1", By: person, Time: now, Draft: json.RawMessage(draft), Facts: json.RawMessage(`{"name":"Ada","born":1815}`)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// edited applies edits that have to be made.
func edited(t testing.TB, s *workspace.State, edits ...workspace.Edit) *workspace.State {
	t.Helper()
	for _, e := range edits {
		next, err := workspace.Limits{}.Apply(s, e)
		if err != nil {
			t.Fatalf("%s: %v", e.Kind, err)
		}
		s = next
	}
	return s
}

func lock(path string) workspace.Edit {
	return workspace.Edit{Kind: workspace.Lock, By: person, Path: path}
}

func patch(by workspace.Author, text string) workspace.Edit {
	return workspace.Edit{Kind: workspace.PatchDraft, By: by, Patch: json.RawMessage(text)}
}

func propose(text string) workspace.Edit {
	return workspace.Edit{Kind: workspace.ProposeFacts, By: model, Time: now, Patch: json.RawMessage(text), Why: "it says so"}
}

// expectRefusal holds an error against its kind, its code, the path it is about, the place in the patch and the message, where that is not empty.
func expectRefusal(t *testing.T, err error, kind callwright.Kind, code, path, at, says string) {
	t.Helper()
	e, ok := errors.AsType[*callwright.Error](err)
	if !ok || e.Kind != kind || e.Code != code || e.Path != path {
		t.Errorf("expected %s (%s) about %q, got %#v", code, kind, path, err)
		return
	}
	p, _ := errors.AsType[*workspace.PatchError](err)
	if p == nil && at != "" || p != nil && p.At != at {
		t.Errorf("expected an error at %q in the patch, got %#v", at, p)
	}
	if says != "" && !strings.Contains(err.Error(), says) {
		t.Errorf("expected %q, got %q", says, err)
	}
}

// locksCases are those of TestLocks.
var locksCases = []struct {
	name, lock, patch string
	at                string // in the patch, of an operation that is refused; "" for a patch that is taken, "-" for all of a merge patch
}{
	{"the value itself", "/title", `[{"op":"replace","path":"/title","value":"B"}]`, "/0"},
	{"the value to null", "/title", `{"title":null}`, "/title"},
	{"its removal", "/title", `[{"op":"remove","path":"/title"}]`, "/0"},
	{"its move", "/title", `[{"op":"move","from":"/title","path":"/t"}]`, "/0"},
	{"a move onto it", "/title", `[{"op":"move","from":"/meta","path":"/title"}]`, "/0"},
	{"a copy onto it", "/title", `[{"op":"copy","from":"/meta","path":"/title"}]`, "/0"},
	{"an addition onto it", "/title", `[{"op":"add","path":"/title","value":"B"}]`, "/0"},
	{"by another spelling", "/title", `[{"op":"replace","path":"/\u0074itle","value":"B"}]`, "/0"},
	{"a child", "/meta", `[{"op":"replace","path":"/meta/n","value":1}]`, "/0"},
	{"a new child", "/meta", `[{"op":"add","path":"/meta/new","value":1}]`, "/0"},
	{"a grandchild by merge", "/meta", `{"meta":{"by":{"name":"Bob"}}}`, "/meta"},
	{"a parent", "/meta/by/name", `[{"op":"replace","path":"/meta","value":{}}]`, "/0"},
	{"the parent's removal", "/meta/by/name", `[{"op":"remove","path":"/meta/by"}]`, "/0"},
	{"the parent to another type", "/meta/by/name", `{"meta":[]}`, "/meta"},
	{"the whole document", "/meta/by/name", `[{"op":"replace","path":"","value":null}]`, "/0"},
	{"the whole document by a move", "/meta/by/name", `[{"op":"move","from":"/meta","path":""}]`, "/0"},
	{"an escaped path", "/meta/by/x~1y/0", `[{"op":"replace","path":"/meta/by/x~1y/0","value":2}]`, "/0"},
	{"an escaped parent", "/meta/by/x~1y/0", `[{"op":"add","path":"/meta/by/x~1y/0","value":2}]`, "/0"},
	{"an empty name", "//", `[{"op":"replace","path":"//","value":2}]`, "/0"},
	{"an element", "/items/1", `[{"op":"replace","path":"/items/1/id","value":9}]`, "/0"},
	{"an element before it", "/items/1", `[{"op":"add","path":"/items/0","value":0}]`, "/0"},
	{"the removal before it", "/items/1", `[{"op":"remove","path":"/items/0"}]`, "/0"},
	{"a move of another over it", "/items/1", `[{"op":"move","from":"/items/2","path":"/items/0"}]`, "/0"},
	{"the array as a merge", "/items/1", `{"items":[]}`, "/items"},
	{"the second operation", "/title", `[{"op":"remove","path":"/meta"},{"op":"remove","path":"/title"},{"op":"remove","path":"/items"}]`, "/1"},
	{"the last of those that change it", "/title", `[{"op":"remove","path":"/title"},{"op":"add","path":"/title","value":"A"},{"op":"replace","path":"/title","value":"B"},{"op":"remove","path":"/meta"}]`, "/2"},
	{"another form of a number", "/meta/n", `[{"op":"replace","path":"/meta/n","value":0.0}]`, "/0"},
	{"a lock on everything", "", `[{"op":"add","path":"/new","value":0}]`, "/0"},
	{"a lock on everything, by merge", "", `{"new":1}`, "-"},

	{"something else", "/title", `[{"op":"replace","path":"/meta/n","value":1}]`, ""},
	{"a name that begins like it", "/title", `{"title2":"B"}`, ""},
	{"a sibling below the parent", "/meta/by", `[{"op":"remove","path":"/meta/n"}]`, ""},
	{"the same value", "/title", `[{"op":"replace","path":"/title","value":"A"}]`, ""},
	{"the parent with the same value", "/meta/by/name", `[{"op":"replace","path":"/meta","value":{"by":{"name":"Ada"}}}]`, ""},
	{"away and back", "/meta/by", `[{"op":"move","from":"/meta","path":"/m"},{"op":"move","from":"/m","path":"/meta"}]`, ""},
	{"a copy of it", "/meta", `[{"op":"copy","from":"/meta","path":"/items/-"}]`, ""},
	{"a change of the copy", "/meta", `[{"op":"copy","from":"/meta","path":"/m"},{"op":"replace","path":"/m/by/name","value":"Bob"}]`, ""},
	{"a test of it", "/meta", `[{"op":"test","path":"/meta/n","value":0}]`, ""},
	{"an element behind it", "/items/1", `[{"op":"remove","path":"/items/2"},{"op":"add","path":"/items/-","value":0}]`, ""},
	{"a reading of everything", "", `[{"op":"test","path":"/title","value":"A"}]`, ""},
	{"an empty merge", "", `{}`, ""},
}

// What is locked stays for a model: the value at the path, what is below it, and the place that it has.
func TestLocks(t *testing.T) {
	const draft = `{"title":"A","items":[{"id":1},{"id":2},{"id":3}],"meta":{"by":{"name":"Ada","x/y":[1]},"n":0},"":{"":1}}`
	for _, c := range locksCases {
		t.Run(c.name, func(t *testing.T) {
			s := edited(t, origin(t, draft), lock(c.lock))
			next, err := workspace.Limits{}.Apply(s, patch(model, c.patch))
			if c.at == "" {
				if err != nil || next.Version != s.Version+1 {
					t.Errorf("expected the patch to be taken, got %v", err)
				}
				return
			}
			expectRefusal(t, err, callwright.KindPermission, workspace.CodeLocked, c.lock, strings.TrimPrefix(c.at, "-"), "is locked by a person")
			if edited(t, s, patch(person, c.patch)).Version != s.Version+1 {
				t.Error("a person is bound by the lock")
			}
		})
	}
}

// A locked path at which a person has left nothing stays empty for a model.
func TestLockOfNothing(t *testing.T) {
	s := edited(t, origin(t, `{"a":1,"b":[1,2]}`), lock("/a"), lock("/b/1"), patch(person, `{"a":null,"b":[1]}`))
	for text, at := range map[string]string{`{"a":1}`: "/a", `[{"op":"add","path":"/b/-","value":2}]`: "/0", `[{"op":"copy","from":"/b","path":"/a"}]`: "/0"} {
		_, err := workspace.Limits{}.Apply(s, patch(model, text))
		path := "/a"
		if strings.Contains(text, "/-") {
			path = "/b/1"
		}
		expectRefusal(t, err, callwright.KindPermission, workspace.CodeLocked, path, at, "")
	}
	edited(t, s, patch(model, `{"c":1}`), workspace.Edit{Kind: workspace.Unlock, By: person, Path: "/a"}, patch(model, `{"a":2}`))
}

// A refusal is an edit that is not made, and what is said of it.
type refusal struct {
	name   string
	limits workspace.Limits
	edit   workspace.Edit
	kind   callwright.Kind
	code   string
	path   string
	at     string
	says   string
}

// refusals are edits of a state that are not made.
func refusals(s *workspace.State) []refusal {
	small := workspace.Limits{Document: 60, Patch: 90, Operations: 2, Depth: 3, Locks: 1, Proposals: 1}
	return []refusal{
		{"an unknown kind", small, workspace.Edit{Kind: "draft.drop", By: person}, callwright.KindInvalid, "INVALID_EDIT", "", "", `unknown kind of edit "draft.drop"`},
		{"a second beginning", small, workspace.Edit{Kind: workspace.Create, By: person}, callwright.KindInvalid, "INVALID_EDIT", "", "", ""},
		{"a model that commits", small, workspace.Edit{Kind: workspace.CommitFacts, By: model, Base: 3, Proposal: "p3"}, callwright.KindPermission, "NOT_ALLOWED", "", "", `facts.commit is for person alone, not for "model"`},
		{"an app that commits", small, workspace.Edit{Kind: workspace.CommitFacts, By: app, Base: 3, Proposal: "p3"}, callwright.KindPermission, "NOT_ALLOWED", "", "", ""},
		{"nobody who commits", small, workspace.Edit{Kind: workspace.CommitFacts, Base: 3, Proposal: "p3"}, callwright.KindPermission, "NOT_ALLOWED", "", "", ""},
		{"a model that rejects", small, workspace.Edit{Kind: workspace.RejectFacts, By: model, Proposal: "p3"}, callwright.KindPermission, "NOT_ALLOWED", "", "", ""},
		{"a model that unlocks", small, workspace.Edit{Kind: workspace.Unlock, By: model, Path: "/a/0"}, callwright.KindPermission, "NOT_ALLOWED", "", "", ""},
		{"a model that locks", small, workspace.Edit{Kind: workspace.Lock, By: model, Path: "/n"}, callwright.KindPermission, "NOT_ALLOWED", "", "", ""},
		{"a model that goes back", small, workspace.Edit{Kind: workspace.UndoDraft, By: model, Earlier: s}, callwright.KindPermission, "NOT_ALLOWED", "", "", ""},
		{"a model in the app's place", small, workspace.Edit{Kind: workspace.PatchUI, By: model, Patch: json.RawMessage(`{}`)}, callwright.KindPermission, "NOT_ALLOWED", "", "", ""},
		{"an app that edits", small, patch(app, `{}`), callwright.KindPermission, "NOT_ALLOWED", "", "", "draft.patch is for person and model alone"},
		{"a person in the app's place", small, workspace.Edit{Kind: workspace.PatchUI, By: person, Patch: json.RawMessage(`{}`)}, callwright.KindPermission, "NOT_ALLOWED", "", "", ""},
		{"an old version", small, workspace.Edit{Kind: workspace.PatchDraft, By: model, Base: 2, Patch: json.RawMessage(`{}`)}, callwright.KindConflict, "CONFLICT", "", "", "the workspace is at version 3 by now, and the edit was made for version 2"},
		{"a coming version", small, workspace.Edit{Kind: workspace.PatchDraft, By: model, Base: 4, Patch: json.RawMessage(`{}`)}, callwright.KindConflict, "CONFLICT", "", "", ""},
		{"a commit of what was not seen", small, workspace.Edit{Kind: workspace.CommitFacts, By: person, Proposal: "p3"}, callwright.KindInvalid, "INVALID_EDIT", "", "", "the version that the person saw"},
		{"a commit of nothing", small, workspace.Edit{Kind: workspace.CommitFacts, By: person, Base: 3, Proposal: "p2"}, callwright.KindNotFound, "UNKNOWN_PROPOSAL", "", "", `no proposal "p2" waits for a decision; those that do: p3`},
		{"a rejection of nothing", small, workspace.Edit{Kind: workspace.RejectFacts, By: person}, callwright.KindNotFound, "UNKNOWN_PROPOSAL", "", "", ""},
		{"no patch", small, workspace.Edit{Kind: workspace.PatchDraft, By: model}, callwright.KindInvalid, "INVALID_JSON", "", "", ""},
		{"a patch that is none", small, patch(model, `7`), callwright.KindInvalid, "INVALID_PATCH", "", "", ""},
		{"a path that leads nowhere", small, patch(model, `[{"op":"test","path":"/n","value":1},{"op":"remove","path":"/b"}]`), callwright.KindInvalid, "TEST_FAILED", "/n", "/0/value", `"/n" is 9007199254740993, not 1`},
		{"an index", small, patch(model, `[{"op":"remove","path":"/a/2"}]`), callwright.KindInvalid, "INVALID_INDEX", "/a/2", "/0/path", "an index from 0 to 1"},
		{"a type", small, patch(model, `[{"op":"add","path":"/n/x","value":1}]`), callwright.KindInvalid, "WRONG_TYPE", "/n/x", "/0/path", ""},
		{"a large patch", small, patch(model, `{"b":"`+strings.Repeat("x", 90)+`"}`), callwright.KindTooLarge, "TOO_LARGE", "", "", "the patch has 98 bytes, and 90 are taken"},
		{"a large document", small, patch(model, `{"b":"`+strings.Repeat("x", 60)+`"}`), callwright.KindTooLarge, "TOO_LARGE", "", "", "and 60 are taken"},
		{"a deep document", small, patch(model, `{"b":[[[]]]}`), callwright.KindTooLarge, "TOO_DEEP", "", "", ""},
		{"many operations", small, patch(model, `[`+strings.Repeat(`{"op":"x"},`, 2)+`{}]`), callwright.KindTooLarge, "TOO_LARGE", "", "", "the patch has 3 operations, and 2 are taken"},
		{"many locks", small, lock("/a"), callwright.KindTooLarge, "TOO_MANY", "/a", "", "there are 1 locks"},
		{"many proposals", small, propose(`{"x":1}`), callwright.KindTooLarge, "TOO_MANY", "", "", ""},
		{"the same proposal again", workspace.Limits{}, propose(`{ "born": 1816.0 }`), callwright.KindInvalid, "UNCHANGED", "", "", "this is proposed already, as p3, and waits for a person"},
		{"what the facts say", workspace.Limits{}, propose(`{"born":1815,"died":null}`), callwright.KindInvalid, "UNCHANGED", "", "", "the facts say so already"},
		{"facts that are none", workspace.Limits{}, propose(`[{"op":"replace","path":"","value":[]}]`), callwright.KindInvalid, "WRONG_TYPE", "", "", "the facts would be []"},
		{"facts that are not there", workspace.Limits{}, propose(`[{"op":"replace","path":"/birth","value":1}]`), callwright.KindInvalid, "PATH_NOT_FOUND", "/birth", "/0/path", `it has: "name", "born"`},
		{"a lock of nothing", workspace.Limits{}, lock("/b"), callwright.KindInvalid, "PATH_NOT_FOUND", "/b", "", `it has: "a", "n"`},
		{"a lock of the end", workspace.Limits{}, lock("/a/-"), callwright.KindInvalid, "INVALID_INDEX", "/a/-", "", ""},
		{"a lock of no path", workspace.Limits{}, lock("a"), callwright.KindInvalid, "INVALID_POINTER", "", "", ""},
		{"a second lock", workspace.Limits{}, lock("/a/0"), callwright.KindInvalid, "UNCHANGED", "/a/0", "", "it is locked already"},
		{"no lock", workspace.Limits{}, workspace.Edit{Kind: workspace.Unlock, By: person, Path: "/a"}, callwright.KindInvalid, "UNCHANGED", "/a", "", "it is not locked; locked are: /a/0"},
		{"no version to go back to", workspace.Limits{}, workspace.Edit{Kind: workspace.UndoDraft, By: person}, callwright.KindInvalid, "INVALID_EDIT", "", "", ""},
		{"the version of another workspace", workspace.Limits{}, workspace.Edit{Kind: workspace.UndoDraft, By: person, Earlier: &workspace.State{ID: "ws_2", Version: 1}}, callwright.KindInvalid, "INVALID_EDIT", "", "", ""},
		{"a coming version to go back to", workspace.Limits{}, workspace.Edit{Kind: workspace.UndoDraft, By: person, Earlier: &workspace.State{ID: s.ID, Version: 4}}, callwright.KindInvalid, "INVALID_EDIT", "", "", ""},
		{"a long reason", workspace.Limits{}, workspace.Edit{Kind: workspace.RejectFacts, By: person, Proposal: "p3", Why: strings.Repeat("x", 4097)}, callwright.KindInvalid, "INVALID_EDIT", "", "", "at most 4096 bytes"},
		{"a reason that is no text", workspace.Limits{}, workspace.Edit{Kind: workspace.RejectFacts, By: person, Proposal: "p3", Why: "\xff"}, callwright.KindInvalid, "INVALID_EDIT", "", "", "UTF-8"},
		{"a far time", workspace.Limits{}, workspace.Edit{Kind: workspace.RejectFacts, By: person, Proposal: "p3", Time: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}, callwright.KindInvalid, "INVALID_EDIT", "", "", ""},
	}
}

// Edits are refused with a code, the place in the document and the place in the patch; what may be done is said.
func TestRefusals(t *testing.T) {
	s := edited(t, origin(t, `{"a":[1,2],"n":9007199254740993}`), lock("/a/0"), propose(`{"born":1816}`))
	for _, c := range refusals(s) {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.limits.Apply(s, c.edit)
			expectRefusal(t, err, c.kind, c.code, c.path, c.at, c.says)
		})
	}
}

// The facts change by a commit alone, of what the proposal says; the entry keeps who did what.
func TestFacts(t *testing.T) {
	s := edited(t, origin(t, `{}`), propose(`{"born": 1816}`), propose(`[{"op":"add","path":"/place","value":"London"}]`), propose(`{"name":null}`))
	if len(s.Proposals) != 3 || string(s.Facts) != `{"name":"Ada","born":1815}` {
		t.Fatalf("got %+v and the facts %s", s.Proposals, s.Facts)
	}
	want := workspace.Proposal{ID: "p2", Patch: json.RawMessage(`{"born":1816}`), By: model, Time: now, Why: "it says so"}
	if got := s.Proposals[0]; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("expected %v, got %v", want, got)
	}
	preview, err := workspace.Limits{}.Preview(s, "p2")
	if err != nil || string(preview) != `{"name":"Ada","born":1816}` {
		t.Errorf("got %s, %v", preview, err)
	}
	s = edited(t, s,
		workspace.Edit{Kind: workspace.CommitFacts, By: person, Base: 4, Time: now, Proposal: "p2", Patch: json.RawMessage(`{"born":0}`), Path: "/x"},
		workspace.Edit{Kind: workspace.RejectFacts, By: person, Proposal: "p4", Why: "she has a name"})
	entry := fmt.Sprintf("%+v", workspace.Entry{Version: 6, Edit: workspace.Edit{Kind: workspace.RejectFacts, By: person, Base: 5, Proposal: "p4", Patch: json.RawMessage(`{"name":null}`), Why: "she has a name"}})
	if string(s.Facts) != `{"name":"Ada","born":1816}` || len(s.Proposals) != 1 || fmt.Sprintf("%+v", s.Entry) != entry {
		t.Errorf("got the facts %s, the proposals %v, the entry %+v", s.Facts, s.Proposals, s.Entry)
	}
}

// A proposal that does not fit the facts any more is refused, and stays until a person rejects it.
func TestStaleProposal(t *testing.T) {
	s := edited(t, origin(t, `{}`), propose(`{"born":null}`), propose(`[{"op":"replace","path":"/born","value":1}]`))
	s = edited(t, s, workspace.Edit{Kind: workspace.CommitFacts, By: person, Base: s.Version, Proposal: "p2"})
	commit := workspace.Edit{Kind: workspace.CommitFacts, By: person, Base: s.Version, Proposal: "p3"}
	_, err := workspace.Limits{}.Apply(s, commit)
	expectRefusal(t, err, callwright.KindInvalid, workspace.CodePathNotFound, "/born", "/0/path", "")
	if s = edited(t, s, workspace.Edit{Kind: workspace.RejectFacts, By: person, Proposal: "p3"}); len(s.Proposals) > 0 {
		t.Errorf("got %v", s.Proposals)
	}
}

// The state of the app is the app's.
func TestUI(t *testing.T) {
	set := func(text string) workspace.Edit {
		return workspace.Edit{Kind: workspace.PatchUI, By: app, Patch: json.RawMessage(text)}
	}
	s := edited(t, origin(t, `{}`), set(`{"tab":"facts","at":{"x":1}}`), set(`[{"op":"remove","path":"/at"}]`))
	if string(s.UI) != `{"tab":"facts"}` || string(s.Draft) != `{}` {
		t.Errorf("got %s", s.UI)
	}
}

// A workspace begins with what it is given, without white space; only a person says what the facts are.
func TestNew(t *testing.T) {
	s, err := workspace.Limits{}.New(workspace.Origin{By: app, Draft: json.RawMessage("[ 1.50,\n 9007199254740993 ]"), UI: json.RawMessage(` {} `)})
	if err != nil || string(s.Draft) != `[1.50,9007199254740993]` || string(s.Facts) != `{}` || string(s.UI) != `{}` || s.ID.Validate() != nil || s.Validate() != nil {
		t.Errorf("got %+v, %v", s, err)
	}
	if s, err = (workspace.Limits{}).New(workspace.Origin{By: person}); err != nil || string(s.Draft) != `null` || s.UI != nil {
		t.Errorf("got %+v, %v", s, err)
	}
	for _, c := range []struct {
		name   string
		origin workspace.Origin
		kind   callwright.Kind
		code   string
		path   string
	}{
		{"a model", workspace.Origin{By: model}, callwright.KindPermission, "NOT_ALLOWED", ""},
		{"facts of an app", workspace.Origin{By: app, Facts: json.RawMessage(`{"a":1}`)}, callwright.KindPermission, "NOT_ALLOWED", ""},
		{"facts that are no object", workspace.Origin{By: person, Facts: json.RawMessage(`[]`)}, callwright.KindInvalid, "WRONG_TYPE", ""},
		{"a broken draft", workspace.Origin{By: person, Draft: json.RawMessage(`{`)}, callwright.KindInvalid, "INVALID_JSON", ""},
		{"a name twice", workspace.Origin{By: person, Draft: json.RawMessage(`{"a":{"b":1,"b":2}}`)}, callwright.KindInvalid, "DUPLICATE_MEMBER", "/a/b"},
		{"an id of another form", workspace.Origin{By: person, ID: "1"}, callwright.KindInvalid, "", ""},
	} {
		_, err := workspace.Limits{}.New(c.origin)
		t.Run(c.name, func(t *testing.T) { expectRefusal(t, err, c.kind, c.code, c.path, "", "") })
	}
}
