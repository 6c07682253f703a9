package reliable

import (
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/vault"
)

// An Option changes how a [Client], or one of the three steps, works.
type Option func(*options)

type options struct {
	policy         callwright.Policy
	rules          map[string]bool
	fallbacks      []callwright.Model
	modes          []caps.Mode
	dialect        string
	maxCorrections int
	oneMode        bool // the ladder may not change the mode
	textCallsOff   bool
	strictJSON     bool
	streamCalls    callwright.StreamCalls
	shelf          caps.Shelf
	vault          vault.Store
	facts          []caps.Fact
	schemas        *schema.Cache
	surfaces       *judge.ToolsetCache
	now            func() time.Time
	newID          func(prefix string) string

	reasoningPrimed bool
	choice          callwright.Choice
	quoted          []string
	marks           *dialect.Marks
	model           callwright.ModelID
}

// WithPolicy sets the policy; the default is Heal.
func WithPolicy(p callwright.Policy) Option { return func(o *options) { o.policy = p } }

// WithRules switches rules by their exact ids, whatever the policy says: a family such as json.* is no id. The map is not
// copied and must not change afterwards.
func WithRules(on map[string]bool) Option { return func(o *options) { o.rules = on } }

// WithFallback adds further models to the ladder, tried in order when the model before is spent.
func WithFallback(models ...callwright.Model) Option {
	return func(o *options) { o.fallbacks = append(o.fallbacks, models...) }
}

// WithModes fixes the modes and the order in which they are tried. None leaves them to the capabilities.
func WithModes(modes ...caps.Mode) Option { return func(o *options) { o.modes = modes } }

// WithDialect sets the dialect asked for in text mode; the default is that of the model's family.
func WithDialect(name string) Option { return func(o *options) { o.dialect = name } }

// WithMaxCorrections bounds the self-corrections of one request; the default is 2.
func WithMaxCorrections(n int) Option { return func(o *options) { o.maxCorrections = max(n, 0) } }

// WithOneMode keeps the ladder from changing the mode.
func WithOneMode() Option { return func(o *options) { o.oneMode = true } }

// WithoutTextCalls leaves text unread: only native calls count.
func WithoutTextCalls() Option { return func(o *options) { o.textCallsOff = true } }

// WithStrictJSON adds a stronger instruction where JSON is asked for in words.
func WithStrictJSON() Option { return func(o *options) { o.strictJSON = true } }

// WithStreamCalls says when the calls of streams are sent on.
func WithStreamCalls(s callwright.StreamCalls) Option { return func(o *options) { o.streamCalls = s } }

// WithShelf keeps learned facts in a shelf that others may share; the default is a shelf of the client's own.
func WithShelf(s caps.Shelf) Option { return func(o *options) { o.shelf = s } }

// WithVault keeps opaque state in a vault that others may share; the default is a vault.Memory of the client's own. Shape
// restores state only where it has one.
func WithVault(v vault.Store) Option { return func(o *options) { o.vault = v } }

// WithFacts lays configured facts over everything else that is known of the model.
func WithFacts(facts ...caps.Fact) Option {
	return func(o *options) { o.facts = append(o.facts, facts...) }
}

// WithSchemas shares a cache of compiled schemas; the default is one of the client's own.
func WithSchemas(c *schema.Cache) Option { return func(o *options) { o.schemas = c } }

// WithClock sets the source of time, which is asked by many goroutines; the default is time.Now.
func WithClock(now func() time.Time) Option { return func(o *options) { o.now = now } }

// WithIDs sets how ids are minted; prefix is "call_" or "rep_". mint is called by many goroutines. The default is a
// time-ordered UUID behind the prefix.
func WithIDs(mint func(prefix string) string) Option { return func(o *options) { o.newID = mint } }

// WithReasoningPrimed tells Extract that the prompt had already opened the reasoning block.
func WithReasoningPrimed() Option { return func(o *options) { o.reasoningPrimed = true } }

// WithChoice tells Extract which calls the request allowed: others are left out, with a note.
func WithChoice(c callwright.Choice) Option { return func(o *options) { o.choice = c } }

// WithQuoted gives Extract texts that the model may only be repeating, such as recent tool results.
func WithQuoted(texts ...string) Option {
	return func(o *options) { o.quoted = append(o.quoted, texts...) }
}

// WithMarks reads calls in textual formats of the caller's own too, see [dialect.NewMarks]; the default is those of the table.
func WithMarks(m *dialect.Marks) Option { return func(o *options) { o.marks = m } }

// WithModelHint tells Extract which model wrote the answer; it settles ties between dialects.
func WithModelHint(m callwright.ModelID) Option { return func(o *options) { o.model = m } }

func newOptions(opts []Option) *options {
	o := &options{maxCorrections: 2}
	for _, set := range opts {
		set(o)
	}
	if o.now == nil {
		o.now = time.Now
	}
	if o.newID == nil {
		o.newID = mintID
	}
	if o.schemas == nil {
		o.schemas = schema.NewCache(1024)
	}
	if o.policy == "" {
		o.policy = callwright.PolicyHeal
	}
	if o.streamCalls == "" {
		o.streamCalls = callwright.StreamAuto
	}
	o.surfaces = judge.NewToolsetCache(o.schemas)
	return o
}

func (o *options) ledger() *judge.Ledger { return &judge.Ledger{Policy: o.policy, Rules: o.rules} }

// keeps reports whether a vault serves the client of a request.
func (o *options) keeps(req *callwright.Request) bool {
	if o.vault == nil || o.policy == callwright.PolicyOff || o.policy == callwright.PolicyObserve {
		return false
	}
	h, ok := req.Body.(callwright.HandingBack)
	return !ok || !h.HandsBack()
}
