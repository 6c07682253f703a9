// Package feature lists the parts of APIs that providers refuse, and the facts that their refusals teach.
package feature

import (
	"cmp"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/factlist"
)

// The features. The name of a request field follows Field. A value may follow MaxTools, ToolNames, CallIDs, Schemas and
// ToolSchema.
const (
	Tools              callwright.Feature = "tools"                // native tool calling
	Parser             callwright.Feature = "parser"               // the server's parser of the calls that its model writes
	Choice             callwright.Feature = "tool_choice"          // the member tool_choice
	ForcedChoice       callwright.Feature = "forced_tool_choice"   // a choice of required or named
	Parallel           callwright.Feature = "parallel_tool_calls"  // the member parallel_tool_calls
	ResponseFormat     callwright.Feature = "response_format"      // an answer that satisfies a schema
	JSONMode           callwright.Feature = "json_mode"            // a JSON answer without a schema
	Grammar            callwright.Feature = "grammar"              // the grammar that the provider compiles from this request's schemas
	Schemas            callwright.Feature = "schemas"              // schemas without a grammar; ":T" follows, the target of accepted schemas
	JSONWithTools      callwright.Feature = "json_with_tools"      // a form of the answer beside tools
	Constraint         callwright.Feature = "constraint"           // a constraint on answers with calls, of our own making
	StreamTools        callwright.Feature = "stream_tools"         // tools in a request for a stream
	StreamOptions      callwright.Feature = "stream_options"       // usage at the end of a stream
	Strict             callwright.Feature = "strict"               // strict tools
	ToolParameters     callwright.Feature = "tool_parameters"      // a tool without a schema of its parameters
	CustomTools        callwright.Feature = "custom_tools"         // tools that take free text
	DeferredLoading    callwright.Feature = "deferred_loading"     // deferred tools, and searches for them
	ToolsWithReasoning callwright.Feature = "tools_with_reasoning" // tools in a request that lets the model reason
	Reasoning          callwright.Feature = "reasoning"            // reasoning effort
	Effort             callwright.Feature = "effort"               // a level of reasoning; reasoning itself may be asked for
	Prefill            callwright.Feature = "prefill"              // an answer begun by the client
	PrefillMark        callwright.Feature = "prefill_mark"         // an answer begun without the mark of the API
	DeveloperRole      callwright.Feature = "developer_role"       // instructions in the role developer
	SystemRole         callwright.Feature = "system_role"          // instructions in the role system
	SystemMessages     callwright.Feature = "system_messages"      // more than one system message, or one that is not the first
	Alternation        callwright.Feature = "alternation"          // two messages on end of one role
	UserAfterTool      callwright.Feature = "user_after_tool"      // a message of the user right after tool results
	ToolsForCalls      callwright.Feature = "tools_for_calls"      // calls in the history of a request without tools
	NullContent        callwright.Feature = "null_content"         // content null beside calls
	BlankText          callwright.Feature = "blank_text"           // texts that are empty or only white space
	ItemIDs            callwright.Feature = "item_ids"             // ids of items without the reasoning before them
	EmptyAssistant     callwright.Feature = "empty_assistant"      // a turn of the model without content and calls; reasoning is no content
	ReasoningTurns     callwright.Feature = "reasoning_turns"      // reasoning in turns of the model
	ReasoningState     callwright.Feature = "reasoning_state"      // encrypted reasoning of the history; ":" and the marks of its items follow
	APIItems           callwright.Feature = "api_items"            // items beyond messages, function calls, their results and reasoning
	CallSignatures     callwright.Feature = "call_signatures"      // calls in the history without their signatures
	// ToolNames: names of tools beyond letters, digits, '_' and '-'; ":N" may follow, the longest taken
	ToolNames     callwright.Feature = "tool_names"
	CallIDs       callwright.Feature = "call_ids"       // ids of calls of another length; ":N" may follow, the one that is taken
	ReasoningBack callwright.Feature = "reasoning_back" // answers in the history without their reasoning
	Images        callwright.Feature = "images"         // images in messages of the user
	ImageForm     callwright.Feature = "image_form"     // an image, for its address, its format or its place
	MaxTools      callwright.Feature = "max_tools"      // more tools than the provider takes; ":N" may follow
	CountTokens   callwright.Feature = "count_tokens"   // the provider counts tokens
	Models        callwright.Feature = "models"         // the provider lists its models
	Field         callwright.Feature = "field:"         // the member of the request that is named after it
	// ToolSchema: the schema of a tool, whose name, or place in the body as a pointer, follows
	ToolSchema callwright.Feature = "tool_schema:"
)

