package agent

import (
	"context"
	"encoding/json"
	"time"

	"github.com/callwright/callwright"
)

// An Option configures an Agent. Each run reports invalid options. If two options contradict, the last one wins.
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
	check           func(*callwright.Response) string // returns the fault of an answer, "" if it is valid
	setup           json.RawMessage
	newID           func() RunID
	limits
	asking
	climbing
}

// limits are the limits of a run: sizes, steps, tokens, time, cost and concurrency.
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

// asking contains the options for a person's approval of tool calls.
type asking struct {
	approve    func(context.Context, Question) (Decision, error)
	approveAll bool
	approvals  []ApprovalRule
}

// climbing contains the options for the switch to a stronger model.
type climbing struct {
	chain     []callwright.Model
	failLimit int
	move      bool
}

// A ToolUseMode sets whether a run must, may or must not call tools.
type ToolUseMode string

// The tool use modes. The zero value equals ModeRelaxed.
const (
	ModeRelaxed  ToolUseMode = "relaxed"  // the model may answer without calls; failed requests are retried without tools
	ModeEnforced ToolUseMode = "enforced" // requires at least one call before the answer; rejects unreliable models
	ModeDisabled ToolUseMode = "disabled" // no tool is offered
)

// A FailurePolicy sets whether failed tools make a run fail. Under each policy the model receives the error and may
// continue.
type FailurePolicy string

// The failure policies. The zero value equals FailuresFatal.
const (
	FailuresFatal     FailurePolicy = "fatal"     // the run fails if the last call of any tool failed
	FailuresTolerated FailurePolicy = "tolerated" // the run fails if tools failed and no call succeeded
	FailuresTold      FailurePolicy = "told"      // the run never fails because of its tools
)

// EmptyFinal sets the reaction to a response without calls and without text. The zero value asks the model once more,
// in a request without tools.
type EmptyFinal struct {
	Off       bool
	Text      string // the message to the model; "" for the default
	KeepTools bool   // keep the tools in the further request
}

// DefaultMaxBytes is the default limit in bytes for the arguments of a call and for the output of a tool.
const DefaultMaxBytes = 200_000

// Defaults of WithMaxSteps, WithParallel, WithToolTimeout and WithStrongerModels.
const (
	defaultMaxSteps  = 50
	defaultParallel  = 8
	defaultTimeout   = 2 * time.Minute
	defaultFailLimit = 3
)

// Tools adds tools to the tools that the agent offers to the model.
func Tools(tools ...Tool) Option { return func(o *options) { o.tools = append(o.tools, tools...) } }

// From adds sources of tools. Their tools follow the tools of Tools. If several tools have one name, only the first is
// offered.
func From(sources ...Source) Option {
	return func(o *options) { o.sources = append(o.sources, sources...) }
}

// WithSystem adds a system message before the conversation of each new run.
func WithSystem(text string) Option { return func(o *options) { o.system = text } }

// WithMode sets whether a run must, may or must not call tools; the default is ModeRelaxed.
func WithMode(m ToolUseMode) Option { return func(o *options) { o.mode = m } }

// WithUnreliable permits ModeEnforced with models whose capabilities state that they make tool calls badly.
func WithUnreliable() Option { return func(o *options) { o.allowUnreliable = true } }

// WithFailures sets whether failed tools make a run fail; the default is FailuresFatal.
func WithFailures(p FailurePolicy) Option { return func(o *options) { o.failures = p } }

// WithFallbackRetries sets how often a failed request with tools is retried before it is sent without tools; the
// default is 0. Errors of the provider, such as timeouts, are retried as often and then end the run.
func WithFallbackRetries(n int) Option { return func(o *options) { o.fallbackRetries = n } }

// WithMaxArguments sets the maximum size in bytes of the arguments of a call; the default is DefaultMaxBytes.
func WithMaxArguments(bytes int) Option { return func(o *options) { o.maxArguments = bytes } }

// WithMaxOutput sets the maximum size in bytes of a tool's output; the default is DefaultMaxBytes. A larger output
// becomes a CodeOutputTooLarge error unless WithCutOutput is set.
func WithMaxOutput(bytes int) Option { return func(o *options) { o.maxOutput = bytes } }

// WithCutOutput replaces an output above the limit by text: its head, a line with the number of missing bytes, and its
// tail.
func WithCutOutput() Option { return func(o *options) { o.cutOutput = true } }

