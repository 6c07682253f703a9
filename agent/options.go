package agent

import (
	"context"
	"encoding/json"
	"time"

	"github.com/callwright/callwright"
)

// An Option changes how an Agent works. Wrong ones are reported by each of its runs. Of options that contradict each
// other the last one counts.
type Option func(*options)

type options struct {
	tools    []Tool
	sources  []Source
	system   string
	mode     ToolUseMode
	failures FailurePolicy

	allowUnreliable bool
	fallbackRetries int
	allow, deny     []string
	choice          callwright.Choice
	overrides       []func(*callwright.Request)
	emptyFinal      EmptyFinal
	asksAboutClaims bool
	journal         Journal
	verifier        Verifier
	format          *callwright.AnswerFormat
	check           func(*callwright.Response) string // returns the fault of an answer, "" for none
	setup           json.RawMessage
	newID           func() RunID
	limits
	asking
	climbing
}

// limits bound a run.
type limits struct {
	maxArguments, maxOutput int
	cutOutput               bool
	maxSteps, maxTokens     int
	maxTime                 time.Duration
	maxCost                 float64
	cost                    func(callwright.Usage) float64
	parallel                int
	timeout                 time.Duration
}

// asking holds the options for approvals by a person.
type asking struct {
	approve    func(context.Context, Question) (Decision, error)
	approveAll bool
	approvals  []ApprovalRule
}

// climbing holds the options for the switch to a stronger model.
type climbing struct {
	chain     []callwright.Model
	failLimit int
	move      bool
}

// A ToolUseMode is the degree to which a run depends on its tools.
type ToolUseMode string

// The modes. The zero mode is ModeRelaxed.
const (
	ModeRelaxed  ToolUseMode = "relaxed"  // as the model likes; without tools where it cannot
	ModeEnforced ToolUseMode = "enforced" // an answer needs at least one call before it; a model known to be unreliable is refused
	ModeDisabled ToolUseMode = "disabled" // no tool is offered
)

// A FailurePolicy is the effect of failed tools on a run. The model is told of each failure and may continue.
type FailurePolicy string

// The policies. The zero policy is FailuresFatal.
const (
	FailuresFatal     FailurePolicy = "fatal"     // a failure that no later call of the same tool made good fails the run at its end
	FailuresTolerated FailurePolicy = "tolerated" // one success is enough
	FailuresTold      FailurePolicy = "told"      // the answer counts: for users whom the model tells of its failures
)

// EmptyFinal holds the rules for an answer without calls and without text. The zero value tells the model so once,
// without tools.
type EmptyFinal struct {
	Off       bool
	Text      string // the message to the model; "" for a default text
	KeepTools bool   // whether it may call tools again
}

// DefaultMaxBytes is the default bound of the arguments of a call and of the output of a tool, in bytes.
const DefaultMaxBytes = 200_000

// The other defaults.
const (
	defaultMaxSteps  = 50
	defaultParallel  = 8
	defaultTimeout   = 2 * time.Minute
	defaultFailLimit = 3
)

// Tools offers tools to the model.
func Tools(tools ...Tool) Option { return func(o *options) { o.tools = append(o.tools, tools...) } }

// From offers the tools of sources, after those of Tools. Of two tools of one name the first is offered.
func From(sources ...Source) Option {
	return func(o *options) { o.sources = append(o.sources, sources...) }
}

// WithSystem puts instructions before the conversation.
func WithSystem(text string) Option { return func(o *options) { o.system = text } }

// WithMode sets the degree to which a run depends on its tools; the default is ModeRelaxed.
func WithMode(m ToolUseMode) Option { return func(o *options) { o.mode = m } }

// WithUnreliable allows ModeEnforced with models that are known to make calls badly.
func WithUnreliable() Option { return func(o *options) { o.allowUnreliable = true } }

// WithFailures sets the effect of failed tools on a run; the default is FailuresFatal.
func WithFailures(p FailurePolicy) Option { return func(o *options) { o.failures = p } }

// WithFallbackRetries is how often a model that fails with tools, or whose provider fails, is asked again before it is
// asked without; the default is 0.
func WithFallbackRetries(n int) Option { return func(o *options) { o.fallbackRetries = n } }

// WithMaxArguments bounds the arguments of a call in bytes; the default is DefaultMaxBytes.
func WithMaxArguments(bytes int) Option { return func(o *options) { o.maxArguments = bytes } }

// WithMaxOutput bounds the output of a tool in bytes; the default is DefaultMaxBytes. A longer output is an error.
func WithMaxOutput(bytes int) Option { return func(o *options) { o.maxOutput = bytes } }

