package reliable

import (
	"cmp"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/internal/constraint"
	"github.com/callwright/callwright/internal/mint"
	"github.com/callwright/callwright/internal/transformset"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/learning"
	"github.com/callwright/callwright/reliable/internal/modes"
	"github.com/callwright/callwright/reliable/internal/remedy"
	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/signature"
	"github.com/callwright/callwright/transform"
)

// An Option configures a [Client].
type Option func(*options)

type options struct {
	policy         callwright.Policy
	rules          map[string]bool
	fallbacks      []callwright.Model
	modes          []caps.Mode
	dialect        string
	maxCorrections int
	oneMode        bool // the fallback chain stays in one mode for each model
	textCallsOff   bool
	strictJSON     bool
	streamCalls    callwright.StreamCalls
	strictTools    callwright.StrictTools
	constrain      caps.Truth
	overLimit      callwright.ToolsOverLimit
	capsStore      caps.Store
	signatures     signature.Store
	facts          []caps.Fact
	now            func() time.Time
	mint           func(prefix string) string // nil means mint.ID
	marks          *dialect.Marks
	transforms     []transform.Transform
	caches
	optionalInterfaces
	transformSet *transformset.Set // compiled transforms
	places       []place           // state by index of the model
	wrong        *callwright.Error // error of an invalid option, or nil
}

// caches has the caches of data derived from tools.
type caches struct {
	schemas  *schema.Cache
	adapters *adapter.Cache
	grammars *constraint.Cache
	toolsets *judge.ToolsetCache
}

// WithPolicy sets the policy. The default is PolicyHeal.
func WithPolicy(p callwright.Policy) Option { return func(o *options) { o.policy = p } }

// WithRules enables or disables rules by exact ID, overriding the policy. Prefixes such as json.* are not supported.
// The map must not be modified afterwards.
func WithRules(on map[string]bool) Option { return func(o *options) { o.rules = on } }

// WithFallback appends models to the fallback chain. They are tried in order after the previous model failed.
func WithFallback(models ...callwright.Model) Option {
	return func(o *options) { o.fallbacks = append(o.fallbacks, models...) }
}

// WithModes sets the modes and their order. Without modes, capabilities and statistics determine them.
func WithModes(modes ...caps.Mode) Option { return func(o *options) { o.modes = modes } }

// WithDialect sets the text format of calls for the mode text. The default is the format of the model's family.
func WithDialect(name string) Option { return func(o *options) { o.dialect = name } }

// WithMaxCorrections sets the maximum number of self-corrections for a request. The default is 2.
func WithMaxCorrections(n int) Option { return func(o *options) { o.maxCorrections = n } }

// WithOneMode restricts all attempts with a model to one mode, the first in the order of its modes.
func WithOneMode() Option { return func(o *options) { o.oneMode = true } }

// WithoutTextCalls disables the search for calls in text: only native calls are read.
func WithoutTextCalls() Option { return func(o *options) { o.textCallsOff = true } }

// WithStrictJSON adds a stronger instruction to prompts that require JSON.
func WithStrictJSON() Option { return func(o *options) { o.strictJSON = true } }

// WithStreamCalls sets when the calls of a stream are sent to the client. The default is StreamAuto.
func WithStreamCalls(s callwright.StreamCalls) Option { return func(o *options) { o.streamCalls = s } }

// WithStrictTools sets which tools and response schemas are sent as strict. The default is StrictAuto.
func WithStrictTools(s callwright.StrictTools) Option { return func(o *options) { o.strictTools = s } }

// WithConstraints sets whether responses to requests with tools are decoded under a grammar or structural tag that
// permits only valid calls, if the engine supports one. The default, caps.Unknown, does so if calls are written as
// text and the model does not reason.
func WithConstraints(on caps.Truth) Option { return func(o *options) { o.constrain = on } }

// WithToolsOverLimit sets the handling of a request with more tools than its model accepts. The default is
// ToolsSelect.
func WithToolsOverLimit(w callwright.ToolsOverLimit) Option {
	return func(o *options) { o.overLimit = w }
}