// WithAllowed restricts the agent to tools whose names match one of the patterns; '*' matches any characters. Without
// patterns all tools are allowed.
func WithAllowed(patterns ...string) Option {
	return func(o *options) { o.allow = append(o.allow, patterns...) }
}

// WithDenied excludes the tools whose names match one of the patterns. It takes precedence over WithAllowed.
func WithDenied(patterns ...string) Option {
	return func(o *options) { o.deny = append(o.deny, patterns...) }
}

// WithChoice sets the tool choice of the first request. Later requests let the model decide.
func WithChoice(c callwright.Choice) Option { return func(o *options) { o.choice = c } }

// WithRequest adds a function that changes each request before it is sent. Functions are called in the order of the
// options and must be safe for concurrent use. They may change the request, but not the data behind its messages and
// tools. The change does not become part of the conversation.
func WithRequest(change func(*callwright.Request)) Option {
	return func(o *options) { o.overrides = append(o.overrides, change) }
}

// WithMaxSteps sets the maximum number of model responses in a run; the default is 50, and 0 or less means no limit.
func WithMaxSteps(n int) Option { return func(o *options) { o.maxSteps = n } }

// WithMaxTokens sets the maximum total of input and output tokens in a run; 0, the default, means no limit.
func WithMaxTokens(n int) Option { return func(o *options) { o.maxTokens = n } }

// WithMaxTime sets the maximum duration of a run. Time in which the run is parked does not count. 0, the default, means
// no limit.
func WithMaxTime(d time.Duration) Option { return func(o *options) { o.maxTime = d } }

// WithMaxCost sets the maximum cost of a run. f computes the cost of one response. A limit of 0 records the cost
// without a limit.
func WithMaxCost(limit float64, f func(callwright.Usage) float64) Option {
	return func(o *options) { o.maxCost, o.cost = limit, f }
}

// WithEmptyFinal sets the reaction to an empty answer. By default the model is asked once more, without tools.
func WithEmptyFinal(e EmptyFinal) Option { return func(o *options) { o.emptyFinal = e } }

// WithClaimQuestion sends the model one further message in a run if its answer claims work that no call of the run did.
// The message asks the model to do the work or to state that it was not done.
func WithClaimQuestion() Option { return func(o *options) { o.asksAboutClaims = true } }

// WithParallel sets the maximum number of calls that run concurrently; the default is 8.
func WithParallel(n int) Option { return func(o *options) { o.parallel = n } }

// WithToolTimeout sets the time limit of a call for tools without a Timeout; the default is two minutes.
func WithToolTimeout(d time.Duration) Option { return func(o *options) { o.timeout = d } }

// WithJournal stores runs in j. The caller closes j. The default, also for nil, is a new MemoryJournal.
func WithJournal(j Journal) Option { return func(o *options) { o.journal = j } }

// WithApprover sets a function that asks a person about a call. The run waits for it; a run asks about one call at a
// time. Without the function, or if it returns Later, the run is parked. If it returns an error, Run returns the error,
// and Resume asks again.
func WithApprover(ask func(ctx context.Context, q Question) (Decision, error)) Option {
	return func(o *options) { o.approve = ask }
}

// WithApproveAll approves every tool call without asking a person.
func WithApproveAll() Option { return func(o *options) { o.approveAll = true } }

// WithApprovalRules overrides when a person must approve calls, for the tools that match the rules. A matching rule
// replaces the tool's Approval and ApproveIf. If several rules match a tool, the last one wins.
func WithApprovalRules(rules ...ApprovalRule) Option {
	return func(o *options) { o.approvals = append(o.approvals, rules...) }
}

// WithStrongerModels sets the models to suggest after bad calls, in ascending order of capability. After limit bad
// responses in a row (0 means 3), [Result].Suggested is the next model.
func WithStrongerModels(limit int, models ...callwright.Model) Option {
	return func(o *options) { o.failLimit, o.chain = limit, models }
}

// WithModelSwitch makes a run switch to the next model of WithStrongerModels when the limit is reached.
func WithModelSwitch() Option { return func(o *options) { o.move = true } }

// WithSetup stores a JSON value in the journal of each run, for the program that resumes the run. [Status] returns it.
func WithSetup(setup json.RawMessage) Option { return func(o *options) { o.setup = setup } }

// WithRunID sets the function that creates the ids of runs. Each id must be valid and unique. f must be safe for
// concurrent use. If f is nil, ids are UUIDs.
func WithRunID(f func() RunID) Option { return func(o *options) { o.newID = f } }
