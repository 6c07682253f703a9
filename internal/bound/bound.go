package bound

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
)

// The window in which a conversation's use counts, and its parts.
const (
	part   = time.Hour
	window = 24 * part
)

// Code is the code of the errors of requests that are refused.
const Code = "conversation_bound"

// unknownPause is when a client may try again whose conversation's use is not known.
const unknownPause = time.Second

// A Keeper counts the use of conversations. It is safe for concurrent use.
type Keeper struct {
	counters access.Counters
	now      func() time.Time
}

// New returns a Keeper that counts by counters and by a clock. Nil counters count in memory, those of the latest
// conversations.
func New(counters access.Counters, now func() time.Time) *Keeper {
	if now == nil {
		now = time.Now
	}
	if counters == nil {
		counters = newMemory()
	}
	return &Keeper{counters, now}
}

// A Scope says whose bounds they are.
type Scope struct {
	Of     string // for people: the model "coder"
	Limits access.Conversation
}

// A Conversation is one conversation of a client, with the bounds that hold for it. A nil one has none.
type Conversation struct {
	k      *Keeper
	scopes []scope
}

// scope is a Scope with the digest by which the use of the conversation is counted.
type scope struct {
	Scope
	id string
}

// Of returns the conversation of an owner, by the name of its session. It is nil where none of the scopes has a bound,
// or the conversation has no name.
func (k *Keeper) Of(owner, session string, scopes ...Scope) *Conversation {
	c := &Conversation{k: k}
	for _, s := range scopes {
		if session != "" && s.Limits.HasBounds() {
			sum := sha256.Sum256([]byte(strconv.Quote(owner) + strconv.Quote(s.Of) + strconv.Quote(session)))
			c.scopes = append(c.scopes, scope{s, hex.EncodeToString(sum[:16])})
		}
	}
	if c.scopes == nil {
		return nil
	}
	return c
}

// A measure is something that is counted and bounded.
type measure struct {
	name, key string
	limit     func(l *access.Conversation) int64
	say       func(n int64) string // for people
}

// measures are all that is counted.
var measures = []measure{
	{"calls", "max_calls", func(l *access.Conversation) int64 { return l.Calls },
		func(n int64) string { return strconv.FormatInt(n, 10) + " tool calls" }},
	{"tokens", "max_tokens", func(l *access.Conversation) int64 { return l.Tokens },
		func(n int64) string { return strconv.FormatInt(n, 10) + " tokens" }},
	{"nanos", "max_cost", func(l *access.Conversation) int64 { return access.NanosOf(l.USD) }, func(n int64) string {
		return strconv.FormatFloat(float64(n)/access.NanosPerUSD, 'f', -1, 64) + " USD"
	}},
}

// A level is how much of a bound is used.
type level struct {
	m           *measure
	used, limit int64
}

func (l level) part() float64 { return float64(l.used) / float64(l.limit) }

// Enter is called before a request of the conversation asks a model. It returns the sentence for the model, "" for
// none. Errors are of KindPermission for a conversation at a bound of which its model was told, and of KindUnavailable
// where its use is not known.
func (c *Conversation) Enter(ctx context.Context) (told string, err error) {
	if c == nil {
		return "", nil
	}
	for i := range c.scopes {
		s := &c.scopes[i]
		most, err := c.k.level(ctx, s)
		if err != nil {
			return "", unknown(err)
		}
		tellAt := s.Limits.TellAt
		if tellAt == 0 {
			tellAt = access.DefaultTellAt
		}
		if most.part() < tellAt {
			continue
		}
		first, err := c.k.counters.Take(ctx, c.k.window("told", s.id, 1), 1, 1)
		switch {
		case err != nil:
			return "", unknown(err)
		case first == 1:
			told = s.sentence(most)
		case most.used >= most.limit:
			return "", s.refusal(most)
		}
	}
	return told, nil
}

// level returns the bound of a scope of which most is used.
func (k *Keeper) level(ctx context.Context, s *scope) (most level, err error) {
	for i := range measures {
		m := &measures[i]
		limit := m.limit(&s.Limits)
		if limit <= 0 {
			continue
		}
		w := k.window(m.name, s.id, unlimited)
		tally, err := k.counters.Count(ctx, w)
		if err != nil {
			return most, err
		}
		if is := (level{m, tally.In(w), limit}); most.m == nil || is.part() > most.part() {
			most = is
		}
	}
	return most, nil
}

// sentence is the sentence for the model.
func (s *scope) sentence(at level) string {
	return fmt.Sprintf("This conversation has used %s of at most %s. Come to an end: make only the calls that you cannot do without, and give your answer. Further requests are refused at that bound.",
		at.m.say(at.used), at.m.say(at.limit))
}

// refusal is the error of a request of a conversation that is at a bound.
func (s *scope) refusal(at level) error {
	return &callwright.Error{Kind: callwright.KindPermission, Code: Code, NoRetry: true,
		Message: fmt.Sprintf("the conversation has used %s, and conversation.%s of %s allows %s: begin another conversation, or have the operator of this gateway raise the bound",
			at.m.say(at.used), at.m.key, s.Of, at.m.say(at.limit))}
}

func unknown(err error) error {
	if callwright.KindOf(err) == callwright.KindCanceled {
		return err
	}
	return &callwright.Error{Kind: callwright.KindUnavailable, RetryAfter: unknownPause, Err: err,
		Message: "the use of the conversation is not known now, as the state of this gateway is away: try again in a moment"}
}

// A Used is the use of a request.
type Used struct {
	Calls, Tokens int64
	USD           float64
}

// Add counts the use of a request. Errors are those of the counters.
func (c *Conversation) Add(ctx context.Context, u Used) error {
	if c == nil {
		return nil
	}
	amounts := map[string]int64{"calls": u.Calls, "tokens": u.Tokens, "nanos": access.NanosOf(u.USD)}
	for i := range c.scopes {
		s := &c.scopes[i]
		for j := range measures {
			n := amounts[measures[j].name]
			if measures[j].limit(&s.Limits) <= 0 || n <= 0 {
				continue
			}
			w := c.k.window(measures[j].name, s.id, unlimited)
			if err := c.k.counters.Add(ctx, w, access.Tally{{Start: w.Last(), N: n}}); err != nil {
				return err
			}
		}
	}
	return nil
}

// unlimited is the limit of windows that are only counted.
const unlimited = math.MaxInt64 / 2

// window returns the window of a count of a conversation that is now.
func (k *Keeper) window(what, id string, limit int64) access.Window {
	end := k.now().UTC().Truncate(part).Add(part)
	return access.Window{Name: "conversation " + what + " " + id, Start: end.Add(-window), End: end, Part: part, Limit: limit}
}
