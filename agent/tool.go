package agent

import (
	"context"
	"encoding/json"
	"time"

	"github.com/callwright/callwright"
)

// A Tool is a function that a model may call. Values are copied; the data behind their pointers must not change once an
// agent has them.
type Tool struct {
	// up to 128 letters, digits, '_', '-', '.', ':' and '/'; those that a provider does not take are written otherwise
	// to it
	Name        string
	Description string
	Schema      json.RawMessage // of the arguments, an object; nil takes none

	// Run executes a call. arguments are a JSON object that satisfies Schema. ctx ends with the run or the time limit,
	// and RunOf returns the run. The model gets an error that is a *ToolError as it is, any other as TOOL_FAILED with
	// its text. A panic is an error. Run is called from several goroutines at once.
	Run func(ctx context.Context, arguments json.RawMessage) (Output, error)

	Timeout time.Duration // of one call, whatever progress it tells of; 0: that of the agent
	Effects Effects
	// Approval says when a person is asked first. ApproveIf narrows ApproveAlways and ApproveOnce to calls with such
	// arguments; nil: any.
	Approval  Approval
	ApproveIf func(arguments json.RawMessage) bool
	// Polling says that the same call may be made again and again, such as to see whether something is done.
	Polling bool
	// RunArgument names the argument that is the id of the run: it is filled in where it is missing, and a wrong one is
	// an error that the model reads. Empty: there is none.
	RunArgument string
	// PersonOnly says that no model may use the tool, whatever is allowed: it is never offered, and a call of it by its
	// name or one of its Aliases, in any spelling and behind any prefix, is answered NOT_ALLOWED with a note. Run is
	// then for the program itself, and may be nil.
	PersonOnly bool
	Aliases    []string // further names under which a tool that is PersonOnly is refused

	err error // why Func could not make it
}

// Effects describe the effects of a call. The zero Effects are unknown: a call may change anything.
type Effects uint8

// The effects.
const (
	EffectsUnknown    Effects = iota
	EffectsNone               // it only reads
	EffectsIdempotent         // a second call with the same arguments changes nothing more
	EffectsDestructive
)

// areRepeatable reports whether a call may be made again when it is unknown whether it ended.
func (e Effects) areRepeatable() bool { return e == EffectsNone || e == EffectsIdempotent }

// An Approval says when a person is asked before a call is run.
type Approval string

// The approvals. The zero Approval asks always where the effects are destructive, and never elsewhere.
const (
	ApproveByEffects Approval = ""
	ApproveNever     Approval = "never"
	ApproveOnce      Approval = "once" // of a tool, in a run
	ApproveAlways    Approval = "always"
)

// isKnown reports whether it is one of the approvals.
func (a Approval) isKnown() bool {
	return a == ApproveByEffects || a == ApproveNever || a == ApproveOnce || a == ApproveAlways
}

// An Output is the output of a tool.
type Output struct {
	Data     json.RawMessage   // any JSON value; nil for none
	Parts    []callwright.Part // images and files beside it
	Warnings []string
}

// A Source has tools that may change during a run, such as those of a server. Tools is asked before each request to the
// model and must be quick; it is safe for concurrent use, and its result is not changed by either side. An error ends
// the call of Run, and Resume asks again. A tool that CheckTool finds wrong is left out.
type Source interface {
	Tools(ctx context.Context) ([]Tool, error)
}

// A Code says why a call has no outcome of its tool.
type Code string

// The codes.
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

// ofTool reports whether a call with the code was run and failed. Codes that a tool makes up are such ones.
func (c Code) ofTool() bool {
	switch c {
	case CodeArgumentsTooLarge, CodeOutputTooLarge, CodeUnknownTool, CodeInvalidArguments, CodeNotAllowed, CodeDenied, CodeInterrupted:
		return false
	}
	return true
}

// A ToolError is an error that the model is told.
type ToolError struct {
	Code    Code   `json:"code"` // one of ours or of the tool's own, bounded; a call with one of its own has failed, as with TOOL_FAILED
	Message string `json:"message"`
	Path    string `json:"path,omitempty"` // JSON pointer into the arguments, if it is about one
}

// Error returns the code and the message.
func (e *ToolError) Error() string { return string(e.Code) + ": " + e.Message }

// An Envelope is the result of a call for the model. Where OK is false there is at least one of the Errors, and no
// Data.
type Envelope struct {
	OK       bool            `json:"ok"`
	Data     json.RawMessage `json:"data"`
	Warnings []string        `json:"warnings"`
	Errors   []ToolError     `json:"errors"`
}
