package callwright

import (
	"cmp"
	"strings"

	"github.com/callwright/callwright/caps"
)

// A Feature is what a provider lacks that refused a request with KindUnsupported. Codecs name it, and what is learned from
// it is its Fact. The list is closed but for FeatureField, which the name of a request member follows, FeatureMaxTools,
// which the limit may follow, FeatureToolNames, FeatureCallIDs, FeatureSchemas, and FeatureToolSchema.
type Feature string

// The features.
const (
	FeatureTools              Feature = "tools"                // native tool calling
	FeatureChoice             Feature = "tool_choice"          // the member tool_choice
	FeatureForcedChoice       Feature = "forced_tool_choice"   // a choice of required or named
	FeatureParallel           Feature = "parallel_tool_calls"  // the member parallel_tool_calls
	FeatureResponseFormat     Feature = "response_format"      // an answer that satisfies a schema
	FeatureJSONMode           Feature = "json_mode"            // a JSON answer without a schema
	FeatureGrammar            Feature = "grammar"              // what the provider makes of this request's schemas
	FeatureSchemas            Feature = "schemas"              // schemas of which no grammar is made; ":T" follows, the target of those that are taken
	FeatureJSONWithTools      Feature = "json_with_tools"      // a form of the answer beside tools
	FeatureStreamOptions      Feature = "stream_options"       // usage at the end of a stream
	FeatureStrict             Feature = "strict"               // strict tools
	FeatureToolParameters     Feature = "tool_parameters"      // a tool without a schema of its parameters
	FeatureCustomTools        Feature = "custom_tools"         // tools that take free text
	FeatureDeferredLoading    Feature = "deferred_loading"     // deferred tools, and searches for them
	FeatureToolsWithReasoning Feature = "tools_with_reasoning" // tools in a request that lets the model reason
	FeatureReasoning          Feature = "reasoning"            // reasoning effort
	FeatureEffort             Feature = "effort"               // a level of reasoning; reasoning itself may be asked for
	FeaturePrefill            Feature = "prefill"              // an answer begun by the client
	FeaturePrefillMark        Feature = "prefill_mark"         // an answer begun without the mark of the API
	FeatureDeveloperRole      Feature = "developer_role"       // instructions in the role developer
	FeatureSystemRole         Feature = "system_role"          // instructions in the role system
	FeatureSystemMessages     Feature = "system_messages"      // more than one system message, or one that is not the first
	FeatureAlternation        Feature = "alternation"          // two messages on end of one role
	FeatureUserAfterTool      Feature = "user_after_tool"      // a message of the user right after tool results
	FeatureToolsForCalls      Feature = "tools_for_calls"      // calls in the history of a request without tools
	FeatureNullContent        Feature = "null_content"         // content null beside calls
	FeatureItemIDs            Feature = "item_ids"             // ids of items without the reasoning before them
	FeatureCallSignatures     Feature = "call_signatures"      // calls in the history without their signatures
	FeatureCallIDs            Feature = "call_ids"             // ids of calls of another length; ":N" may follow, the one that is taken
	FeatureReasoningBack      Feature = "reasoning_back"       // answers in the history without what was thought before them
	FeatureImages             Feature = "images"               // images in messages of the user
	FeatureMaxTools           Feature = "max_tools"            // more tools than the provider takes; ":N" may follow
	FeatureToolNames          Feature = "tool_names"           // names of tools beyond letters, digits, '_' and '-'; ":N" may follow, the longest taken
	FeatureCountTokens        Feature = "count_tokens"         // the provider counts tokens
	FeatureModels             Feature = "models"               // the provider lists its models
	FeatureField              Feature = "field:"               // the member of the request that is named after it
	FeatureToolSchema         Feature = "tool_schema:"         // the schema of a tool, whose name, or place in the body as a pointer, follows
)

