package eval

import (
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// A Scenario is a task for a model: the prompt, the tools with recorded results, and the expected outcome. Its JSON
// format is [ScenarioSchema].
type Scenario struct {
	ID      string   `json:"id" jsonschema:"its name: small letters, digits and underscores"`
	Summary string   `json:"summary,omitempty" jsonschema:"one sentence for people: what is tried"`
	Tags    []string `json:"tags,omitempty" jsonschema:"tool, chat, stream and others, by which scenarios are selected"`

	System  string          `json:"system,omitempty" jsonschema:"instructions before the conversation"`
	History json.RawMessage `json:"history,omitempty" jsonschema:"messages before the prompt, as a trace writes them: a list of objects with role and parts"`
	Prompt  string          `json:"prompt" jsonschema:"what the user says"`

	Tools      []Tool      `json:"tools,omitempty" jsonschema:"tools with recorded results"`
	Workspace  *Workspace  `json:"workspace,omitempty" jsonschema:"a document that the model works on with state_get and state_patch"`
	Directives []Directive `json:"directives,omitempty" jsonschema:"types of directives that the model may give beside its text"`
	Approvals  []Approval  `json:"approvals,omitempty" jsonschema:"what the person says who is asked about calls, in this order; afterwards no"`

	Stream   bool                `json:"stream,omitempty" jsonschema:"whether answers are streamed"`
	Choice   string              `json:"tool_choice,omitempty" jsonschema:"auto, none, required or the name of a tool, for the first answer"`
	Parallel *bool               `json:"parallel,omitempty" jsonschema:"whether several calls in one answer are asked for (true) or ruled out (false)"`
	Failures agent.FailurePolicy `json:"tool_failure_policy,omitempty" jsonschema:"what tools that fail make of the run: fatal, tolerated or told, which is the default here"`
	Limits   Limits              `json:"limits,omitzero" jsonschema:"bounds of the run"`
	Offline  []Line              `json:"offline,omitempty" jsonschema:"what a simulated model says"`
	Expect   Expect              `json:"expect" jsonschema:"what has to come of it"`
}

// Limits bound a run of a scenario. Zero fields have the defaults of package agent.
type Limits struct {
	Steps        int `json:"steps,omitempty" jsonschema:"answers of the model; 12 where it is not said"`
	MaxArguments int `json:"max_arguments,omitempty" jsonschema:"bytes of the arguments of a call"`
	MaxOutput    int `json:"max_output,omitempty" jsonschema:"bytes of what a tool gives back"`
}

// A Tool is a tool with recorded results. A call gets the first matching result that is not used up. If none matches,
// the call fails with NO_SUCH_RECORD.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty" jsonschema:"the JSON Schema of its arguments, an object"`
	Approval    agent.Approval  `json:"approval,omitempty" jsonschema:"when a person is asked: never, once or always"`
	Results     []Record        `json:"results,omitempty" jsonschema:"what it gives back; null where none is recorded"`
}

// A Record is a recorded result of a tool for calls whose arguments contain When.
type Record struct {
	When  json.RawMessage  `json:"when,omitempty" jsonschema:"members that the arguments must have; any where it is missing"`
	Times int              `json:"times,omitempty" jsonschema:"how often it is given; 0 is without an end"`
	Data  json.RawMessage  `json:"data,omitempty" jsonschema:"any JSON"`
	Image *Image           `json:"image,omitempty" jsonschema:"an image beside the data"`
	Error *agent.ToolError `json:"error,omitempty" jsonschema:"a failure in place of data"`
}

// An Image is an image in a tool result.
type Image struct {
	MediaType string `json:"media_type"`
	Data      string `json:"data" jsonschema:"base64"`
}

// A Workspace is a document that the model reads and edits with tools.
type Workspace struct {
	ID       string          `json:"id,omitempty" jsonschema:"ws_eval where it is missing"`
	Draft    json.RawMessage `json:"draft"`
	Facts    json.RawMessage `json:"facts,omitempty"`
	Locks    []string        `json:"locks,omitempty" jsonschema:"JSON pointers into the draft that the model may not change"`
	StrictID bool            `json:"strict_id,omitempty" jsonschema:"whether calls without workspace_id are answered by an error"`
}

