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

// An Option changes how a [Client] works.
type Option func(*options)

type options struct {
	policy         callwright.Policy
	rules          map[string]bool
	fallbacks      []callwright.Model
	modes          []caps.Mode
	dialect        string
	maxCorrections int
	oneMode        bool // the fallback chain may not change the mode
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
	mint           func(prefix string) string // nil: as package mint makes them
	marks          *dialect.Marks
	transforms     []transform.Transform
	caches
	powers
	transformSet *transformset.Set // of transforms
	places       []place           // of the models
	wrong        *callwright.Error // the error of the options; nil for none
}

// caches are the caches of the data that is derived from tools.
type caches struct {
	schemas  *schema.Cache
	adapters *adapter.Cache
	grammars *constraint.Cache
	toolsets *judge.ToolsetCache
}

// WithPolicy sets the policy; the default is PolicyHeal.
func WithPolicy(p callwright.Policy) Option { return func(o *options) { o.policy = p } }

// WithRules switches rules on or off by their exact ids, whatever the policy is: a family such as json.* is no id. The
// map is not copied and must not change afterwards.
func WithRules(on map[string]bool) Option { return func(o *options) { o.rules = on } }

// WithFallback adds further models to the fallback chain, tried in order when the model before has failed.
func WithFallback(models ...callwright.Model) Option {
	return func(o *options) { o.fallbacks = append(o.fallbacks, models...) }
}

// WithModes fixes the modes and the order in which they are tried. None leaves them to the capabilities.
func WithModes(modes ...caps.Mode) Option { return func(o *options) { o.modes = modes } }

// WithDialect sets the dialect asked for in text mode; the default is that of the model's family.
func WithDialect(name string) Option { return func(o *options) { o.dialect = name } }

// WithMaxCorrections bounds the self-corrections of one request; the default is 2.
func WithMaxCorrections(n int) Option { return func(o *options) { o.maxCorrections = n } }

// WithOneMode makes all attempts with a model in one mode.
func WithOneMode() Option { return func(o *options) { o.oneMode = true } }

// WithoutTextCalls does not search text for calls: only native calls count.
func WithoutTextCalls() Option { return func(o *options) { o.textCallsOff = true } }

// WithStrictJSON adds a stronger instruction where the prompt asks for JSON.
func WithStrictJSON() Option { return func(o *options) { o.strictJSON = true } }

// WithStreamCalls sets when the calls of streams are forwarded.
func WithStreamCalls(s callwright.StreamCalls) Option { return func(o *options) { o.streamCalls = s } }

// WithStrictTools sets which tools and schemas of answers are sent strict; the default is StrictAuto.
func WithStrictTools(s callwright.StrictTools) Option { return func(o *options) { o.strictTools = s } }

// WithConstraints sets whether answers with tools are decoded under a grammar or structural tag that accepts valid
// calls alone, where the engine supports one. The default, caps.Unknown, uses it where it is known to help: calls come
// as text, and the model does not reason.
func WithConstraints(on caps.Truth) Option { return func(o *options) { o.constrain = on } }

// WithToolsOverLimit sets the handling of a request with more tools than its model accepts. The default, ToolsSelect,
// is to select some of the tools.
func WithToolsOverLimit(w callwright.ToolsOverLimit) Option {
	return func(o *options) { o.overLimit = w }
}

// WithCapsStore keeps learned facts in a store that others may share. The default is a store of the client's own.
func WithCapsStore(s caps.Store) Option { return func(o *options) { o.capsStore = s } }

// WithSignatures keeps reasoning signatures in a store that others may share. The default is a signature.Memory of the
// client's own.
func WithSignatures(v signature.Store) Option { return func(o *options) { o.signatures = v } }

// WithFacts sets configured facts. They have precedence over learned and probed facts of the model. Overrides in the
// capability store have precedence over them.
func WithFacts(facts ...caps.Fact) Option {
	return func(o *options) { o.facts = append(o.facts, facts...) }
}

// WithSchemas shares a cache of compiled schemas; the default is one of the client's own.
func WithSchemas(c *schema.Cache) Option { return func(o *options) { o.schemas = c } }

// WithClock sets the source of time. It is called concurrently. The default is time.Now.
func WithClock(now func() time.Time) Option { return func(o *options) { o.now = now } }

// WithIDs sets the function that makes ids; prefix is "call_" or "rep_". mint is called concurrently. The default is a
// time-ordered UUID after the prefix.
func WithIDs(mint func(prefix string) string) Option { return func(o *options) { o.mint = mint } }

// WithMarks adds textual formats of the caller's own, in which calls are read and, on request, written, see
// [dialect.NewMarks]. The default has the formats of the table alone.
func WithMarks(m *dialect.Marks) Option { return func(o *options) { o.marks = m } }

// WithTransforms adds transforms, see [transform.ByName] for those that are built in. They are made in the order of
// list, after the transforms of the model itself.
func WithTransforms(list ...transform.Transform) Option {
	return func(o *options) { o.transforms = append(o.transforms, list...) }
}

// A place is the state that a client keeps of one of its models.
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

// changesNothing reports whether the policy lets everything pass as it came.
func (o *options) changesNothing() bool { return judge.ChangesNothing(o.policy) }

// holdsCalls reports whether the native calls of a model wait until they are judged: where it is left to us, unless the
// model is known to be reliable or made enough clean ones on end.
func (o *options) holdsCalls(c caps.Caps) bool {
	switch {
	case o.holdsAll():
		return true
	case o.streamCalls == callwright.StreamFlowing:
		return false
	}
	return !learning.Reliable(&c)
}

// holdsAll reports whether native calls of every model are held until they are validated.
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
