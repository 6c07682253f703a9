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

// A Config configures a session. File, Dir, Model, Screen and Lines are required.
type Config struct {
	File   string
	Dir    string          // the state folder
	Name   string          // name of the person, for the audit trail
	Facts  json.RawMessage // JSON Merge Patch for the facts, applied first; nil for none
	Locks  []string        // JSON Pointers to lock in addition
	Prompt string          // the only line to execute; "" reads Lines
	Again  string          // command line to reopen the session, without the model

	// Model opens a model. name is from the command line of this or an earlier session, "" for none. It is called at most
	// once, when a model is needed. The options are for the model's agent.
	Model func(name string) (callwright.Model, []agent.Option, error)
	Named string // the model name on the command line

	Screen     Screen
	Lines      *Lines
	Person     bool             // a person is present to answer questions; errors do not end the session
	Interrupts <-chan os.Signal // each signal cancels a response; nil for none
}

// session is the state of an editing session in this process.
type session struct {
	Config
	person   workspace.Author
	file     *file
	folder   *folder
	editor   *workspace.Editor // applies edits of the person
	seen     *workspace.State  // the last shown version
	swept    bool              // temporary files of a killed session were removed
	gone     bool              // the file was deleted
	chat     chat
	messages []callwright.Message         // messages of the conversation so far
	agent    *agent.Agent                 // nil until a model is needed
	pending  []string                     // proposals about which the person was not asked yet
	shown    map[string][]document.Change // changes of each proposal, as they were shown
	unsaved  error                        // why the file could not be written during a response
}

// errQuit ends a session without an error.
var errQuit = errors.New("quit")

// Run opens the document and executes the person's lines. A *UseError concerns the command line or the file. ErrWaits
// means that a proposal waits and no person is present. If ctx is done during a response, the next session continues
// it.
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
		_ = s.tell(Event{Kind: Failed, Text: err.Error()}) // the caller reports err in any case
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

// run opens the session and executes the line Prompt or the lines of the person.
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
	if s.Person { // report a missing model at once; commands need none
		if err := s.survive(ctx, s.openModel()); err != nil {
			return err
		}
	}
	return s.lines(ctx)
}

// survive shows an error to a present person and returns nil. It returns the errors that end the session.
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
		if err := s.note("%s no longer exists: the next change of the draft creates it again", s.file.shown); err != nil {
			return err
		}
	}
	return s.begin(ctx)
}

// begin applies the flags --facts and --lock of the command line.
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

// setFacts applies the facts of the flag --facts.
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
		if jsonx.Equal(p.Patch, s.Facts) { // already proposed by a model or a killed session
			return s.commit(ctx, p.ID, nil)
		}
	}
	return nil
}

// lines executes the person's lines until the end of the input.
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
			return s.note("") // ends the line with the prompt
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

// do executes one line: a command or a message to the model.
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

// refresh synchronizes the file and the draft, and shows all changes.
func (s *session) refresh(ctx context.Context) error {
	if err := s.sync(ctx); err != nil {
		return err
	}
	return s.show(ctx)
}

// A screenError is an error of the Screen, after which the person no longer sees the session.
type screenError struct{ error }

func (e screenError) Unwrap() error { return e.error }

// tell shows an event on the Screen.
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

// end returns ErrWaits and shows the proposals if proposals wait and no person is present.
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

// waiting returns the ids of the proposals to change the facts that are not decided.
func waiting(st *workspace.State) []string {
	var ids []string
	for _, p := range st.Proposals {
		ids = append(ids, p.ID)
	}
	return slices.Clip(ids)
}

// codeOf returns the code of a workspace error, "" for other errors.
func codeOf(err error) string {
	if e, ok := errors.AsType[*callwright.Error](err); ok {
		return e.Code
	}
	return ""
}
