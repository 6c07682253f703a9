package edit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/cmd/callwright/internal/document"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/workspace"
)

// A Config describes a session. File, Dir, Model, Screen and Lines are required.
type Config struct {
	File   string
	Dir    string          // of the state
	Name   string          // of the person, for the audit trail
	Facts  json.RawMessage // a merge patch of the person for the facts, before anything else; nil for none
	Locks  []string        // paths that are locked, too
	Prompt string          // what alone is done; "" takes Lines
	Again  string          // the command line of such a session, without its model

	// Model opens a model, by the name that the command line gives or has given to an earlier session, "" for none. It
	// is called once at most, when a model is needed, and the options are those of its agent.
	Model func(name string) (callwright.Model, []agent.Option, error)
	Named string // the model's name on the command line

	Screen     Screen
	Lines      *Lines
	Person     bool             // one is there, who is asked and may go on after an error
	Interrupts <-chan os.Signal // of the person, each of which breaks off an answer; nil for none
}

// session is one in this process.
type session struct {
	Config
	person   workspace.Author
	file     *file
	folder   *folder
	editor   *workspace.Editor // of the person
	seen     *workspace.State  // what was shown
	swept    bool              // what a killed session has left was removed
	gone     bool              // the file is not there any more
	chat     chat
	messages []callwright.Message         // of the conversation so far
	agent    *agent.Agent                 // nil until a model is needed
	pending  []string                     // proposals that the person was not asked about yet
	shown    map[string][]document.Change // what proposals would do, as it was shown
	unsaved  error                        // why the file could not be written during an answer
}

// errQuit ends a session.
var errQuit = errors.New("quit")

// Run opens the document and executes the person's lines. Errors that are a *UseError are about the command line or the
// file; ErrWaits ends a session without a person for whom a proposal waits. Where ctx ends, the next session continues
// the model's answer that was under way.
func Run(ctx context.Context, c Config) error {
	s := &session{Config: c, shown: map[string][]document.Change{}, person: workspace.Author{Actor: workspace.Person, Name: c.Name}}
	defer s.close()
	err := s.run(ctx)
	if errors.Is(err, errQuit) {
		err = nil
	}
	switch {
	case c.Person:
	case err == nil:
		err = s.end(ctx)
	default:
		_ = s.tell(Event{Kind: Failed, Text: err.Error()}) // who calls hears of it in any case
	}
	return err
}

func (s *session) close() {
	if s.folder != nil {
		s.folder.close()
	}
	if s.file != nil {
		_ = s.file.dir.Close()
	}
}

// run opens the session and executes its task.
func (s *session) run(ctx context.Context) (err error) {
	if s.file, err = openFile(s.File, s.Dir); err != nil {
		return err
	}
	if s.folder, err = openFolder(ctx, s.Dir, s.file.id()); err != nil {
		return err
	}
	s.editor = workspace.NewEditor(s.folder.store, workspace.WithLimits(limits))
	if err := s.open(ctx); err != nil {
		return err
	}
	if err := s.survive(ctx, s.recall(ctx)); err != nil {
		return err
	}
	if s.Prompt != "" {
		return s.do(ctx, s.Prompt)
	}
	if s.Person { // who hears at once that there is no model; commands need none
		if err := s.survive(ctx, s.openModel()); err != nil {
			return err
		}
	}
	return s.lines(ctx)
}

// survive shows an error to a person, who goes on after it. It returns those that end the session.
func (s *session) survive(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if _, blind := errors.AsType[screenError](err); blind || !s.Person || ctx.Err() != nil || errors.Is(err, errQuit) {
		return err
	}
	return s.tell(Event{Kind: Failed, Text: err.Error()})
}

// open restores the state of the last session, and applies the facts and locks of the command line.
func (s *session) open(ctx context.Context) error {
	_, doc, err := s.file.read()
	if err != nil {
		return err
	}
	st, err := s.folder.version(ctx, 0)
	if callwright.KindOf(err) == callwright.KindNotFound {
		if doc == nil {
			doc = []byte("{}")
		}
		st, err = s.editor.Create(ctx, workspace.Origin{ID: s.folder.id, By: s.person, Draft: doc})
		if callwright.KindOf(err) == callwright.KindConflict {
			st, err = s.folder.version(ctx, 0)
		}
	}
	if err != nil {
		return err
	}
	s.seen = st
	if err := s.tell(Event{Kind: Open, File: s.file.shown, Workspace: st.ID, Version: st.Version, Locks: st.Locks,
		Waiting: waiting(st)}); err != nil {
		return err
	}
	if err := s.refresh(ctx); err != nil {
		return err
	}
	if s.gone {
		if err := s.note("%s is not there any more: the next change of the draft makes it again", s.file.shown); err != nil {
			return err
		}
	}
	return s.begin(ctx)
}

