package edit_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/edit"
)

// A session in a pipe: the model changes the draft, which is in the file at once, and the next session goes on.
func TestSession(t *testing.T) {
	b := newBench(t, "{\n  \"title\": \"Winter\",\n  \"tags\": [\"snow\"]\n}\n")
	err := b.says("hello\n"+`state_patch {"patch":[{"op":"add","path":"/tags/-","value":"ice"}],"why":"it is cold"} ;; state_patch {"patch":{"title":"Frost"}}`+"\n\n  :draft /tags\n",
		"answer hello",
		`draft 2 model [add /tags/1 > "ice"] it is cold`, `draft 3 model [replace /title "Winter" > "Frost"]`, "answer Done.",
		`value 3 draft /tags ["snow","ice"]`)
	done(t, err)
	b.has("{\n  \"title\": \"Frost\",\n  \"tags\": [\"snow\", \"ice\"]\n}\n")

	done(t, b.says(`state_patch {"patch":{"tags":null}}`, `draft 4 model [remove /tags ["snow","ice"]]`, "answer Done."))
	last := b.model.asked[len(b.model.asked)-1].Messages
	if n := len(last); n != 12 || last[0].Role != callwright.RoleSystem || last[1].Role != callwright.RoleUser {
		t.Errorf("the conversation has %d messages: %v", n, last)
	}
	done(t, b.says(":new\nbye", "note a new conversation", "answer bye"))
	if last := b.model.asked[len(b.model.asked)-1].Messages; len(last) != 2 {
		t.Errorf("the new conversation begins with %v", last)
	}
	b.has("{\n  \"title\": \"Frost\"\n}\n")
}

// A file that is not there is made with the first change.
func TestNewFile(t *testing.T) {
	b := newBench(t, "")
	done(t, b.says("hello\n:draft", "answer hello", "value 1 draft  {}"))
	b.has("")
	done(t, b.says(`state_patch {"patch":{"a":[]}}`, "draft 2 model [add /a > []]", "answer Done."))
	b.has("{\n  \"a\": []\n}\n")
}

// Facts are proposed by the model and committed by the person alone.
func TestFacts(t *testing.T) {
	b := newBench(t, "{}")
	if err := b.says(`facts_propose {"patch":{"author":"Ibsen"},"why":"it says so"} && facts_propose {"patch":{"year":1850}}`,
		`proposal 2 model p2 [add /author > "Ibsen"] it says so`, `proposal 3 model p3 [add /year > 1850]`, "answer Done."); !errors.Is(err, edit.ErrWaits) {
		t.Errorf("got %v", err)
	}
	b.Prompt = ":commit p2"
	if err := b.says("", `facts 4 person p2 [add /author > "Ibsen"]`, `proposal 4 model p3 [add /year > 1850]`); !errors.Is(err, edit.ErrWaits) {
		t.Errorf("got %v", err)
	}
	b.Prompt = ""
	done(t, b.says(":proposals\n:reject p3\n:proposals\n:facts\n:facts /author", `proposal 4 model p3 [add /year > 1850]`, "rejected 5 person p3", "note there are no proposals",
		`value 5 facts  {"author":"Ibsen"}`, `value 5 facts /author "Ibsen"`))
	fails(t, b.says(":commit p3\nhello", `error workspace.apply: no proposal "p3" waits for a decision; those that do: `), "p3")
}

// What the command line says of facts and locks holds before anything else, however often it is said.
func TestCommandLine(t *testing.T) {
	b := newBench(t, `{"title":"Winter","tags":[]}`)
	b.Facts, b.Locks = json.RawMessage(`{"author":"Ibsen"}`), []string{"/title", "/tags"}
	done(t, b.says(`state_patch {"patch":{"title":"Frost"}}`, `facts 3 person p2 [add /author > "Ibsen"]`, "lock 4 person /title", "lock 5 person /tags", "refused state_patch LOCKED", "answer Done."))
	done(t, b.says(":locks", "locks 5 /title,/tags"))
	b.Facts = json.RawMessage(`{"author":null}`)
	done(t, b.says(":facts", `facts 7 person p6 [remove /author "Ibsen"]`, "value 7 facts  {}"))
	b.Facts = nil
	_ = b.says(`facts_propose {"patch":{"x":1}}`, "proposal 8 model p8 [add /x > 1]", "answer Done.")
	b.Facts = json.RawMessage(`{"x":1}`) // the person says the same
	done(t, b.says("", "facts 9 person p8 [add /x > 1]"))
	b.Facts, b.Locks = nil, []string{"title"}
	var use *edit.UseError
	if err := b.says("", "error workspace.apply: expected a JSON pointer, which is empty or begins with '/', such as /title, got title"); !errors.As(err, &use) {
		t.Errorf("got %v", err)
	}
}

// Commands that are wrong end a session in a pipe; the first that fails is the last.
func TestWrongLines(t *testing.T) {
	for line, want := range map[string]string{
		":unod":      "unknown command :unod: did you mean :undo?",
		":telepathy": "unknown command :telepathy: :help lists the commands",
		":":          "unknown command :",
		":locks /a":  `:locks has no argument, got "/a"`,
		":lock":      ":lock needs the argument PATH",
		":lock /b":   "/b",
		":unlock /a": "it is not locked",
		":undo":      "there is no change of the draft to undo",
		":undo 7":    "version 7",
		":undo x":    ":undo expects the number of a version",
		":history 0": ":history expects a number of versions",
		":commit p1": `no proposal "p1" waits`,
		":continue":  "no answer was interrupted",
		":draft /b":  "/b",
		"fail":       "the model is away",
	} {
		t.Run(line, func(t *testing.T) {
			b := newBench(t, `{"a":1}`)
			b.Screen, b.Lines = &b.screen, edit.NewLines(linesOf(line, "after it"), nil)
			fails(t, edit.Run(t.Context(), b.Config), want)
			if len(b.model.asked) > 1 {
				t.Error("the session went on")
			}
		})
	}
}

// The help has every command.
func TestHelp(t *testing.T) {
	b := newBench(t, `{"a":1}`)
	b.Screen, b.Lines = &b.screen, edit.NewLines(linesOf(":help", "::) hello", ":quit", "not read"), nil)
	done(t, edit.Run(t.Context(), b.Config))
	got := strings.Join(b.screen.lines, "\n")
	for _, want := range []string{":undo [VERSION]", ":lock PATH ", ":commit ID ", ":quit ", "answer :) hello"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing:\n%s", want, got)
		}
	}
	if strings.Contains(got, "not read") {
		t.Error("the session went on")
	}
}

// A line that is too long for a message is said; a message may be long.
func TestLongLines(t *testing.T) {
	b := newBench(t, `{"a":1}`)
	long := strings.Repeat("x", 200<<10)
	done(t, b.says(long, "answer "+long))
	fails(t, b.says(strings.Repeat("x", 300<<10), "error a line has more than 262144 bytes"), "a line has more than")
}
