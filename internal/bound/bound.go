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

// The window is the period for which the use of a conversation is counted. It is divided into parts.
const (
	part   = time.Hour
	window = 24 * part
)

// Code is the error code of rejected requests.
const Code = "conversation_bound"

// unknownPause is the RetryAfter of a request that is rejected because the counters cannot be read.
const unknownPause = time.Second

// A Keeper counts the use of conversations. It is safe for concurrent use.
type Keeper struct {
	counters access.Counters
	now      func() time.Time
}

// New returns a Keeper. Nil counters mean counters in memory, which keep only the most recently used conversations. A
// nil now means time.Now.
func New(counters access.Counters, now func() time.Time) *Keeper {
	if now == nil {
		now = time.Now
	}
	if counters == nil {
		counters = newMemory()
	}
	return &Keeper{counters, now}
}

// A Scope has the limits of conversations with one model or key.
type Scope struct {
	Of     string // for error messages, such as: the model "coder"
	Limits access.Conversation
}

// A Conversation is one conversation of a client and its limits. The methods of a nil Conversation do nothing.
type Conversation struct {
	k      *Keeper
	scopes []scope
}

// A scope has the limits of one model or key for a conversation, and the ID under which its use is counted.
type scope struct {
	Scope
	id string
}

// Of returns an owner's conversation by its session name, with the limits of all scopes. It returns nil if no scope has
// a limit or session is empty.
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

// A measure is a quantity that is counted and limited.
type measure struct {
	name, key string
	limit     func(l *access.Conversation) int64
	format    func(n int64) string // formats an amount for people
}

// measures lists the limited quantities.
var measures = []measure{
	{"calls", "max_calls", func(l *access.Conversation) int64 { return l.Calls },
		func(n int64) string { return strconv.FormatInt(n, 10) + " tool calls" }},
	{"tokens", "max_tokens", func(l *access.Conversation) int64 { return l.Tokens },
		func(n int64) string { return strconv.FormatInt(n, 10) + " tokens" }},
	{"nanos", "max_cost", func(l *access.Conversation) int64 { return access.NanosOf(l.USD) }, func(n int64) string {
		return strconv.FormatFloat(float64(n)/access.NanosPerUSD, 'f', -1, 64) + " USD"
	}},
}

// A level is the used amount of one limit.
type level struct {
	m           *measure
	used, limit int64
}

func (l level) part() float64 { return float64(l.used) / float64(l.limit) }

// Enter checks the limits before a request is sent to a model. If the conversation comes near a limit, it returns a
// sentence for the model once. At a limit it returns an error of KindPermission, unless the model has not yet received
// the sentence. It returns an error of KindUnavailable if the counters cannot be read.
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

// level returns the limit of a scope of which the largest share is used.
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

// sentence returns the warning for the model that a limit is near.
func (s *scope) sentence(at level) string {
	return fmt.Sprintf("This conversation has used %s of at most %s. Come to an end: make only the calls that you cannot do without, and give your answer. Further requests are refused at that bound.",
		at.m.format(at.used), at.m.format(at.limit))
}

// refusal returns the error of a request at a limit.
func (s *scope) refusal(at level) error {
	return &callwright.Error{Kind: callwright.KindPermission, Code: Code, NoRetry: true,
		Message: fmt.Sprintf("the conversation has used %s, but conversation.%s of %s allows %s: start a new conversation, or ask the operator of this gateway to raise the limit",
			at.m.format(at.used), at.m.key, s.Of, at.m.format(at.limit))}
}

func unknown(err error) error {
	if callwright.KindOf(err) == callwright.KindCanceled {
		return err
	}
	return &callwright.Error{Kind: callwright.KindUnavailable, RetryAfter: unknownPause, Err: err,
		Message: "the use of the conversation cannot be read, because the state of this gateway is unavailable: try again in a moment"}
}

// A Used is the use by one request: tool calls, tokens and cost in US dollars.
type Used struct {
	Calls, Tokens int64
	USD           float64
}

// Add counts the use by a request. It returns errors of the counters.
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

// unlimited is the limit of windows that are counted but not limited here.
const unlimited = math.MaxInt64 / 2

// window returns the current counter window of a conversation. quantity is the name of the quantity.
func (k *Keeper) window(quantity, id string, limit int64) access.Window {
	end := k.now().UTC().Truncate(part).Add(part)
	return access.Window{Name: "conversation " + quantity + " " + id, Start: end.Add(-window), End: end, Part: part, Limit: limit}
}
