package eval

import (
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// A Scenario is a task for a model: the prompt, the tools with recorded results, and the expected outcome. Its JSON
// format is [ScenarioSchema].
type Scenario struct {
	ID      string   `json:"id" jsonschema:"its unique name: lower-case letters, digits and underscores"`
	Summary string   `json:"summary,omitempty" jsonschema:"one sentence for people about the tested behaviour"`
	Tags    []string `json:"tags,omitempty" jsonschema:"tags to select scenarios, such as tool, chat and stream"`

	System  string          `json:"system,omitempty" jsonschema:"instructions before the conversation"`
	History json.RawMessage `json:"history,omitempty" jsonschema:"messages before the prompt, in the format of traces: a list of objects with role and parts"`
	Prompt  string          `json:"prompt" jsonschema:"the message of the user"`

	Tools      []Tool      `json:"tools,omitempty" jsonschema:"tools with recorded results"`
	Workspace  *Workspace  `json:"workspace,omitempty" jsonschema:"a document that the model works on with state_get and state_patch"`
	Directives []Directive `json:"directives,omitempty" jsonschema:"types of directives that the model may return in addition to its text"`
	Approvals  []Approval  `json:"approvals,omitempty" jsonschema:"decisions about calls that need an approval, in order; after the last one, no"`

	Stream   bool                `json:"stream,omitempty" jsonschema:"whether answers are streamed"`
	Choice   string              `json:"tool_choice,omitempty" jsonschema:"auto, none, required or the name of a tool, for the first answer"`
	Parallel *bool               `json:"parallel,omitempty" jsonschema:"whether an answer may have several calls (true) or not (false); absent: unset"`
	Failures agent.FailurePolicy `json:"tool_failure_policy,omitempty" jsonschema:"the effect of a failed tool on the run: fatal, tolerated or told; default told"`
	Limits   Limits              `json:"limits,omitzero" jsonschema:"limits of the run"`
	Offline  []Line              `json:"offline,omitempty" jsonschema:"lines of the simulated model"`
	Expect   Expect              `json:"expect" jsonschema:"the expected result"`
}

// Limits bound a run of a scenario. Zero fields have the defaults of package agent.
type Limits struct {
	Steps        int `json:"steps,omitempty" jsonschema:"maximum number of answers of the model; default 12"`
	MaxArguments int `json:"max_arguments,omitempty" jsonschema:"maximum size of the arguments of a call in bytes"`
	MaxOutput    int `json:"max_output,omitempty" jsonschema:"maximum size of a tool's result in bytes"`
}

// A Tool is a tool with recorded results. A call gets the first matching result that is not used up. If none matches,
// the call fails with NO_SUCH_RECORD.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty" jsonschema:"the JSON Schema of its arguments, an object"`
	Approval    agent.Approval  `json:"approval,omitempty" jsonschema:"when a person has to approve a call: never, once or always"`
	Results     []Record        `json:"results,omitempty" jsonschema:"its recorded results; null if no record matches"`
}

// A Record is a recorded result of a tool for calls whose arguments contain When.
type Record struct {
	When  json.RawMessage  `json:"when,omitempty" jsonschema:"members that the arguments must have; absent: any arguments"`
	Times int              `json:"times,omitempty" jsonschema:"how often the result is returned; 0: always"`
	Data  json.RawMessage  `json:"data,omitempty" jsonschema:"any JSON"`
	Image *Image           `json:"image,omitempty" jsonschema:"an image in addition to the data"`
	Error *agent.ToolError `json:"error,omitempty" jsonschema:"an error instead of data"`
}

// An Image is an image in a tool result.
type Image struct {
	MediaType string `json:"media_type"`
	Data      string `json:"data" jsonschema:"base64"`
}

// A Workspace is a document that the model reads and edits with tools.
type Workspace struct {
	ID       string          `json:"id,omitempty" jsonschema:"default ws_eval"`
	Draft    json.RawMessage `json:"draft"`
	Facts    json.RawMessage `json:"facts,omitempty"`
	Locks    []string        `json:"locks,omitempty" jsonschema:"JSON pointers into the draft that the model may not change"`
	StrictID bool            `json:"strict_id,omitempty" jsonschema:"whether calls without workspace_id get an error"`
}

// A Directive is a type of directive that the model may return.
type Directive struct {
	Type        string          `json:"type"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema" jsonschema:"the JSON Schema of the payload"`
}