// WithCutOutput replaces an output that is too long by its head and its tail, as text with a mark of the omission.
func WithCutOutput() Option { return func(o *options) { o.cutOutput = true } }

// WithAllowed offers and runs only tools whose names one of the patterns matches, in which '*' stands for any text.
// None: all.
func WithAllowed(patterns ...string) Option {
	return func(o *options) { o.allow = append(o.allow, patterns...) }
}

// WithDenied neither offers nor runs tools whose names one of the patterns matches, whatever WithAllowed says.
func WithDenied(patterns ...string) Option {
	return func(o *options) { o.deny = append(o.deny, patterns...) }
}

// WithChoice sets the tool choice of the first request; in later ones the model decides.
func WithChoice(c callwright.Choice) Option { return func(o *options) { o.choice = c } }

// WithRequest adds a function that changes each request before it is sent. Functions are called in the order of the
// options, by several runs at once. They may change the request, but not the data behind its messages and tools. The
// change is not part of the conversation.
func WithRequest(change func(*callwright.Request)) Option {
	return func(o *options) { o.overrides = append(o.overrides, change) }
}

// WithMaxSteps bounds the answers of the model in a run; the default is 50, and 0 or less is no bound.
func WithMaxSteps(n int) Option { return func(o *options) { o.maxSteps = n } }

// WithMaxTokens bounds the tokens of a run, read and written; 0 is no bound, which is the default.
func WithMaxTokens(n int) Option { return func(o *options) { o.maxTokens = n } }

// WithMaxTime bounds the time of a run, without the time for which it was parked; 0 is no bound, which is the default.
func WithMaxTime(d time.Duration) Option { return func(o *options) { o.maxTime = d } }

// WithMaxCost bounds the cost of a run, as f counts it; 0 only counts.
func WithMaxCost(limit float64, f func(callwright.Usage) float64) Option {
	return func(o *options) { o.maxCost, o.cost = limit, f }
}

// WithEmptyFinal sets the rules for an empty answer; by default the model is asked once more, without tools.
func WithEmptyFinal(e EmptyFinal) Option { return func(o *options) { o.emptyFinal = e } }

// WithClaimQuestion sends the model one further message in a run whose answer claims work that no call of the run did.
// The model is to do the work, or to say that it did not.
func WithClaimQuestion() Option { return func(o *options) { o.asksAboutClaims = true } }

// WithParallel bounds how many calls run at a time; the default is 8.
func WithParallel(n int) Option { return func(o *options) { o.parallel = n } }

// WithToolTimeout bounds one call of a tool that has no limit of its own; the default is two minutes.
func WithToolTimeout(d time.Duration) Option { return func(o *options) { o.timeout = d } }

// WithJournal keeps runs in j, which the caller closes; the default, and nil, is a MemoryJournal of the agent's own.
func WithJournal(j Journal) Option { return func(o *options) { o.journal = j } }

// WithApprover asks a person about calls while the run waits, one at a time in a run. Without it, and where the
// decision is Later, the run is parked. An error ends the call of Run, and Resume asks again.
func WithApprover(ask func(ctx context.Context, q Question) (Decision, error)) Option {
	return func(o *options) { o.approve = ask }
}

// WithApproveAll answers yes to every question.
func WithApproveAll() Option { return func(o *options) { o.approveAll = true } }

// WithApprovalRules has rules say when a person is asked about calls of the tools that they match, whatever those say,
// ApproveIf included. Of several rules that match a tool the last one holds.
func WithApprovalRules(rules ...ApprovalRule) Option {
	return func(o *options) { o.approvals = append(o.approvals, rules...) }
}

// WithStrongerModels names more capable models, the least first. After limit bad calls in a row (3 for 0) the result
// suggests the next one.
func WithStrongerModels(limit int, models ...callwright.Model) Option {
	return func(o *options) { o.failLimit, o.chain = limit, models }
}

// WithModelSwitch makes a run continue with the model that WithStrongerModels suggests.
func WithModelSwitch() Option { return func(o *options) { o.move = true } }

// WithSetup keeps a JSON value with each run, for the program that continues the run: Status returns the value.
func WithSetup(setup json.RawMessage) Option { return func(o *options) { o.setup = setup } }

// WithRunID sets the function that makes the ids of runs, each valid and unique. Several runs call f at once. Without
// it, and if f is nil, ids are UUIDs.
func WithRunID(f func() RunID) Option { return func(o *options) { o.newID = f } }
