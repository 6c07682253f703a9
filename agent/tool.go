package agent

import (
	"context"
	"encoding/json"
	"time"

	"github.com/callwright/callwright"
)

// A Tool is a function that a model may call. Agents copy Tools; the data behind their pointers must not change
// afterwards.
type Tool struct {
	// Name has up to 128 ASCII letters, digits, '_', '-', '.', ':' and '/'. If a provider does not permit a character,
	// requests to it contain an adapted name.
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments object; nil for no arguments

	// Run executes a call. arguments is a JSON object that satisfies Schema. ctx is canceled with the run and at the time
	// limit; RunOf returns its run. The model receives a *ToolError unchanged, and the text of any other error with the
	// code TOOL_FAILED. A panic counts as an error. Run must be safe for concurrent use.
	Run func(ctx context.Context, arguments json.RawMessage) (Output, error)

	Timeout time.Duration // limit of one call, not extended by progress; 0: the agent's
	Effects Effects
	// Approval sets when a person must approve a call. ApproveIf restricts ApproveAlways and ApproveOnce to calls for
	// whose arguments it returns true; nil means all calls.
	Approval  Approval
	ApproveIf func(arguments json.RawMessage) bool
	// Polling permits repeated equal calls, such as to wait for a job; the loop detection ignores them.
	Polling bool
	// RunArgument is the name of the argument that contains the id of the run, "" for none. The agent sets a missing
	// argument. Any other value is an error for the model.
	RunArgument string
	// PersonOnly forbids models to use the tool. The tool is never offered. A call of its name or one of its Aliases, in
	// any spelling and with any prefix, fails with NOT_ALLOWED and leaves a note. Only the program itself may call Run,
	// which may be nil.
	PersonOnly bool
	Aliases    []string // further names of a PersonOnly tool

	err error // the error of Func
}

// Effects classify the side effects of a call. The zero value is unknown: a call may change anything.
type Effects uint8

// The effects. The zero value is EffectsUnknown.
const (
	EffectsUnknown    Effects = iota
	EffectsNone               // read-only
	EffectsIdempotent         // a second call with equal arguments changes nothing
	EffectsDestructive
)

// areRepeatable reports whether a call may be repeated if it is unknown whether it has ended.
func (e Effects) areRepeatable() bool { return e == EffectsNone || e == EffectsIdempotent }

// An Approval sets when a person must approve a call before it runs.
type Approval string

// The approvals. The zero value, ApproveByEffects, equals ApproveAlways for destructive tools and ApproveNever for
// others.
const (
	ApproveByEffects Approval = ""
	ApproveNever     Approval = "never"
	ApproveOnce      Approval = "once" // one approval per tool and run
	ApproveAlways    Approval = "always"
)

// isKnown reports whether a is one of the constants of type Approval.
func (a Approval) isKnown() bool {
	return a == ApproveByEffects || a == ApproveNever || a == ApproveOnce || a == ApproveAlways
}

// An Output is the successful result of a tool.
type Output struct {
	Data     json.RawMessage   // a JSON value; nil for none
	Parts    []callwright.Part // additional images, files and texts
	Warnings []string
}

// A Source provides tools that may change during a run, such as the tools of an MCP server. Tools is called before each
// request and must return quickly. It must be safe for concurrent use. Neither side may change the returned tools. If
// it fails, Run returns the error, and Resume calls Tools again. Tools that CheckTool rejects are not offered.
type Source interface {
	Tools(ctx context.Context) ([]Tool, error)
}

// A Code is the reason why a call failed or was not run.
type Code string

// The codes. A tool may return codes of its own in a ToolError.
const (
	CodeArgumentsTooLarge Code = "ARGUMENTS_TOO_LARGE"
	CodeOutputTooLarge    Code = "TOOL_OUTPUT_TOO_LARGE"
	CodeUnknownTool       Code = "UNKNOWN_TOOL"
	CodeInvalidArguments  Code = "INVALID_ARGUMENTS"
	CodeNotAllowed        Code = "NOT_ALLOWED"
	CodeTimeout           Code = "TIMEOUT"
	CodeDenied            Code = "DENIED"
	CodeInterrupted       Code = "INTERRUPTED"
	CodeToolFailed        Code = "TOOL_FAILED"
)

// ofTool reports whether the code means that the tool was run and failed. It is true for codes that a tool defines.
func (c Code) ofTool() bool {
	switch c {
	case CodeArgumentsTooLarge, CodeOutputTooLarge, CodeUnknownTool, CodeInvalidArguments, CodeNotAllowed, CodeDenied, CodeInterrupted:
		return false
	}
	return true
}

// A ToolError is an error of a call as the model receives it.
type ToolError struct {
	Code    Code   `json:"code"` // one of the constants, or a code that the tool defines, cut to 128 bytes
	Message string `json:"message"`
	Path    string `json:"path,omitempty"` // JSON pointer to the faulty argument, "" for none
}

// Error returns the code and the message.
func (e *ToolError) Error() string { return string(e.Code) + ": " + e.Message }

// An Envelope is the result of a call as JSON for the model. If OK is false, Errors has at least one element and Data
// is nil.
type Envelope struct {
	OK       bool            `json:"ok"`
	Data     json.RawMessage `json:"data"`
	Warnings []string        `json:"warnings"`
	Errors   []ToolError     `json:"errors"`
}
