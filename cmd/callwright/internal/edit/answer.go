package edit

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/workspace"
	"github.com/callwright/callwright/workspace/statetool"
	"github.com/google/uuid"
)

// instructions is the system prompt of the model. It is constant, so that providers can cache it.
const instructions = "You and a person edit a JSON document, the draft of a workspace. Read it with " + statetool.Get +
	" before you change it, and change it with " + statetool.Patch +
	"; the person sees each change. The facts are what the person has confirmed: do not contradict them, propose changes of them with " + statetool.Propose +
	", and do not say that a proposal holds before the person has agreed. Values at locked paths stay as they are. The person may change the draft, the facts and the locks between your answers. " +
	"When you are done, say in a few words what you did."

// errBrokenOff is the cause that cancels a response after Ctrl-C.
var errBrokenOff = errors.New("the answer was interrupted")

// recall restores the last session: it loads the conversation and continues an interrupted response.
func (s *session) recall(ctx context.Context) error {
	failed := s.folder.load("chat", &s.chat)
	if s.Named != "" {
		s.chat.Model = s.Named
	}
	if s.folder.chatLock == nil && !strings.HasPrefix(s.Prompt, ":") {
		if err := s.note("another session has this document open and keeps its conversation: the conversation of this session is not stored"); err != nil {
			return err
		}
	}
	status, err := s.status(ctx)
	if failed = errors.Join(failed, err); failed != nil && ctx.Err() == nil { // the document is not affected
		s.chat.Run = ""
		return s.note("the conversation cannot be continued: %v", failed)
	}
	if status == nil {
		return failed
	}
	s.messages = status.Messages
	if s.folder.chatLock == nil {
		s.chat.Run = "" // the other session owns it
		return nil
	}
	switch {
	case status.Stop != "" || s.chat.Closed:
		return nil
	case strings.HasPrefix(s.Prompt, ":"):
		return s.note("an answer was interrupted; the next session without a command continues it: %s", status.Prompt)
	}
	if err := s.note("continuing the interrupted answer: %s", status.Prompt); err != nil {
		return err
	}
	return s.continueResponse(ctx, "")
}

// status returns the status of the run with the current conversation, nil if there is none.
func (s *session) status(ctx context.Context) (*agent.RunStatus, error) {
	for {
		if s.chat.Run == "" {
			return nil, nil
		}
		status, err := agent.Status(ctx, s.folder.journal, s.chat.Run)
		if callwright.KindOf(err) != callwright.KindNotFound {
			return status, err
		}
		s.chat.Run, s.chat.Before = s.chat.Before, "" // Run was killed before it started
	}
}

// say sends a message to the model and shows its response.
func (s *session) say(ctx context.Context, text string) error {
	if err := s.openModel(); err != nil {
		return err
	}
	meanwhile, err := s.describePersonEdits(ctx)
	if err != nil {
		return err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	before := s.chat
	s.chat.Before, s.chat.Run, s.chat.Closed = s.chat.Run, agent.RunID("run_"+id.String()), false
	if err := s.folder.saveChat(s.chat); err != nil {
		s.chat = before
		return err
	}
	a := s.agent.With(agent.WithRunID(func() agent.RunID { return s.chat.Run }))
	messages := append(s.messages[:len(s.messages):len(s.messages)], callwright.UserText(text+meanwhile))
	return s.answer(ctx, func(ctx context.Context) iter.Seq2[agent.Event, error] { return a.Stream(ctx, messages...) })
}

// continueResponse continues a model response that was interrupted.
func (s *session) continueResponse(ctx context.Context, _ string) error {
	status, err := s.status(ctx)
	if err != nil {
		return err
	}
	if status == nil || status.Stop != "" {
		return errors.New("no answer was interrupted")
	}
	if err := s.openModel(); err != nil {
		return err
	}
	return s.answer(ctx, func(ctx context.Context) iter.Seq2[agent.Event, error] { return s.agent.StreamResume(ctx, s.chat.Run) })
}

// newChat starts a new conversation with the model about the same document.
func (s *session) newChat(context.Context, string) error {
	s.chat.Run, s.chat.Before, s.chat.Closed, s.chat.Told, s.messages = "", "", false, 0, nil
	if err := s.folder.saveChat(s.chat); err != nil {
		return err
	}
	return s.note("a new conversation")
}

// openModel opens the model and creates the agent, if that was not done before.
func (s *session) openModel() error {
	if s.agent != nil {
		return nil
	}
	m, opts, err := s.Model(s.chat.Model)
	if err != nil {
		return err
	}
	system := callwright.Message{Role: callwright.RoleSystem, Parts: []callwright.Part{callwright.Text{Text: instructions}}}
	opts = append(opts,
		agent.Tools(statetool.Tools(workspace.NewEditor(s.folder.store), s.folder.id)...),
		agent.WithJournal(s.folder.journal),
		agent.WithFailures(agent.FailuresTold),
		agent.WithParallel(1), // applies several patches in their order
		agent.WithRequest(func(r *callwright.Request) { r.Messages = append([]callwright.Message{system}, r.Messages...) }),
		agent.WithSetup(setup(s.file.path, s.folder.id)),
	)
	s.agent = agent.New(m, opts...)
	return nil
}

// answer shows a response and stores its result. An interrupt cancels the response, but not the session.
func (s *session) answer(ctx context.Context, stream func(context.Context) iter.Seq2[agent.Event, error]) error {
	run, stop := context.WithCancelCause(ctx)
	done := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-s.Interrupts:
			stop(errBrokenOff)
		case <-done:
		}
	}()
	err := s.follow(run, stream(run))
	close(done)
	<-watched
	stop(nil)
	if ctx.Err() != nil {
		return context.Cause(ctx) // the next session continues it
	}
	if _, blind := errors.AsType[screenError](err); blind {
		return err
	}
	return s.settle(ctx, err, errors.Is(context.Cause(run), errBrokenOff))
}

