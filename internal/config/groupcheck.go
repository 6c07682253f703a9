package config

import (
	"fmt"
	"slices"

	"github.com/callwright/callwright/internal/errorkind"
	"github.com/callwright/callwright/internal/spelling"
)

// group reports errors in the members of a group of models: duplicates, unknown names, too many members.
func (k *checker) group(path string, m *Model) {
	_, said := k.d.places[path+".any"]
	switch {
	case k.bad(path + ".any"):
		return
	case !said && len(m.Any) == 0:
		if m.Prefer != "" {
			k.fail(path+".prefer", "prefer applies only to a group: list its members in any, or leave prefer out")
		}
		return
	case m.Model != "":
		k.fail(path+".any", "expected either model or any, got both: remove one of them")
	case len(m.Any) == 0:
		k.fail(path+".any", "expected at least one member, a model or an alias, got none")
	case len(m.Any) > maxMembers:
		k.fail(path+".any", "expected at most %d members, got %d", maxMembers, len(m.Any))
	}
	for i, next := range m.Any {
		place := fmt.Sprintf("%s.any[%d]", path, i)
		if slices.Contains(m.Any[:i], next) {
			k.fail(place, "%s is in the group twice: remove one", next)
		} else if _, err := k.c.members(string(next)); err != nil {
			k.fail(place, "%v", err)
		}
	}
}

// retried are the kinds of failures after which a request may be retried.
var retried = []string{string(errorkind.RateLimited), string(errorkind.BadAnswer), string(errorkind.Unavailable), string(errorkind.Timeout)}

// bounds reports errors in the retries, fallbacks, breaker and conversation limits among the settings s.
func (k *checker) bounds(path string, s *Settings) {
	_, retries := k.d.places[path+".retries.max"]
	if retries && s.MaxRetries != nil {
		k.fail(path+".retries.max", "max_retries already sets the number: remove max_retries or max")
	}
	if _, said := k.d.places[path+".retries.on"]; said && len(s.Retries.On) == 0 && !k.bad(path+".retries.on") {
		k.fail(path+".retries.on", "expected at least one kind of failure, got none: to switch retries off, set retries: {max: 0}")
	}
	for i, c := range s.Retries.On {
		if !slices.Contains(retried, string(c)) {
			k.fail(fmt.Sprintf("%s.retries.on[%d]", path, i), "this kind of failure is never retried: expected %s, got %q",
				spelling.Or(retried), c)
		}
	}
	for i := range s.Fallbacks {
		place := fmt.Sprintf("%s.fallbacks[%d]", path, i)
		if _, said := k.d.places[place+".on"]; said && len(s.Fallbacks[i].On) == 0 && !k.bad(place) {
			k.fail(place+".on", "expected at least one kind of failure, got none: leave on out for all kinds")
		}
		if s.Fallbacks[i].Model == "" && !k.bad(place) {
			k.fail(place, "expected model, the name of the fallback")
		}
	}
	k.conversation(path+".conversation", &s.Conversation)
}

// conversation reports errors in the limits of conversations.
func (k *checker) conversation(path string, c *Conversation) {
	bounded := c.MaxCalls > 0 || c.MaxTokens > 0 || c.MaxCost > 0
	_, said := k.d.places[path]
	switch {
	case k.bad(path):
	case c.TellAt < 0 || c.TellAt >= 1:
		k.fail(path+".tell_at", "expected a share of a limit, above 0 and below 1, such as 0.8, got %v", c.TellAt)
	case said && !bounded:
		k.fail(path, "expected a limit above 0: max_calls, max_tokens or max_cost")
	}
}