// A Directive is a type of directive that the model may return.
type Directive struct {
	Type        string          `json:"type"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema" jsonschema:"the JSON Schema of the payload"`
}

// An Approval is a person's decision about a tool call.
type Approval struct {
	Tool     string         `json:"tool,omitempty" jsonschema:"a pattern of the names of tools; any where it is missing"`
	Decision agent.Decision `json:"decision" jsonschema:"yes, no or always"`
}

// A Line is one answer of the simulated model. Lines are used in order. A line is done when the client's messages since
// the prompt, including tool results, contain the Until of each of its calls, or after Times answers. The last line is
// repeated.
type Line struct {
	Text       string     `json:"text,omitempty"`
	Calls      []LineCall `json:"calls,omitempty" jsonschema:"those that are not answered yet are made; one at a time where the client wants that"`
	Directives []Payload  `json:"directives,omitempty" jsonschema:"said beside the text"`
	Fault      string     `json:"fault,omitempty" jsonschema:"a fault of the simulator by its name"`
	Times      int        `json:"times,omitempty" jsonschema:"how often the line is said at most"`
}

// A LineCall is a tool call of a Line.
type LineCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Until     string          `json:"until,omitempty" jsonschema:"a text that the client's messages have once the call is answered; quotes, backslashes and white space do not count"`
}

// A Payload is an actual or expected directive.
type Payload struct {
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload"`
}

// Expect is the expected outcome of a run. Absent members are not checked, except that unexpected calls are a failure.
type Expect struct {
	Calls    []ExpectedCall    `json:"calls,omitempty" jsonschema:"calls that reach a tool"`
	InOrder  bool              `json:"in_order,omitempty" jsonschema:"whether the calls come in this order"`
	Others   bool              `json:"others,omitempty" jsonschema:"whether further calls may be made"`
	Results  []ExpectedResult  `json:"results,omitempty" jsonschema:"results that the model is given"`
	Text     *ExpectedText     `json:"text,omitempty" jsonschema:"the final text"`
	Stop     agent.Stop        `json:"stop,omitempty" jsonschema:"why the run ends; answered where neither this nor errors are said"`
	Errors   []callwright.Kind `json:"errors,omitempty" jsonschema:"kinds of errors one of which may end the run; then nothing is asked of its text, and calls may be missing"`
	Document []ExpectedValue   `json:"document,omitempty" jsonschema:"values in the draft of the workspace afterwards"`
	// Directives are all expected directives, in order.
	Directives  []Payload `json:"directives,omitempty" jsonschema:"directives, in order, and no others"`
	Asked       []string  `json:"asked,omitempty" jsonschema:"tools about whose calls a person is asked, in order, and no others"`
	MaxRequests int       `json:"max_requests,omitempty" jsonschema:"the most requests to the provider"`
	MaxSteps    int       `json:"max_steps,omitempty" jsonschema:"the most answers of the model"`
}

// An ExpectedCall is a tool call that the model must make, unless it is optional.
type ExpectedCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty" jsonschema:"any where it is missing; numbers are compared as they are written"`
	Subset    bool            `json:"subset,omitempty" jsonschema:"whether the arguments may have further members"`
	Optional  bool            `json:"optional,omitempty" jsonschema:"whether the call may be missing, or made several times"`
}

// An ExpectedResult is a tool result that the model must be given.
type ExpectedResult struct {
	Tool     string     `json:"tool,omitempty" jsonschema:"any where it is missing"`
	Code     agent.Code `json:"code,omitempty" jsonschema:"of an error"`
	OK       *bool      `json:"ok,omitempty" jsonschema:"whether it is no error"`
	Contains string     `json:"contains,omitempty"`
}

// An ExpectedText describes the final text. Unless Runner.Strict is set, Equals ignores case and surrounding white
// space, quotes and punctuation.
type ExpectedText struct {
	Equals   *string  `json:"equals,omitempty"`
	Contains []string `json:"contains,omitempty" jsonschema:"texts all of which it has, in any case"`
	Excludes []string `json:"excludes,omitempty" jsonschema:"texts none of which it has, in any case"`
}

// An ExpectedValue is an expected value in the workspace document.
type ExpectedValue struct {
	Path   string          `json:"path" jsonschema:"a JSON pointer"`
	Equals json.RawMessage `json:"equals,omitempty" jsonschema:"missing: nothing stands there"`
}