// WithCapsStore sets the store of learned facts, which clients may share. The default is a caps.Memory for this
// client.
func WithCapsStore(s caps.Store) Option { return func(o *options) { o.capsStore = s } }

// WithSignatures sets the store of reasoning signatures, which clients may share. The default is a signature.Memory
// for this client.
func WithSignatures(v signature.Store) Option { return func(o *options) { o.signatures = v } }

// WithFacts sets configured facts about the model. They override learned and probed facts. Operator overrides in the
// capability store take precedence over them.
func WithFacts(facts ...caps.Fact) Option {
	return func(o *options) { o.facts = append(o.facts, facts...) }
}

// WithSchemas sets the cache of compiled schemas, which clients may share. The default is a cache for this client.
func WithSchemas(c *schema.Cache) Option { return func(o *options) { o.schemas = c } }

// WithClock sets the source of the current time. now must be safe for concurrent use. The default is time.Now.
func WithClock(now func() time.Time) Option { return func(o *options) { o.now = now } }

// WithIDs sets the function that makes IDs with the prefix "call_" or "rep_". mint must be safe for concurrent use.
// The default returns prefix and a time-ordered UUID.
func WithIDs(mint func(prefix string) string) Option { return func(o *options) { o.mint = mint } }

// WithMarks adds text formats of the caller for reading calls and, if selected with WithDialect, for describing them
// in prompts. See [dialect.NewMarks].
func WithMarks(m *dialect.Marks) Option { return func(o *options) { o.marks = m } }

// WithTransforms adds transforms, such as built-in ones from [transform.ByName]. They run in the given order, after
// the transforms of the model itself.
func WithTransforms(list ...transform.Transform) Option {
	return func(o *options) { o.transforms = append(o.transforms, list...) }
}

// A place is the state that a client keeps for one of its models.
type place struct {
	planned  atomic.Pointer[planned]
	tally    modes.Tally
	remedies remedy.Tally
}

func newOptions(opts []Option) *options {
	o := &options{maxCorrections: 2}
	for _, set := range opts {
		set(o)
	}
	if o.now == nil {
		o.now = time.Now
	}
	o.schemas, o.adapters, o.grammars = schemasOr(o.schemas), adapter.NewCache(0), constraint.NewCache()
	o.policy, o.streamCalls = cmp.Or(o.policy, callwright.PolicyHeal), cmp.Or(o.streamCalls, callwright.StreamAuto)
	o.toolsets, o.places = judge.NewToolsetCache(o.schemas), make([]place, 1+len(o.fallbacks))
	if o.transforms != nil {
		o.transformSet = transformset.New(o.transforms, o.policy, o.rules)
		o.rules, o.facts = o.transformSet.Rules(o.rules), append(o.transformSet.Facts(), o.facts...)
	}
	for i := range o.facts {
		o.facts[i].Source = caps.Configured
	}
	return o
}

func (o *options) ledger() *judge.Ledger { return judge.NewLedger(o.policy, o.rules) }

// changesNothing reports whether the policy is off or observe, which change nothing.
func (o *options) changesNothing() bool { return judge.ChangesNothing(o.policy) }

// holdsCalls reports whether the native calls of a model with capabilities c are buffered until validated. With
// StreamAuto they are, unless the model is known to be reliable or made enough consecutive valid calls.
func (o *options) holdsCalls(c caps.Caps) bool {
	switch {
	case o.holdsAll():
		return true
	case o.streamCalls == callwright.StreamFlowing:
		return false
	}
	return !learning.Reliable(&c)
}

// holdsAll reports whether the native calls of every model are buffered until validated.
func (o *options) holdsAll() bool {
	return o.policy == callwright.PolicyStrict || o.streamCalls == callwright.StreamHeld
}

func mintOr(own func(prefix string) string) func(prefix string) string {
	if own == nil {
		return mint.ID
	}
	return own
}

func schemasOr(c *schema.Cache) *schema.Cache {
	if c == nil {
		return schema.NewCache(1024)
	}
	return c
}
