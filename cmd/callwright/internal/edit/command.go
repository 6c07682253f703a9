package edit

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/workspace"
)

// A command is an action of the session that a line such as ":undo 3" calls.
type command struct {
	name, argument string // an argument in brackets is optional
	about          string
	do             func(s *session, ctx context.Context, argument string) error
}

// commands returns all commands in the order of the help. It is a function, because help refers to it.
func commands() []command {
	return []command{
		{"draft", "[PATH]", "show the draft, or the value at a JSON pointer such as /items/0", (*session).showDraft},
		{"undo", "[VERSION]", "undo the last change of the draft, or restore the draft of a version", (*session).undo},
		{"history", "[N]", "list the last N versions (default 20) with their authors", (*session).history},
		{"lock", "PATH", "lock the value at a JSON pointer: no model can change it", (*session).lock},
		{"unlock", "PATH", "remove a lock", (*session).unlock},
		{"locks", "", "list the locks", (*session).listLocks},
		{"facts", "[PATH]", "show the facts, or the value at a JSON pointer", (*session).showFacts},
		{"proposals", "", "show the proposed changes of the facts", (*session).listProposals},
		{"commit", "ID", "accept a proposal", (*session).agree},
		{"reject", "ID", "reject a proposal", (*session).reject},
		{"continue", "", "continue an interrupted or failed answer", (*session).continueResponse},
		{"new", "", "start a new conversation; draft, facts and locks stay", (*session).newChat},
		{"help", "", "list the commands", (*session).help},
		{"quit", "", "end the session; so does the end of the input (Ctrl-D)", func(*session, context.Context, string) error { return errQuit }},
	}
}

// command executes a line of the person that is a command. line has no leading colon.
func (s *session) command(ctx context.Context, line string) error {
	name, argument, _ := strings.Cut(line, " ")
	argument = strings.TrimSpace(argument)
	var names []string
	for _, c := range commands() {
		if c.name != name {
			names = append(names, c.name)
			continue
		}
		switch {
		case c.argument == "" && argument != "":
			return &UseError{fmt.Errorf(":%s has no argument, got %q", name, argument)}
		case argument == "" && c.argument != "" && c.argument[0] != '[':
			return &UseError{fmt.Errorf(":%s needs the argument %s", name, c.argument)}
		}
		err := c.do(s, ctx, argument)
		if err != nil || errors.Is(err, errQuit) {
			return err
		}
		return s.refresh(ctx)
	}
	if near := config.Nearest(name, names); near != "" {
		return &UseError{fmt.Errorf("unknown command :%s: did you mean :%s?", name, near)}
	}
	return &UseError{fmt.Errorf("unknown command :%s: :help lists the commands; a message that begins with a colon needs two colons", name)}
}

func (s *session) showDraft(_ context.Context, path string) error {
	return s.value("draft", path)
}

func (s *session) showFacts(_ context.Context, path string) error {
	return s.value("facts", path)
}

// value shows a value of the last shown version. of is "draft" or "facts", path a JSON Pointer.
func (s *session) value(of, path string) error {
	doc := s.seen.Draft
	if of == "facts" {
		doc = s.seen.Facts
	}
	value, err := workspace.At(doc, path)
	if err != nil {
		return err
	}
	return s.tell(Event{Kind: Value, Version: s.seen.Version, Of: of, Path: &path, Value: value})
}

func (s *session) undo(ctx context.Context, version string) error {
	to := uint64(0)
	if version != "" {
		var err error
		if to, err = strconv.ParseUint(version, 10, 64); err != nil || to == 0 {
			return &UseError{fmt.Errorf(":undo expects the number of a version, got %q; :history lists them", version)}
		}
	}
	_, err := s.editor.Undo(ctx, s.folder.id, s.person, to)
	return err
}

func (s *session) history(ctx context.Context, number string) error {
	n := 20
	if number != "" {
		var err error
		if n, err = strconv.Atoi(number); err != nil || n < 1 {
			return &UseError{fmt.Errorf(":history expects a number of versions, got %q", number)}
		}
	}
	entries, err := s.folder.store.History(ctx, s.folder.id)
	if err != nil {
		return err
	}
	return s.tell(Event{Kind: History, Version: s.seen.Version, Entries: entries[max(len(entries)-n, 0):]})
}

func (s *session) lock(ctx context.Context, path string) error {
	return s.edit(ctx, workspace.Edit{Kind: workspace.Lock, Path: path})
}

func (s *session) unlock(ctx context.Context, path string) error {
	return s.edit(ctx, workspace.Edit{Kind: workspace.Unlock, Path: path})
}

// edit applies an edit of the person to the workspace.
func (s *session) edit(ctx context.Context, e workspace.Edit) error {
	e.By = s.person
	_, err := s.editor.Edit(ctx, s.folder.id, e)
	return err
}

func (s *session) listLocks(context.Context, string) error {
	return s.tell(Event{Kind: Locks, Version: s.seen.Version, Locks: s.seen.Locks})
}

func (s *session) listProposals(context.Context, string) error {
	if len(s.seen.Proposals) == 0 {
		return s.note("there are no proposals")
	}
	for _, p := range s.seen.Proposals {
		if err := s.propose(s.seen, p.ID); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) agree(ctx context.Context, id string) error {
	if !s.Person {
		return s.commit(ctx, id, nil)
	}
	return s.commit(ctx, id, func() error { return s.note("repeat :commit %s to accept this", id) })
}

func (s *session) reject(ctx context.Context, id string) error {
	return s.edit(ctx, workspace.Edit{Kind: workspace.RejectFacts, Proposal: id})
}

func (s *session) help(context.Context, string) error {
	var b strings.Builder
	for _, c := range commands() {
		fmt.Fprintf(&b, "%-16s  %s\n", strings.TrimSpace(":"+c.name+" "+c.argument), c.about)
	}
	b.WriteString("Any other line is a message to the model. A message that begins with a colon needs two colons.")
	return s.tell(Event{Kind: Help, Text: b.String()})
}