// features ties each feature to the class of failure that its refusal is, and to the fact that it teaches. Field and
// MaxTools have the value of the fact after their name. A feature with a reason in place of a fact teaches nothing.
var features = []struct {
	feature    callwright.Feature
	fault      string
	key, value string
	without    string // why nothing is learned
}{
	{feature: Tools, fault: "F16", key: "tools", value: "no"},
	{feature: Parser, fault: "F03", key: "parses_calls", value: "no"},
	{feature: Choice, fault: "F41", key: "choice_field", value: "no"},
	{feature: ForcedChoice, fault: "F41", key: "choice_forced", value: "no"},
	{feature: Parallel, fault: "F40", key: "parallel_field", value: "no"},
	{feature: ResponseFormat, fault: "F40", key: "json_schema", value: "no"},
	{feature: JSONMode, fault: "F40", key: "json_object", value: "no"},
	{feature: Grammar, fault: "F38", without: "it concerns the schemas of one request"},
	{feature: Schemas, fault: "F38", key: "schema_target"},
	{feature: JSONWithTools, fault: "F40", key: "json_with_tools", value: "no"},
	{feature: Constraint, fault: "F40", key: "constraint", value: "none"},
	{feature: StreamTools, fault: "F16", key: "stream_tools", value: "no"},
	{feature: StreamOptions, fault: "F40", key: "stream_usage", value: "no"},
	{feature: Strict, fault: "F40", key: "strict_tools", value: "no"},
	{feature: ToolParameters, fault: "F37", key: "requires_schema", value: "yes"},
	{feature: CustomTools, fault: "F43", key: "custom_tools", value: "no"},
	{feature: DeferredLoading, fault: "F43", key: "tool_search", value: "none"},
	{feature: ToolsWithReasoning, fault: "F42", key: "reasoning_with_tools", value: "no"},
	{feature: Reasoning, fault: "F40", key: dropFields, value: "reasoning_effort"},
	{feature: Effort, fault: "F40", key: "efforts", value: "none"},
	{feature: Prefill, fault: "F47", key: "prefill", value: "no"},
	{feature: PrefillMark, fault: "F47", key: "prefill", value: "prefix"},
	{feature: DeveloperRole, fault: "F47", key: "system_role", value: "system"},
	{feature: SystemRole, fault: "F47", key: "system_role", value: "user"},
	{feature: SystemMessages, fault: "F47", key: "one_system", value: "true"},
	{feature: Alternation, fault: "F47", key: "alternate", value: "true"},
	{feature: UserAfterTool, fault: "F47", key: "no_user_after_tool", value: "true"},
	{feature: ToolsForCalls, fault: "F44", key: "tools_for_calls", value: "true"},
	{feature: NullContent, fault: "F46", key: "no_null_content", value: "true"},
	{feature: BlankText, fault: "F46", key: "no_blank_text", value: "true"},
	{feature: ItemIDs, fault: "F54", key: "no_item_ids", value: "true"},
	{feature: EmptyAssistant, fault: "F46", key: "no_empty_assistant", value: "true"},
	{feature: ReasoningTurns, fault: "F53", key: "reasoning_back", value: "never"},
	{feature: ReasoningState, fault: "F52", key: refusedState},
	{feature: APIItems, fault: "F43", key: "api_items", value: "no"},
	{feature: CallSignatures, fault: "F51", key: "signed_calls", value: "true"},
	{feature: ToolNames, fault: "F39", key: "name_max", value: "64"},
	{feature: CallIDs, fault: "F29", key: "id_exact"},
	{feature: ReasoningBack, fault: "F53", key: "reasoning_back", value: "always"},
	{feature: Images, fault: "F55", key: "images", value: "no"},
	{feature: MaxTools, fault: "F45", key: "max_tools"},
	{feature: Field, fault: "F40", key: dropFields},
	{feature: ToolSchema, fault: "F37", key: looseTools},
	{feature: ImageForm, without: "it concerns one image"},
	{feature: CountTokens, without: "it concerns an endpoint of its own"},
	{feature: Models, without: "it concerns an endpoint of its own"},
}

// Keys of facts. The first four are lists: of members to leave out, of tools not to send strict, of tools whose schema
// is only described, and of marks of opaque state.
const (
	dropFields   = "drop_fields"
	looseTools   = "loose_tools"
	openTools    = "open_tools"
	refusedState = "refused_state"

	cacheControl = "cache_control" // that marks of what to cache are taken; the member that they are, too
)

// split divides a feature into its name, as the table has it, and the value after it.
func split(f callwright.Feature) (name callwright.Feature, value string) {
	before, value, _ := strings.Cut(string(f), ":")
	name = callwright.Feature(before)
	if name+":" == Field || name+":" == ToolSchema {
		name += ":"
	}
	return name, value
}

// FaultOf returns the class of failure that a refusal of the feature is, "" for one that is none. Which one a refused
// schema is depends on the schemas that the provider takes.
func FaultOf(f callwright.Feature, takes caps.SchemaTarget) string {
	name, _ := split(f)
	switch {
	case name == ToolSchema && (takes == caps.SchemaGemini || takes == caps.SchemaGeminiJSON):
		return "F35"
	case name == ToolSchema && takes == caps.SchemaAnthropic:
		return "F36"
	}
	for _, row := range features {
		if row.feature == name {
			return row.fault
		}
	}
	return ""
}

// FactOf returns the fact that a refusal of the feature teaches about a model with the capabilities c. ok is false
// where it teaches nothing new.
func FactOf(f callwright.Feature, c caps.Caps) (fact caps.Fact, ok bool) {
	name, rest := split(f)
	for _, row := range features {
		if row.feature != name {
			continue
		}
		value, key := cmp.Or(rest, row.value), row.key
		if key == dropFields && (value == cacheControl || strings.HasSuffix(value, "."+cacheControl)) { // whatever it stands in
			return caps.Fact{Key: cacheControl, Value: "no", Source: caps.Learned}, c.CacheControl != caps.No
		}
		if key == looseTools && factlist.Has(c.LooseTools, value) { // strict was left out already
			key = openTools
		}
		switch known := map[string]string{dropFields: c.DropFields, looseTools: c.LooseTools, openTools: c.OpenTools,
			refusedState: c.RefusedState}[key]; {
		case value == "", f == CallSignatures && c.History.SignedCalls: // they are sent already
			return caps.Fact{}, false
		case known != "" && factlist.Has(known, value), name == ToolSchema && strings.Contains(value, ","):
			return caps.Fact{}, false
		case known != "":
			value = known + "," + value
		}
		return caps.Fact{Key: key, Value: value, Source: caps.Learned}, true
	}
	return caps.Fact{}, false
}
