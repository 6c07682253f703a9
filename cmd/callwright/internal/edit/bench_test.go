package edit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/cmd/callwright/internal/edit"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// An obedient is a model that makes the calls that the last message of the user names, "NAME ARGUMENTS", and then says that it is done. " && " stands between calls of one
// answer, " ;; " between answers. "fail" is an error, "wait" waits for the end of the request, and what else is said to it it says itself.
type obedient struct {
	asked   []*callwright.Request
	before  func() // it makes a call
	waiting func() // it was told to wait
	stop    bool   // it waits no more
	away    bool
}

func (o *obedient) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	if o.away {
		return nil, errors.New("the model is away")
	}
	o.asked = append(o.asked, req)
	text, turn := "", 0
	for _, m := range req.Messages {
		switch m.Role {
		case callwright.RoleUser:
			text, turn = callwright.TextOf(m.Parts), 0
		case callwright.RoleTool:
			turn++
		}
	}
	text, _, _ = strings.Cut(text, "\n")
	answers := strings.Split(text, " ;; ")
	switch {
	case turn >= len(answers):
		return saying("Done."), nil
	case answers[turn] == "fail":
		return nil, callwright.Errorf("test", callwright.KindUnavailable, "", "the model is away")
	case answers[turn] == "wait" && o.stop:
		return saying("Done."), nil
	case answers[turn] == "wait":
		o.waiting()
		<-ctx.Done()
		return nil, context.Cause(ctx)
	case !strings.Contains(answers[turn], "{"):
		return saying(answers[turn]), nil
	}
	if o.before != nil {
		o.before()
	}
	resp := &callwright.Response{Finish: callwright.FinishCalls}
	for i, call := range strings.Split(answers[turn], " && ") {
		name, arguments, _ := strings.Cut(call, " ")
		resp.Parts = append(resp.Parts, callwright.Call{ID: fmt.Sprintf("c%d_%d_%d", len(req.Messages), turn, i), Name: name, Arguments: json.RawMessage(arguments)})
	}
	return resp, nil
}

func saying(text string) *callwright.Response {
	return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: text}}, Finish: callwright.FinishStop}
}

func (o *obedient) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		resp, err := o.Generate(ctx, req)
		going := true
		for i := 0; err == nil && going && i < len(resp.Events()); i++ {
			going = yield(resp.Events()[i], nil)
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// A transcript is a screen that keeps what it shows, an event a line.
type transcript struct {
	lines  []string
	broken error                     // of the output
	answer func(prompt string) error // answers a prompt
}

func (s *transcript) Show(ev edit.Event) error {
	line := string(ev.Kind)
	if ev.Version != 0 {
		line += fmt.Sprintf(" %d", ev.Version)
	}
	for _, word := range []string{string(ev.By), ev.Proposal, ev.Of} {
		if word != "" {
			line += " " + word
		}
	}
	if ev.To != 0 {
		line += fmt.Sprintf(" to %d", ev.To)
	}
	if ev.Path != nil {
		line += " " + *ev.Path
	}
	for _, c := range ev.Changes {
		line += strings.TrimRight(fmt.Sprintf(" [%s %s %s", c.Op, c.Path, c.Was), " ") + strings.TrimRight(fmt.Sprintf(" > %s", c.Now), " >") + "]"
	}
	for _, list := range [][]string{ev.Locks, ev.Waiting} {
		if len(list) > 0 {
			line += " " + strings.Join(list, ",")
		}
	}
	for _, e := range ev.Entries {
		line += fmt.Sprintf(" %d:%s:%s", e.Version, e.By.Actor, e.Kind)
	}
	for _, text := range []string{string(ev.Value), ev.Why, ev.Text} {
		if text != "" {
			line += " " + text
		}
	}
	s.lines = append(s.lines, line)
	return s.broken
}

func (s *transcript) Answer(ev agent.Event) error {
	switch {
	case ev.Kind == agent.EventFinal:
		s.lines = append(s.lines, "answer "+ev.Text)
	case ev.Kind == agent.EventResult && !ev.Result.OK:
		s.lines = append(s.lines, fmt.Sprintf("refused %s %s", ev.Name, ev.Result.Errors[0].Code))
	case ev.Kind == agent.EventNote:
		s.lines = append(s.lines, "noted "+ev.Note.Rule)
	}
	return s.broken
}

func (s *transcript) Prompt(text string) error {
	if err := s.answer(text); err != nil {
		return err
	}
	return s.broken
}

// A bench is a folder in which sessions edit a file.
type bench struct {
	t     *testing.T
	dir   string
	file  string
	model *obedient
	edit.Config
	screen transcript
}

// newBench makes one whose file has a text, "" for none.
func newBench(t *testing.T, text string) *bench {
	b := &bench{t: t, dir: t.TempDir(), model: &obedient{}}
	b.file = filepath.Join(b.dir, "book.json")
	b.Config = edit.Config{File: b.file, Dir: filepath.Join(b.dir, "state"), Name: "ada", Again: "again",
		Model: func(string) (callwright.Model, []agent.Option, error) { return b.model, nil, nil }}
	if text != "" {
		b.write(text)
	}
	return b
}

func (b *bench) write(text string) {
	b.t.Helper()
	if err := os.WriteFile(b.file, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// has expects a text of the file, "" for no file.
func (b *bench) has(want string) {
	b.t.Helper()
	text, err := os.ReadFile(b.file)
	if err != nil && (want != "" || !errors.Is(err, os.ErrNotExist)) {
		b.t.Error(err)
	}
	if d := cmp.Diff(want, string(text)); d != "" {
		b.t.Errorf("the file (-want +got)\n%s", d)
	}
}

// says gives a session lines as from a pipe, and expects what it shows but for its beginning and its end.
func (b *bench) says(lines string, want ...string) error {
	b.t.Helper()
	b.Config.Screen, b.Config.Lines, b.Config.Person = &b.screen, edit.NewLines(strings.NewReader(lines), nil), false
	return b.runs(want)
}

// runs is one session, and what it shows.
func (b *bench) runs(want []string) error {
	b.t.Helper()
	b.screen.lines = nil
	err := edit.Run(b.t.Context(), b.Config)
	got := slices.DeleteFunc(b.screen.lines, func(line string) bool {
		return line == "note" || strings.HasPrefix(line, "open ") || strings.HasPrefix(line, "end ")
	})
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		b.t.Errorf("shown (-want +got)\n%s", d)
	}
	return err
}

// talks gives a session lines as from a terminal, each when it is waited for; its prompts are shown. A line "^C" is an interrupt.
func (b *bench) talks(lines []string, want ...string) error {
	b.t.Helper()
	in, typing := io.Pipe()
	interrupts := make(chan os.Signal, 1)
	b.screen.answer = func(prompt string) error {
		if len(lines) == 0 {
			return typing.Close()
		}
		b.screen.lines = append(b.screen.lines, strings.TrimSpace(prompt)+" "+lines[0])
		next := lines[0]
		lines = lines[1:]
		if next == "^C" {
			interrupts <- os.Interrupt
			return nil
		}
		_, err := io.WriteString(typing, next+"\n")
		return err
	}
	b.model.waiting = func() { interrupts <- os.Interrupt }
	b.Config.Screen, b.Config.Lines, b.Config.Person, b.Config.Interrupts = &b.screen, edit.NewLines(in, interrupts), true, interrupts
	defer in.Close()
	return b.runs(want)
}

// done fails the test for an error.
func done(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fails expects an error with a text.
func fails(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

func linesOf(lines ...string) io.Reader { return strings.NewReader(strings.Join(lines, "\n")) }