// follow shows the steps of a response. After each tool result it writes the file and shows the changes.
func (s *session) follow(ctx context.Context, events iter.Seq2[agent.Event, error]) error {
	s.unsaved = nil
	for ev, err := range events {
		if err != nil {
			return err
		}
		if err := s.Screen.Answer(ev); err != nil {
			return screenError{err}
		}
		if ev.Kind != agent.EventResult {
			continue
		}
		inner := context.WithoutCancel(ctx)
		s.unsaved = s.sync(inner)
		if err := s.show(inner); err != nil {
			return err
		}
	}
	return nil
}

// settle stores the result of a response, and asks the person about new proposals. failed is the response's error, nil
// for none. brokenOff is true if the person interrupted the response.
func (s *session) settle(ctx context.Context, failed error, brokenOff bool) error {
	status, err := s.status(ctx)
	if err != nil {
		return errors.Join(failed, err)
	}
	if status != nil {
		s.messages = status.Messages
	}
	s.chat.Closed, s.chat.Told = failed != nil, s.seen.Version
	if err := s.folder.saveChat(s.chat); err != nil {
		return errors.Join(failed, err)
	}
	switch {
	case brokenOff && s.Prompt != "":
		failed = errBrokenOff
	case brokenOff:
		failed = s.note("interrupted; :continue continues it")
	}
	if failed == nil {
		failed = s.unsaved
	}
	return errors.Join(failed, s.askAll(ctx))
}

// describePersonEdits returns a sentence for the model about the person's edits since its last response, "" if there
// are none.
func (s *session) describePersonEdits(ctx context.Context) (string, error) {
	if s.chat.Told == 0 || len(s.messages) == 0 {
		return "", nil
	}
	var done []string
	for v := s.chat.Told + 1; v <= s.seen.Version; v++ {
		st, err := s.folder.version(ctx, v)
		if err != nil {
			return "", err
		}
		if st == nil || st.Entry.By.Actor != workspace.Person {
			continue
		}
		if what := inWords(st.Entry); what != "" && (len(done) == 0 || done[len(done)-1] != what) {
			done = append(done, what)
		}
	}
	if done == nil {
		return "", nil
	}
	return fmt.Sprintf("\n\n(Since your last answer the person has %s. The workspace is at version %d.)",
		strings.Join(done, ", "), s.seen.Version), nil
}

// inWords describes a person's edit, "" for edits that the model does not need to know.
func inWords(e workspace.Entry) string {
	switch e.Kind {
	case workspace.PatchDraft:
		return "changed the draft"
	case workspace.UndoDraft:
		return fmt.Sprintf("made the draft that of version %d again", e.To)
	case workspace.Lock:
		return "locked " + quotedPath(e.Path)
	case workspace.Unlock:
		return "unlocked " + quotedPath(e.Path)
	case workspace.CommitFacts:
		return "agreed to " + e.Proposal
	case workspace.RejectFacts:
		return "not agreed to " + e.Proposal
	}
	return ""
}

func quotedPath(path string) string {
	if path == "" {
		return "the whole draft"
	}
	return path
}
