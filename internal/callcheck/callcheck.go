// Package callcheck defines the interface by which calls are checked against the configured call rules. Package
// callrule implements the rules. The separation keeps it out of programs that embed only the library.
package callcheck

import "github.com/callwright/callwright"

// An Action is the result of a matching call rule.
type Action string

// Actions of call rules.
const (
	Refuse Action = "refuse" // the call is rejected
	Park   Action = "park"   // a person must approve the call; it is rejected if nobody can be asked
	Allow  Action = "allow"  // only for a rule that cannot be evaluated: the call is accepted with a note
)

// A Caller describes the origin of a request.
type Caller struct {
	Key    string             // name of the API key, "" if none
	Group  string             // name of the key's group, "" if none
	Client string             // API of the client, or AgentClient
	Model  callwright.ModelID // requested model, as provider/model
	// Session returns the name of the request's conversation, "" for none. Session may be nil. It is called only if a rule
	// uses the name.
	Session func() string
	// Asks is set for a caller that evaluates the rules with action Park itself and asks a person. Check.Find then ignores
	// these rules.
	Asks bool
}

// AgentClient is the value of Caller.Client for an agent of this module.
const AgentClient = "agent"

// InvalidRefused is the reason why a valid call is rejected: a call rule refuses it.
const InvalidRefused callwright.InvalidReason = "refused"

// Rules are the call rules for a model. They are safe for concurrent use.
type Rules interface {
	// For returns the Check for the calls of a caller. It returns nil if no rule can match them.
	For(c Caller) Check
}

// A Check evaluates the rules for the calls of one answer. It is not safe for concurrent use.
type Check interface {
	// Covers reports whether a rule applies to the tool with this declared name.
	Covers(tool string) bool
	// Bars reports whether a rule refuses or parks every call of a tool, whatever its arguments.
	Bars(tool string) bool
	// Find evaluates the rules for a valid call with a declared tool name. It returns the zero Finding if no rule matches.
	Find(c *callwright.Call) Finding
}

// A Finding is the result of the rules for one call. The zero Finding means that no rule matches.
type Finding struct {
	Rule    string // name of the rule, "" if none matches
	Action  Action
	Message string // message of the rule, or why it could not be evaluated
	Failed  bool   // the rule could not be evaluated; Action is its OnError
}

// Blocks reports whether the call must not be sent to the client or run.
func (f *Finding) Blocks() bool { return f.Action == Refuse || f.Action == Park }

// Text returns the result as a predicate whose subject is the call: "was refused by the rule no-delete: not here".
func (f *Finding) Text() string {
	out := "was refused by the rule " + f.Rule
	switch {
	case f.Failed:
		return out + ", which could not be checked: " + f.Message
	case f.Action == Park:
		out = "needs the approval of a person by the rule " + f.Rule + ", and nobody can be asked here"
	}
	if f.Message != "" {
		out += ": " + f.Message
	}
	return out
}

// Question returns the text with which a person is asked to approve the call.
func (f *Finding) Question() string {
	if f.Message == "" {
		return "the rule " + f.Rule + " requires an approval"
	}
	return "the rule " + f.Rule + " requires an approval: " + f.Message
}

// Note returns a note on the Finding for a call. tool is the tool name, arguments are those of the call.
func (f *Finding) Note(tool, arguments string) callwright.Note {
	n := callwright.Note{Rule: RuleRefused, Stage: callwright.StageValidate, Call: tool, Was: arguments, Now: f.Rule, Why: f.Message}
	switch {
	case f.Failed:
		n.Rule, n.Why = RuleFailed, "the rule could not be evaluated, and the call was "+pastOf[f.Action]+": "+f.Message
	case f.Action == Park:
		n.Rule = RuleParked
	}
	return n
}

var pastOf = map[Action]string{Refuse: "refused", Allow: "allowed"}

// Rule IDs of notes on calls that a call rule matches. Note.Now is the name of the call rule.
const (
	RuleRefused = "call_rule.refused"
	RuleParked  = "call_rule.parked"
	RuleFailed  = "call_rule.failed"
	// RuleBarred and RuleUnchecked are for hosted tools, which providers run themselves.
	RuleBarred    = "call_rule.barred"
	RuleUnchecked = "call_rule.unchecked"
)
