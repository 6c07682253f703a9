package edit

import (
	"context"
	"reflect"

	"github.com/callwright/callwright/cmd/callwright/internal/document"
	"github.com/callwright/callwright/workspace"
)

// show shows all versions after the last shown one, one by one.
func (s *session) show(ctx context.Context) error {
	newest, err := s.folder.version(ctx, 0)
	if err != nil {
		return err
	}
	for v := s.seen.Version + 1; v <= newest.Version; v++ {
		st := newest
		if v < newest.Version {
			if st, err = s.folder.version(ctx, v); err != nil {
				return err
			}
		}
		if st == nil {
			continue // it was removed; the next version includes its changes
		}
		if err := s.showVersion(st); err != nil {
			return err
		}
		s.seen = st
	}
	return nil
}

// showVersion shows the changes of a version compared to the last shown one.
func (s *session) showVersion(st *workspace.State) error {
	e := st.Entry
	ev := Event{Version: st.Version, By: e.By.Actor, Why: e.Why}
	switch e.Kind {
	case workspace.PatchDraft, workspace.UndoDraft:
		ev.Kind, ev.To, ev.Changes = Draft, e.To, document.Diff(s.seen.Draft, st.Draft)
	case workspace.Lock:
		ev.Kind, ev.Path = Locked, &e.Path
	case workspace.Unlock:
		ev.Kind, ev.Path = Unlocked, &e.Path
	case workspace.ProposeFacts:
		if e.By.Actor == workspace.Person { // the person's own proposal, from the command line
			return nil
		}
		s.pending = append(s.pending, e.Proposal)
		return s.propose(st, e.Proposal)
	case workspace.CommitFacts:
		ev.Kind, ev.Proposal, ev.Changes = Facts, e.Proposal, document.Diff(s.seen.Facts, st.Facts)
	case workspace.RejectFacts:
		ev.Kind, ev.Proposal = Rejected, e.Proposal
	default:
		return nil
	}
	return s.tell(ev)
}

// propose shows the changes that a proposal would make to the facts.
func (s *session) propose(st *workspace.State, id string) error {
	changes, err := s.diffProposal(st, id)
	if err != nil {
		return err
	}
	p, _ := st.Proposal(id)
	if err := s.tell(Event{Kind: Proposal, Version: st.Version, By: p.By.Actor, Proposal: id, Changes: changes, Why: p.Why}); err != nil {
		return err
	}
	s.shown[id] = changes
	return nil
}

// diffProposal returns the changes that a proposal would make to the facts, nil if it can no longer be applied.
func (s *session) diffProposal(st *workspace.State, id string) ([]document.Change, error) {
	facts, err := s.editor.Preview(st, id)
	switch codeOf(err) {
	case "":
	case workspace.CodeUnknownProposal:
		return nil, err
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return document.Diff(st.Facts, facts), nil
}

// commit applies a proposal to the facts. If look is not nil and the changes differ from those that were shown, commit
// applies nothing: it shows the proposal again and calls look.
func (s *session) commit(ctx context.Context, id string, look func() error) error {
	for {
		st, err := s.folder.version(ctx, 0)
		if err != nil {
			return err
		}
		changes, err := s.diffProposal(st, id)
		if err != nil {
			return err
		}
		if shown, ok := s.shown[id]; look != nil && (!ok || !reflect.DeepEqual(shown, changes)) {
			if err := s.propose(st, id); err != nil {
				return err
			}
			return look()
		}
		_, err = s.editor.Edit(ctx, s.folder.id, workspace.Edit{Kind: workspace.CommitFacts, By: s.person, Base: st.Version, Proposal: id})
		if codeOf(err) != workspace.CodeConflict {
			return err
		}
	}
}
