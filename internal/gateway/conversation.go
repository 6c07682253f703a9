package gateway

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/bound"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/session"
	"github.com/callwright/callwright/reliable"
)

// A Bounder is a Models that limits the use of a model by one conversation. Without it, only keys can have such limits.
type Bounder interface {
	ConversationBounds(name string) access.Conversation
}

// enterConversation returns an error if the conversation of a request has reached a limit of its model or key. If a
// limit is close, it adds a notice for the model to the request. Without configured limits it does nothing.
func (s *Server) enterConversation(x *exchange, r *http.Request, model *reliable.Client, req *callwright.Request) error {
	var scopes []bound.Scope
	if s.bounder != nil {
		if l := s.bounder.ConversationBounds(string(req.Model)); l.HasBounds() {
			scopes = append(scopes, bound.Scope{Of: "the model " + strconv.Quote(callwright.Excerpt(string(req.Model))), Limits: l})
		}
	}
	if l := x.caller.Conversation(); l.HasBounds() {
		scopes = append(scopes, bound.Scope{Of: "the key " + strconv.Quote(x.caller.Name), Limits: l})
	}
	if scopes == nil {
		return nil
	}
	history, err := req.History()
	if err != nil {
		return err
	}
	x.conversation = s.cfg.Conversations.Of(x.key(), session.OfRequest(r.Header, req), scopes...)
	if x.conversation == nil {
		return nil
	}
	x.metered = &meteredRequest{req: req, model: model.ID()}
	told, err := x.conversation.Enter(r.Context())
	if err != nil || told == "" {
		return err
	}
	req.Messages = append(slices.Clone(history), callwright.UserText(told))
	companion.Edit(req, func(c *companion.Companion) {
		c.Notes = append(c.Notes, callwright.Note{Rule: "plan.told", Stage: callwright.StagePlan, Now: callwright.Excerpt(told)})
	})
	return nil
}

// countConversation adds the use of a request to its conversation. It must run before the client receives the end of
// the response, because the next request may reach another gateway.
func (s *Server) countConversation(ctx context.Context, x *exchange, rep *callwright.Report) {
	c := x.conversation
	if c == nil {
		return
	}
	x.conversation = nil // count only once
	used := bound.Used{Calls: int64(x.calls)}
	if x.left {
		rep = nil // the client left: the attempts are unknown
	}
	counted := x.metered.usage(s.tokens, rep)
	add := func(m callwright.ModelID, u callwright.Usage) {
		used.Tokens += int64(u.Input + u.Output)
		usd, _ := s.access.Cost(m, u)
		used.USD += usd
	}
	switch {
	case rep == nil:
		add(x.metered.model, counted)
	default:
		for i := range rep.Attempts {
			at := &rep.Attempts[i]
			switch {
			case at.Usage.Known:
				add(at.Model, at.Usage)
			case at.Error == "":
				add(at.Model, counted)
			}
		}
	}
	if err := c.Add(ctx, used); err != nil {
		s.logStoreError(ctx, "usage of a conversation not counted", x.reportID, err)
	}
}
