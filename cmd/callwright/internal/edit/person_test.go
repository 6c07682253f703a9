package edit_test

import (
	"context"
	"errors"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/cmd/callwright/internal/edit"
)

// A person is asked about proposals when the answer has ended, and goes on after an error.
func TestPerson(t *testing.T) {
	b := newBench(t, `{"a":1}`)
	propose := `facts_propose {"patch":{"author":"Ibsen"}}`
	done(t, b.talks([]string{propose, "what?", "Yes", propose, ":unod", "fail", ":continue", "hello", ":quit", "not read"},
		"> "+propose, `proposal 2 model p2 [add /author > "Ibsen"]`, "answer Done.",
		"accept p2? [y]es, [n]o, [l]ater: what?", "accept p2? [y]es, [n]o, [l]ater: Yes", `facts 3 person p2 [add /author > "Ibsen"]`,
		"> "+propose, "refused facts_propose UNCHANGED", "answer Done.",
		"> :unod", "error unknown command :unod: did you mean :undo?",
		"> fail", "error test: the model is away",
		"> :continue", "error test: the model is away",
		"> hello", "answer hello",
		"> :quit"))
}

// Without an answer a proposal stays open, and the session ends with its input.
func TestLater(t *testing.T) {
	for answer, want := range map[string][]string{
		"":   {"accept p2? [y]es, [n]o, [l]ater: ", "note p2 waits: :commit p2 accepts it, :reject p2 rejects it"},
		"l":  {"accept p2? [y]es, [n]o, [l]ater: l", "note p2 waits: :commit p2 accepts it, :reject p2 rejects it"},
		"n":  {"accept p2? [y]es, [n]o, [l]ater: n", "rejected 3 person p2"},
		"^C": {"accept p2? [y]es, [n]o, [l]ater: ^C", "note p2 waits: :commit p2 accepts it, :reject p2 rejects it"},
		"^D": {"note p2 waits: :commit p2 accepts it, :reject p2 rejects it"},
	} {
		t.Run(answer, func(t *testing.T) {
			b := newBench(t, `{"a":1}`)
			propose := `facts_propose {"patch":{"x":1}}`
			lines := []string{propose}
			if answer != "^D" {
				lines = append(lines, answer)
			}
			want = append([]string{"> " + propose, "proposal 2 model p2 [add /x > 1]", "answer Done."}, want...)
			done(t, b.talks(lines, want...))
		})
	}
}

// Nobody agrees to what was not shown, and what was typed before the question is no answer to it.
func TestNothingUnseenIsCommitted(t *testing.T) {
	b := newBench(t, `{"a":1}`)
	_ = b.says(`facts_propose {"patch":{"x":1}} && facts_propose {"patch":{"x":2}}`, "proposal 2 model p2 [add /x > 1]", "proposal 3 model p3 [add /x > 2]", "answer Done.")
	done(t, b.talks([]string{":commit p2", ":commit p2", ":commit p3", ":commit p3"},
		"> :commit p2", "proposal 3 model p2 [add /x > 1]", "note repeat :commit p2 to accept this",
		"> :commit p2", "facts 4 person p2 [add /x > 1]",
		"> :commit p3", "proposal 4 model p3 [replace /x 1 > 2]", "note repeat :commit p3 to accept this",
		"> :commit p3", "facts 5 person p3 [replace /x 1 > 2]"))

	propose := `facts_propose {"patch":{"y":1}}`
	ahead := newBench(t, `{"a":1}`)
	done(t, ahead.talks([]string{propose + "\ny\nyes", "l"},
		"> "+propose+"\ny\nyes", "proposal 2 model p2 [add /y > 1]", "answer Done.", "accept p2? [y]es, [n]o, [l]ater: l", "note p2 waits: :commit p2 accepts it, :reject p2 rejects it",
		"answer y", "answer yes"))
}

// Ctrl-C breaks off the answer and not the session; what was changed stays, and the answer can be gone on with.
func TestInterrupt(t *testing.T) {
	b := newBench(t, `{"a":1}`)
	busy := `state_patch {"patch":{"a":2}} ;; wait`
	done(t, b.talks([]string{"^C", busy, "hello", busy},
		"> ^C", "note \n(:quit or Ctrl-D ends the session)",
		"> "+busy, "draft 2 model [replace /a 1 > 2]", "note interrupted; :continue continues it",
		"> hello", "answer hello",
		"> "+busy, "draft 3 model", "note interrupted; :continue continues it"))
	b.has(`{"a":2}`)
	done(t, b.says(":locks", "locks 3")) // it is not gone on with unasked
	b.model.waiting = func() {}
	b.model.stop = true
	done(t, b.talks([]string{":continue", ":continue"}, "> :continue", "answer Done.", "> :continue", "error no answer was interrupted"))
}

// Whoever cannot see what is done does nothing.
func TestBrokenOutput(t *testing.T) {
	b := newBench(t, `{"a":1}`)
	b.screen.broken = errors.New("no space left")
	fails(t, b.says(`state_patch {"patch":{"a":2}}`, "error no space left"), "no space left")
	fails(t, b.talks([]string{"hello"}), "no space left")
	if b.model.asked != nil {
		t.Error("a model was asked")
	}
}

// What cannot be done when a session begins is said, and the person goes on: a model that is away, or none at all.
func TestPersonWithoutModel(t *testing.T) {
	b := newBench(t, `{"a":1}`)
	b.Model = func(string) (callwright.Model, []agent.Option, error) { return nil, nil, errors.New("which model?") }
	done(t, b.talks([]string{"hello", ":draft"}, "error which model?", "> hello", "error which model?", "> :draft", `value 1 draft  {"a":1}`))

	away := newBench(t, `{"a":1}`)
	ctx, cancel := context.WithCancel(t.Context())
	away.model.waiting = cancel
	away.Screen, away.Lines = &away.screen, edit.NewLines(linesOf("wait"), nil)
	if err := edit.Run(ctx, away.Config); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	away.model.away = true
	done(t, away.talks([]string{":locks"}, "note continuing the interrupted answer: wait", "error the model is away", "> :locks", "locks 1"))
}

// One who breaks off what alone was wanted has no answer.
func TestInterruptedPrompt(t *testing.T) {
	b := newBench(t, `{"a":1}`)
	b.Prompt = "wait"
	fails(t, b.talks(nil), "the answer was interrupted")
}
