// Package callcheck has the interface through which stages check a call by the call rules of the configuration. Package
// callrule has the rules themselves, which programs that embed the library never compile.
package callcheck

import "github.com/callwright/callwright"

// An Action is the outcome of a call that a rule matches.
type Action string

// The actions.
const (
	Refuse Action = "refuse" // the call is not handed on
	Park   Action = "park"   // a person has to approve it first; where nobody can be asked it is refused
	Allow  Action = "allow"  // of rules that cannot be evaluated: the call goes on, with a note
)

// A Caller is the origin of a request.
type Caller struct {
	Key    string             // the name of the key, "" without one
	Group  string             // the name of the key's group, "" for none
	Client string             // the API of the client, AgentClient for an agent of this module
	Model  callwright.ModelID // the model that is asked, as provider/model
	// Session returns the name of the conversation, "" for one without a name. It is called when a rule asks for it;
	// nil names none.
	Session func() string
	// Asks is set for a caller that checks its calls by the rules that park itself, and asks a person. Such rules find
	// nothing here.
	Asks bool
}

// AgentClient is the Client of agents.
const AgentClient = "agent"

// InvalidRefused is the reason of a valid call that a rule refuses.
const InvalidRefused callwright.InvalidReason = "refused"

// Rules are the call rules of a model. They are safe for concurrent use.
type Rules interface {
	// For returns the check of the calls of a caller, nil if no rule can match any of them.
	For(c Caller) Check
}

// A Check looks at the calls of one answer. It is used by one goroutine at a time.
type Check interface {
	// Covers reports whether a rule names the tool, by its declared name.
	Covers(tool string) bool
	// Bars reports whether a rule refuses or parks every call of a tool, whatever its arguments.
	Bars(tool string) bool
	// Find returns the finding on a valid call with a declared name, the zero Finding if no rule matches.
	Find(c *callwright.Call) Finding
}

// A Finding is the result of the rules for a call. The zero Finding is that no rule matches.
type Finding struct {
	Rule    string // its name, "" where no rule says anything
	Action  Action
	Message string // of the rule, or why it could not be evaluated
	Failed  bool   // the rule could not be evaluated: Action is its OnError
}

// Blocks reports whether the call is not handed on.
func (f *Finding) Blocks() bool { return f.Action == Refuse || f.Action == Park }

// Text returns the outcome of the call, as the predicate of a sentence about it: "was refused by the rule no-delete:
// not here".
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

// Question returns the reason for which a person is asked about a call.
func (f *Finding) Question() string {
	if f.Message == "" {
		return "the rule " + f.Rule + " wants a yes"
	}
	return "the rule " + f.Rule + " wants a yes: " + f.Message
}

// Note returns the note on a finding about a call of a tool.
func (f *Finding) Note(tool, arguments string) callwright.Note {
	n := callwright.Note{Rule: RuleRefused, Stage: callwright.StageValidate, Call: tool, Was: arguments, Now: f.Rule, Why: f.Message}
	switch {
	case f.Failed:
		n.Rule, n.Why = RuleFailed, "the rule could not be checked, and the call was "+pastOf[f.Action]+": "+f.Message
	case f.Action == Park:
		n.Rule = RuleParked
	}
	return n
}

var pastOf = map[Action]string{Refuse: "refused", Allow: "allowed"}

// The rules of the notes on calls that call rules match. Now of each note is the name of the call rule.
const (
	RuleRefused = "call_rule.refused"
	RuleParked  = "call_rule.parked"
	RuleFailed  = "call_rule.failed"
	// RuleBarred and RuleUnchecked are about tools that providers run themselves.
	RuleBarred    = "call_rule.barred"
	RuleUnchecked = "call_rule.unchecked"
)