// features ties each feature to the fact that is learned from its refusal. FeatureField and FeatureMaxTools take theirs from
// what follows their names. Those with a reason in place of a fact are not about a model's request.
var features = []struct {
	feature    Feature
	key, value string
	without    string // why nothing is learned
}{
	{feature: FeatureTools, key: "tools", value: "no"},
	{feature: FeatureChoice, key: "choice_field", value: "no"},
	{feature: FeatureForcedChoice, key: "choice_forced", value: "no"},
	{feature: FeatureParallel, key: "parallel_field", value: "no"},
	{feature: FeatureResponseFormat, key: "json_schema", value: "no"},
	{feature: FeatureJSONMode, key: "json_object", value: "no"},
	{feature: FeatureGrammar, without: "it concerns the schemas of one request"},
	{feature: FeatureSchemas, key: "schema_target"},
	{feature: FeatureJSONWithTools, key: "json_with_tools", value: "no"},
	{feature: FeatureStreamOptions, key: "stream_usage", value: "no"},
	{feature: FeatureStrict, key: "strict_tools", value: "no"},
	{feature: FeatureToolParameters, key: "requires_schema", value: "yes"},
	{feature: FeatureCustomTools, key: "custom_tools", value: "no"},
	{feature: FeatureDeferredLoading, key: "tool_search", value: "none"},
	{feature: FeatureToolsWithReasoning, key: "reasoning_with_tools", value: "no"},
	{feature: FeatureReasoning, key: dropFields, value: "reasoning_effort"},
	{feature: FeatureEffort, key: "efforts", value: "none"},
	{feature: FeaturePrefill, key: "prefill", value: "no"},
	{feature: FeaturePrefillMark, key: "prefill", value: "prefix"},
	{feature: FeatureDeveloperRole, key: "system_role", value: "system"},
	{feature: FeatureSystemRole, key: "system_role", value: "user"},
	{feature: FeatureSystemMessages, key: "one_system", value: "true"},
	{feature: FeatureAlternation, key: "alternate", value: "true"},
	{feature: FeatureUserAfterTool, key: "no_user_after_tool", value: "true"},
	{feature: FeatureToolsForCalls, key: "tools_for_calls", value: "true"},
	{feature: FeatureNullContent, key: "no_null_content", value: "true"},
	{feature: FeatureItemIDs, key: "no_item_ids", value: "true"},
	{feature: FeatureCallSignatures, key: "signed_calls", value: "true"},
	{feature: FeatureCallIDs, key: "id_exact"},
	{feature: FeatureReasoningBack, key: "reasoning_back", value: "always"},
	{feature: FeatureImages, key: "images", value: "no"},
	{feature: FeatureMaxTools, key: "max_tools"},
	{feature: FeatureToolNames, key: "name_max", value: "64"},
	{feature: FeatureField, key: dropFields},
	{feature: FeatureToolSchema, key: looseTools},
	{feature: FeatureCountTokens, without: "it concerns an endpoint of its own"},
	{feature: FeatureModels, without: "it concerns an endpoint of its own"},
}

// Keys of facts. The first three are lists: of members to leave out, of tools not to send strict, and of tools whose schema is only described.
const (
	dropFields = "drop_fields"
	looseTools = "loose_tools"
	openTools  = "open_tools"

	cacheControl = "cache_control" // that marks of what to cache are taken; the member that they are, too
)

// Fact is what a refusal of the feature teaches about a model of which c is known, as a fact that was learned. ok is false
// where it teaches nothing new.
func (f Feature) Fact(c caps.Caps) (fact caps.Fact, ok bool) {
	before, rest, _ := strings.Cut(string(f), ":")
	name := Feature(before)
	if name+":" == FeatureField || name+":" == FeatureToolSchema {
		name += ":"
	}
	for _, row := range features {
		if row.feature != name {
			continue
		}
		value, key := cmp.Or(rest, row.value), row.key
		if key == dropFields && (value == cacheControl || strings.HasSuffix(value, "."+cacheControl)) { // whatever it stands in
			return caps.Fact{Key: cacheControl, Value: "no", Source: caps.Learned}, c.CacheControl != caps.No
		}
		if key == looseTools && caps.Listed(c.LooseTools, value) { // strict was left out already
			key = openTools
		}
		switch known := map[string]string{dropFields: c.DropFields, looseTools: c.LooseTools, openTools: c.OpenTools}[key]; {
		case value == "", f == FeatureCallSignatures && c.History.SignedCalls: // they are sent already
			return caps.Fact{}, false
		case known != "" && caps.Listed(known, value), name == FeatureToolSchema && strings.Contains(value, ","):
			return caps.Fact{}, false
		case known != "":
			value = known + "," + value
		}
		return caps.Fact{Key: key, Value: value, Source: caps.Learned}, true
	}
	return caps.Fact{}, false
}
