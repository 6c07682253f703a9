package edit

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/workspace"
)

// askAll asks the person about each proposal of s.pending. A proposal without an answer stays open.
func (s *session) askAll(ctx context.Context) error {
	pending := s.pending
	s.pending = nil
	if !s.Person {
		return nil
	}
	for _, id := range pending {
		if _, open := s.seen.Proposal(id); !open {
			continue
		}
		if err := s.ask(ctx, id); err != nil {
			return err
		}
		if err := s.refresh(ctx); err != nil {
			return err
		}
	}
	return nil
}

// ask asks the person whether to accept a proposal that was shown.
func (s *session) ask(ctx context.Context, id string) error {
	for {
		line, err := s.Lines.ask(ctx, func() error { return s.prompt("accept " + id + "? [y]es, [n]o, [l]ater: ") })
		if err != nil {
			if _, blind := errors.AsType[screenError](err); blind {
				return err
			}
			if err := s.tell(Event{Kind: Note}); err != nil { // ends the line with the question
				return err
			}
			if errors.Is(err, io.EOF) || errors.Is(err, errInterrupted) {
				return s.later(id)
			}
			return err
		}
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return s.commit(ctx, id, func() error { return s.ask(ctx, id) })
		case "n", "no":
			return s.edit(ctx, workspace.Edit{Kind: workspace.RejectFacts, Proposal: id})
		case "", "l", "later":
			return s.later(id)
		}
	}
}

func (s *session) later(id string) error {
	return s.note("%s waits: :commit %s accepts it, :reject %s rejects it", id, id, id)
}

// setup returns the JSON that is stored with each run in the journal: the file and the workspace of the session.
func setup(path string, id workspace.ID) []byte {
	b := jsonx.AppendQuote([]byte(`{"edit":`), path)
	b = jsonx.AppendQuote(append(b, `,"workspace":`...), string(id))
	return append(b, '}')
}