// begin sets the facts and locks of the command line.
func (s *session) begin(ctx context.Context) error {
	if s.Facts != nil {
		if err := s.setFacts(ctx); err != nil {
			return &UseError{err}
		}
	}
	for _, path := range s.Locks {
		_, err := s.editor.Edit(ctx, s.folder.id, workspace.Edit{Kind: workspace.Lock, By: s.person, Path: path})
		if err != nil && codeOf(err) != workspace.CodeUnchanged {
			return &UseError{err}
		}
	}
	return s.refresh(ctx)
}

// setFacts sets the facts to those of the command line.
func (s *session) setFacts(ctx context.Context) error {
	st, err := s.editor.Edit(ctx, s.folder.id,
		workspace.Edit{Kind: workspace.ProposeFacts, By: s.person, Patch: s.Facts, Why: "from the command line"})
	if err == nil {
		return s.commit(ctx, st.Entry.Proposal, nil)
	}
	if codeOf(err) != workspace.CodeUnchanged {
		return err
	}
	if st, err = s.folder.version(ctx, 0); err != nil {
		return err
	}
	for _, p := range st.Proposals {
		if jsonx.Equal(p.Patch, s.Facts) { // a model, or a session that was killed, has proposed the same
			return s.commit(ctx, p.ID, nil)
		}
	}
	return nil
}

// lines executes the person's lines.
func (s *session) lines(ctx context.Context) error {
	for {
		if s.Person {
			if err := s.prompt("> "); err != nil {
				return err
			}
		}
		line, err := s.Lines.next(ctx)
		switch {
		case errors.Is(err, errInterrupted):
			err = s.note("\n(:quit or Ctrl-D ends the session)")
		case errors.Is(err, io.EOF) && s.Person:
			return s.note("") // the cursor is behind the prompt
		case errors.Is(err, io.EOF):
			return nil
		case err == nil:
			err = s.do(ctx, line)
		}
		if err := s.survive(ctx, err); err != nil {
			return err
		}
	}
}

// do executes one line.
func (s *session) do(ctx context.Context, line string) error {
	line = strings.TrimSpace(line)
	if line == "" {
		return nil
	}
	if err := s.refresh(ctx); err != nil {
		return err
	}
	name, command := strings.CutPrefix(line, ":")
	if command && !strings.HasPrefix(name, ":") {
		return s.command(ctx, name)
	}
	return s.say(ctx, strings.TrimPrefix(line, ":"))
}

// refresh makes file and draft equal and shows all changes, whoever made them.
func (s *session) refresh(ctx context.Context) error {
	if err := s.sync(ctx); err != nil {
		return err
	}
	return s.show(ctx)
}

// A screenError says that the person no longer sees the session.
type screenError struct{ error }

func (e screenError) Unwrap() error { return e.error }

// tell shows an event.
func (s *session) tell(ev Event) error {
	if err := s.Screen.Show(ev); err != nil {
		return screenError{err}
	}
	return nil
}

func (s *session) prompt(text string) error {
	if err := s.Screen.Prompt(text); err != nil {
		return screenError{err}
	}
	return nil
}

func (s *session) note(format string, args ...any) error {
	return s.tell(Event{Kind: Note, Text: fmt.Sprintf(format, args...)})
}

// end reports a waiting proposal, where no person is there.
func (s *session) end(ctx context.Context) error {
	st, err := s.folder.version(ctx, 0)
	if err != nil {
		return err
	}
	for _, p := range st.Proposals {
		if _, shown := s.shown[p.ID]; !shown {
			if err := s.propose(st, p.ID); err != nil {
				return err
			}
		}
	}
	ev := Event{Kind: End, Version: st.Version, Waiting: waiting(st), Again: s.Again}
	if err := s.tell(ev); err != nil {
		return err
	}
	if len(ev.Waiting) > 0 {
		return ErrWaits
	}
	return nil
}

// waiting are the ids of the proposals that nobody has decided about.
func waiting(st *workspace.State) []string {
	var ids []string
	for _, p := range st.Proposals {
		ids = append(ids, p.ID)
	}
	return slices.Clip(ids)
}

// codeOf is the code of an error of the workspace, "" for others.
func codeOf(err error) string {
	if e, ok := errors.AsType[*callwright.Error](err); ok {
		return e.Code
	}
	return ""
}
