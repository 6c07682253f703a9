package edit_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/cmd/callwright/internal/edit"
	"github.com/callwright/callwright/workspace/filestore"
)

// Whatever a model calls, facts are committed by the person alone, and what is locked stays.
func TestModelCannotSpoil(t *testing.T) {
	b := newBench(t, `{"title":"Winter","list":[1,{"x":2}]}`)
	b.Locks = []string{"/title", "/list/1/x"}
	b.Facts = []byte(`{"author":"Ibsen"}`)
	done(t, b.says(":locks", `facts 3 person p2 [add /author > "Ibsen"]`, "lock 4 person /title", "lock 5 person /list/1/x", "locks 5 /title,/list/1/x"))
	b.Locks, b.Facts = nil, nil
	for _, name := range []string{"facts_commit", "facts-commit", "FactsCommit", "FACTS_COMMIT", "commit_facts", "workspace.facts_commit", "functions.facts_commit"} {
		done(t, b.says(name+` {"proposal":"p2"}`, "noted loop.person_only", "refused "+name+" NOT_ALLOWED", "answer Done."))
	}
	for _, patch := range []string{
		`{"title":null}`, `{"list":[]}`, `[{"op":"replace","path":"","value":{}}]`, `[{"op":"add","path":"/list/0","value":0}]`, `[{"op":"move","from":"/title","path":"/old"}]`,
	} {
		done(t, b.says(`state_patch {"patch":`+patch+`}`, "refused state_patch LOCKED", "answer Done."))
	}
	done(t, b.says(":facts", `value 5 facts  {"author":"Ibsen"}`))
	b.has(`{"title":"Winter","list":[1,{"x":2}]}`)

	store, err := filestore.Open(filepath.Join(b.dir, "state", "workspaces"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ids, err := store.List(t.Context())
	if err != nil || len(ids) != 1 {
		t.Fatalf("%v, %v", ids, err)
	}
	entries, err := store.History(t.Context(), ids[0])
	if err != nil || entries[2].Kind != "facts.commit" || entries[2].By.Actor != "person" || entries[2].By.Name != "ada" {
		t.Errorf("the audit trail has %+v, %v", entries, err)
	}
}

// An answer that was under way when the session ended is gone on with by the next one, and no call is made again.
func TestGoesOn(t *testing.T) {
	b := newBench(t, `{"n":[]}`)
	ctx, cancel := context.WithCancel(t.Context())
	b.model.waiting = cancel
	b.Screen, b.Lines = &b.screen, edit.NewLines(linesOf(`state_patch {"patch":[{"op":"add","path":"/n/-","value":1}]} ;; wait`, "not read"), nil)
	if err := edit.Run(ctx, b.Config); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	b.has(`{"n":[1]}`)
	b.Prompt = ":locks"
	done(t, b.says("", `note an answer was interrupted; the next session without a command continues it: state_patch {"patch":[{"op":"add","path":"/n/-","value":1}]} ;; wait`, "locks 2"))
	b.Prompt = ""
	b.model.stop = true
	done(t, b.says("hello", `note continuing the interrupted answer: state_patch {"patch":[{"op":"add","path":"/n/-","value":1}]} ;; wait`, "answer Done.", "answer hello"))
	b.has(`{"n":[1]}`)
}

// The model is told what the person has done since its last answer, and nothing of what it has done itself.
func TestMeanwhile(t *testing.T) {
	b := newBench(t, `{"a":1}`)
	_ = b.says(`state_patch {"patch":{"a":2}} ;; facts_propose {"patch":{"x":1}} ;; facts_propose {"patch":{"y":1}}`,
		"draft 2 model [replace /a 1 > 2]", "proposal 3 model p3 [add /x > 1]", "proposal 4 model p4 [add /y > 1]", "answer Done.")
	b.write(`{"a":3}`)
	done(t, b.says(":commit p3\n:reject p4\n:undo\n:lock /a\nhello", "draft 5 person [replace /a 2 > 3]"+elsewhere, "facts 6 person p3 [add /x > 1]", "rejected 7 person p4",
		"draft 8 person to 2 [replace /a 3 > 2]", "lock 9 person /a", "answer hello"))
	const want = "hello\n\n(Since your last answer the person has changed the draft, agreed to p3, not agreed to p4, made the draft that of version 2 again, locked /a. The workspace is at version 9.)"
	messages := b.model.asked[len(b.model.asked)-1].Messages
	if got := callwright.TextOf(messages[len(messages)-1].Parts); got != want {
		t.Errorf("the model is told %q", got)
	}
}

// Two sessions have the same document open: both land, each shows what the other does, and the first one's conversation is gone on with.
func TestTwoSessions(t *testing.T) {
	b := newBench(t, `{"n":0}`)
	other := &bench{t: t, dir: b.dir, file: b.file, model: &obedient{}, Config: b.Config}
	other.Model = func(string) (callwright.Model, []agent.Option, error) { return other.model, nil, nil }
	b.model.before = func() {
		b.model.before = nil
		done(t, other.says(`state_patch {"patch":{"other":1}}`, "note another session has this document open and keeps its conversation: the conversation of this session is not stored",
			"draft 2 model [add /other > 1]", "answer Done."))
		fails(t, other.says(":continue", "note another session has this document open and keeps its conversation: the conversation of this session is not stored", "error no answer was interrupted"), "no answer")
	}
	done(t, b.says(`state_patch {"patch":{"n":1,"base":2},"base_version":1} ;; state_patch {"patch":{"n":2}}`,
		"refused state_patch CONFLICT", "draft 2 model [add /other > 1]", "draft 3 model [replace /n 0 > 2]", "answer Done."))
	b.has(`{"n":2,"other":1}`)
	done(t, b.says("hello", "answer hello"))
	if first := b.model.asked[len(b.model.asked)-1].Messages[1]; !strings.Contains(callwright.TextOf(first.Parts), "base_version") {
		t.Errorf("the conversation of another session is gone on with: %v", first)
	}
}

// A conversation that cannot be read is said, and the document is as good as before.
func TestDamagedConversation(t *testing.T) {
	b := newBench(t, `{"n":0}`)
	done(t, b.says("hello", "answer hello"))
	for pattern, want := range map[string]string{"runs/*.jsonl": "record 1", "*.chat.json": "chat.json: invalid character"} {
		found, err := filepath.Glob(filepath.Join(b.dir, "state", "edits", pattern))
		if err != nil || len(found) == 0 {
			t.Fatal(found, err)
		}
		for _, name := range found {
			if err := os.WriteFile(name, []byte("{}\n{}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		b.screen.lines = nil
		b.Screen, b.Lines = &b.screen, edit.NewLines(linesOf("hello"), nil)
		done(t, edit.Run(t.Context(), b.Config))
		got := strings.Join(b.screen.lines, "\n")
		if !strings.Contains(got, "note the conversation cannot be continued: ") || !strings.Contains(got, want) || !strings.Contains(got, "answer hello") {
			t.Errorf("%s: shown\n%s", pattern, got)
		}
	}
}