// An Approval is a person's decision about a tool call.
type Approval struct {
	Tool     string         `json:"tool,omitempty" jsonschema:"a pattern for the names of tools; absent: any tool"`
	Decision agent.Decision `json:"decision" jsonschema:"yes, no or always"`
}

// A Line is one answer of the simulated model. Lines are used in order. A line is done when the client's messages since
// the prompt, including tool results, contain the Until of each of its calls, or after Times answers. The last line is
// repeated.
type Line struct {
	Text       string     `json:"text,omitempty"`
	Calls      []LineCall `json:"calls,omitempty" jsonschema:"calls; those without a result yet are made, one at a time if the client requires that"`
	Directives []Payload  `json:"directives,omitempty" jsonschema:"directives in addition to the text"`
	Fault      string     `json:"fault,omitempty" jsonschema:"the name of a fault of the simulator"`
	Times      int        `json:"times,omitempty" jsonschema:"maximum number of uses of the line"`
}

// A LineCall is a tool call of a Line.
type LineCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Until     string          `json:"until,omitempty" jsonschema:"a text in the client's messages that shows that the call has its result; quotes, backslashes and white space are ignored"`
}

// A Payload is an actual or expected directive.
type Payload struct {
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload"`
}

// Expect is the expected outcome of a run. Absent members are not checked, except that unexpected calls are a failure.
type Expect struct {
	Calls    []ExpectedCall    `json:"calls,omitempty" jsonschema:"expected calls that reach a tool"`
	InOrder  bool              `json:"in_order,omitempty" jsonschema:"whether the calls must be in this order"`
	Others   bool              `json:"others,omitempty" jsonschema:"whether other calls are allowed"`
	Results  []ExpectedResult  `json:"results,omitempty" jsonschema:"expected tool results for the model"`
	Text     *ExpectedText     `json:"text,omitempty" jsonschema:"the final text"`
	Stop     agent.Stop        `json:"stop,omitempty" jsonschema:"why the run ends; default answered, unless errors is set"`
	Errors   []callwright.Kind `json:"errors,omitempty" jsonschema:"kinds of errors that may end the run; such a run may lack calls, and its text is not checked"`
	Document []ExpectedValue   `json:"document,omitempty" jsonschema:"expected values in the draft of the workspace after the run"`
	// Directives are all expected directives, in order.
	Directives  []Payload `json:"directives,omitempty" jsonschema:"the expected directives, in order; no others are allowed"`
	Asked       []string  `json:"asked,omitempty" jsonschema:"tools with a call that a person was asked to approve, in order; no others are allowed"`
	MaxRequests int       `json:"max_requests,omitempty" jsonschema:"maximum number of requests to the provider"`
	MaxSteps    int       `json:"max_steps,omitempty" jsonschema:"maximum number of answers of the model"`
}

// An ExpectedCall is a tool call that the model must make, unless it is optional.
type ExpectedCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty" jsonschema:"the exact arguments; absent: any. Numbers are compared as written"`
	Subset    bool            `json:"subset,omitempty" jsonschema:"whether the arguments may have more members"`
	Optional  bool            `json:"optional,omitempty" jsonschema:"whether the call may be absent or repeated"`
}

// An ExpectedResult is a tool result that the model must be given.
type ExpectedResult struct {
	Tool     string     `json:"tool,omitempty" jsonschema:"the name of the tool; absent: any"`
	Code     agent.Code `json:"code,omitempty" jsonschema:"the code of the error"`
	OK       *bool      `json:"ok,omitempty" jsonschema:"true: the result must not be an error; false: it must be one"`
	Contains string     `json:"contains,omitempty"`
}

// An ExpectedText describes the final text. Unless Runner.Strict is set, Equals ignores case and surrounding white
// space, quotes and punctuation.
type ExpectedText struct {
	Equals   *string  `json:"equals,omitempty"`
	Contains []string `json:"contains,omitempty" jsonschema:"texts that must all occur; case is ignored"`
	Excludes []string `json:"excludes,omitempty" jsonschema:"texts that must not occur; case is ignored"`
}

// An ExpectedValue is an expected value in the workspace document.
type ExpectedValue struct {
	Path   string          `json:"path" jsonschema:"a JSON pointer"`
	Equals json.RawMessage `json:"equals,omitempty" jsonschema:"the expected value; absent: the path must not exist"`
}
