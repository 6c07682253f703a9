package callwright

import (
	"strings"
	"sync"
)

// A Rule is one kind of note. Rules without a Risk are findings: they change nothing.
type Rule struct {
	ID    string `json:"id"` // a trailing ".*" stands for a family whose members a leaf or a codec names
	Fault string `json:"fault,omitempty"`
	Risk  Risk   `json:"risk,omitempty"`
	Doc   string `json:"doc"`
}

// Rules lists every rule, in the order of the stages; a rule with a row of its own and a family has both. Any of them can
// be switched by its id, as reliable.WithRules does. The list is the caller's own.
func Rules() []Rule { return append([]Rule(nil), rules...) }

var rules = []Rule{
	{"plan.learned", "F16", "", "a learned fact changed the plan"},
	{"plan.other_mode", "", "", "another mode was tried"},
	{"plan.fallback", "", "", "another model was tried"},

	{"history.continued", "", RiskLossless, "the kept items of an earlier answer were put before the input"},
	{"history.orphan_call", "F48", RiskImplied, "a call without a result got one that says so"},
	{"history.orphan_result", "F48", RiskImplied, "a result without a call became text"},
	{"history.duplicate_id", "F28", RiskLossless, "calls that share an id got ids of their own"},
	{"history.missing_id", "F28", RiskLossless, "a call without an id got one"},
	{"history.bad_arguments", "F49", RiskImplied, "arguments of an old call that are no object were mended or replaced by {}"},
	{"history.empty_content", "F46", RiskLossless, "an empty message was left out"},
	{"history.merged_roles", "F47", RiskLossless, "messages of the same role were joined"},
	{"history.inserted_turn", "F47", RiskImplied, "a turn was put between results and the user"},
	{"history.declared_tools", "F44", RiskImplied, "tools named by the history were declared"},
	{"history.foreign_signature", "F52", RiskLossless, "opaque state of another origin was left out"},
	{"history.state_restored", "F51", RiskLossless, "opaque state or reasoning that the client had no place for was put back"},
	{"history.rendered", "", RiskLossless, "calls and results were written as text"},

	{"history.call_id", "F29", RiskLossless, "a call's id was mapped to one that the receiver takes"},
	{"history.arguments", "F49", RiskImplied, "arguments of an old call that are no object were replaced by {}"},
	{"history.results_first", "F48", RiskLossless, "results were put right after their calls"},
	{"history.joined_results", "F47", RiskLossless, "the results of one turn were joined in one message"},
	{"history.calls_last", "", RiskLossless, "the calls of a turn were put behind its text"},
	{"history.result_error", "", RiskLossless, "the mark of a failed call was put into its result's text"},
	{"history.result_image", "F55", RiskLossless, "an image in a tool result was moved to where the receiver takes it"},
	{"history.media", "F55", RiskImplied, "an image or a file was left out"},
	{"history.media_reference", "F55", RiskImplied, "an image or a file by reference became a line that names it"},
	{"history.image_url", "F55", RiskImplied, "an image was replaced by its address"},
	{"history.file_url", "F55", RiskImplied, "a file was replaced by its address"},
	{"history.file", "F55", RiskImplied, "a file was left out"},
	{"history.opaque", "", RiskImplied, "a part that only another wire knows was left out"},
	{"history.block", "", RiskImplied, "a block that only another API has became the text it says"},
	{"history.cache_mark", "F58", RiskLossless, "a mark of what to cache was left out"},
	{"history.misplaced", "", RiskImplied, "a part that the message's role cannot hold was left out"},
	{"history.reasoning_left_out", "F53", RiskLossless, "reasoning that the receiver does not take back was left out"},
	{"history.item_id", "F54", RiskLossless, "ids of items without their reasoning were left out"},
	{"history.orphan_reasoning", "F53", RiskLossless, "reasoning without the item it led to was left out"},
	{"history.unsigned_reasoning", "F52", RiskLossless, "reasoning without its signature was left out"},
	{"history.sentinel", "F52", RiskLossless, "a call without a signature got the one that stands for none"},
	{"history.system_role", "F47", RiskLossless, "instructions got the role that the receiver knows"},
	{"history.system_part", "", RiskImplied, "a part of the instructions that is no text was left out"},
	{"history.system_moved", "F47", RiskImplied, "instructions in the middle were put into a message of the user"},
	{"history.system_first", "F47", RiskImplied, "instructions were put before all other messages"},
	{"history.first_user", "F47", RiskImplied, "a message of the user was put before the first one"},
	{"history.empty_text", "F46", RiskLossless, "an empty text was left out"},
	{"history.empty_result", "F46", RiskImplied, "a result without content got a line that says so"},
	{"history.empty_message", "F46", RiskLossless, "a message without content was left out"},
	{"history.trailing_space", "F46", RiskImplied, "white space at the end of the last text was cut"},
	{"history.*", "", RiskImplied, "the history was written differently for the receiver"},

	{"tools.conveyed", "", RiskLossless, "tools were described in the prompt or in the answer's schema"},
	{"tools.renamed", "F39", RiskLossless, "a tool's name was mapped to one that the provider takes"},
	{"tools.flattened", "", RiskLossless, "tools of a namespace were written as plain functions"},
	{"tools.item", "F43", RiskLossless, "tools inside an item were conveyed with the others"},
	{"tools.type", "", RiskLossless, "a tool got the type that it came without"},
	{"tools.constraints_described", "F36", RiskLossless, "constraints that the receiver drops were put into descriptions"},
	{"tools.schema_keywords", "F36", RiskLossless, "keywords that the receiver does not know were written in other words"},
	{"tools.schema_type", "F36", RiskImplied, "a schema that is no object was replaced or made one"},
	{"tools.strict", "F40", RiskImplied, "strict was left out of a tool"},
	{"tools.custom", "F43", RiskImplied, "a tool that takes free text was written as a function"},
	{"tools.by_type", "F43", RiskImplied, "a tool that another API knows by its type was written as a function"},
	{"tools.hosted", "F43", RiskImplied, "a tool that another provider runs was left out"},
	{"tools.code_only", "", RiskImplied, "a tool that only code at another provider may call was left out"},
	{"tools.member", "", RiskImplied, "a member of a tool that only another API has was left out"},
	{"tools.cache_mark", "F58", RiskLossless, "a mark of what to cache was left out of a tool"},
	{"tools.filtered", "", RiskImplied, "a tool that the choice does not allow was left out"},
	{"tools.not_allowed", "", RiskImplied, "tools that may not be called were left out beside a form of the answer"},
	{"tools.*", "", RiskImplied, "a tool was written differently for the receiver, or left out"},
	{"params.left_out", "", RiskImplied, "a member that only another wire knows was left out"},
	{"params.dropped", "", RiskImplied, "a parameter that the API does not have was left out"},
	{"params.stream", "", RiskLossless, "a whole answer was asked for in place of a stream, which it became"},
	{"params.tool_choice", "F41", RiskImplied, "a tool choice was left out or weakened"},
	{"params.thinking", "", RiskImplied, "the depth of reasoning was adapted or left out"},
	{"params.effort", "", RiskImplied, "the effort was replaced by one that the API knows"},
	{"params.least_effort", "", RiskImplied, "the least effort was asked for, as reasoning cannot be switched off"},
	{"params.reasoning_off", "F42", RiskImplied, "reasoning was lowered beside tools"},
	{"params.max_tokens", "", RiskImplied, "the output limit was raised to the least that the API takes"},
	{"params.max_tokens_default", "", RiskImplied, "the output limit was added, as the API requires one"},
	{"params.temperature", "", RiskImplied, "the temperature was lowered to the highest that the API takes"},
	{"params.stop", "", RiskImplied, "a stop sequence that the API refuses was left out"},
	{"params.json_object", "", RiskImplied, "JSON without a schema was not asked for, as the API has no such mode"},
	{"params.*", "", RiskImplied, "a parameter was written differently for the receiver, or left out"},
	{"choice.emulated", "F41", RiskImplied, "the tool choice was put into words and verified"},
	{"parallel.asked", "", "", "several calls in one answer were asked for, where a provider makes one otherwise"},
	{"format.emulated", "F41", RiskImplied, "the form of the answer was put into words and verified"},
	{"parallel.emulated", "F41", RiskImplied, "the limit to one call was put into words and verified"},
	{"field.dropped", "F40", RiskImplied, "a member that the provider refuses was left out"},
	{"format.left_out", "", RiskImplied, "a member has no place in the format that was asked for"},
	{"request.refused", "", "", "the request was refused before a model was asked"},
	{"report.shortened", "", "", "further notes were left out of the report"},
	{"request.configured", "", "", "members that the configuration adds"},
	{"response.part", "", RiskImplied, "a part of the answer that the client's wire does not have was left out"},
	{"response.call", "", RiskImplied, "a call whose arguments are no object was left out"},
	{"response.image", "", RiskImplied, "an image in the answer was left out"},
	{"response.file", "", RiskImplied, "a file in the answer was left out"},
	{"response.compacted", "", RiskLossless, "a summary became the compaction that the client asked for"},
	{"response.opaque", "", RiskImplied, "a part of the answer that only another wire knows was left out"},
	{"response.citations", "", RiskImplied, "the sources that an answer names were left out"},
	{"response.logprobs", "", RiskImplied, "the probabilities of an answer's tokens were left out"},
	{"response.state_kept", "F51", RiskLossless, "opaque state was kept, as the client did not ask for what could carry it"},
	{"response.signature", "", RiskImplied, "opaque state of further reasoning was left out"},
	{"response.*", "", RiskImplied, "a part of the answer was written differently for the client's wire"},
	{"provider.random_seed", "", RiskLossless, "the seed was sent as random_seed"},
	{"provider.thinking_switch", "", RiskLossless, "thinking was switched off by a member of its own"},
	{"provider.enable_thinking", "", RiskLossless, "thinking was switched by enable_thinking"},
	{"provider.require_parameters", "", "", "only hosts that know tools and answer formats were asked"},
	{"provider.empty_required", "", RiskLossless, "an empty list of required parameters was left out"},
	{"provider.*", "", "", "a habit of the provider was met"},
	{"transport.retry", "F56", "", "the request was sent again"},

	{"wire.arguments_object", "F20", RiskLossless, "arguments came as JSON in place of text"},
	{"wire.arguments_text", "F20", RiskLossless, "arguments came as text in place of an object"},
	{"wire.array", "", RiskLossless, "an answer came as a list of pieces"},
	{"wire.bad_line", "F56", RiskLossless, "a line of a stream was not JSON"},
	{"wire.call_drift", "F27", RiskLossless, "pieces of a call came under another index"},
	{"wire.call_index", "F26", RiskLossless, "pieces of different calls came under one index"},
	{"wire.call_type", "", RiskLossless, "a call came without its type"},
	{"wire.calls_together", "F26", RiskLossless, "pieces of several calls came at once"},
	{"wire.choice_index", "", RiskLossless, "a choice came without its index"},
	{"wire.cumulative", "F26", RiskLossless, "each piece of a call repeated all before it"},
	{"wire.finish_reason", "F30", RiskLossless, "the finish reason did not fit the calls"},
	{"wire.function_call", "", RiskLossless, "a call came in the older form"},
	{"wire.interleaved", "F26", RiskLossless, "pieces of several calls or items came mixed"},
	{"wire.item_index", "F26", RiskLossless, "items of a stream came without a place of their own"},
	{"wire.late_item", "F25", RiskLossless, "an item came only with its end or with the whole answer"},
	{"wire.late_name", "F26", RiskLossless, "a call came before its name or id"},
	{"wire.late_text", "F25", RiskLossless, "text came only with the end of its part"},
	{"wire.no_call_index", "F26", RiskLossless, "pieces of calls came without a usable index"},
	{"wire.no_item", "", RiskLossless, "a piece came before its item"},
	{"wire.open_item", "", RiskLossless, "an item was not ended"},
	{"wire.other_text", "F25", RiskLossless, "the end of a part repeated another text than its pieces"},
	{"wire.repeated_item", "", RiskLossless, "an item began twice"},
	{"wire.repeated_head", "F26", RiskLossless, "each piece repeated its call's name"},
	{"wire.single_call", "", RiskLossless, "a call came alone in place of a list"},
	{"wire.stray_piece", "F27", RiskLossless, "a piece of a call belonged to none"},
	{"wire.*", "", RiskLossless, "an answer was read against its wording"},
	{"name.case", "F22", RiskLossless, "a tool's name was resolved without regard to case"},
	{"name.escape", "F22", RiskLossless, "escapes in a tool's name were read"},
	{"name.prefix", "F22", RiskLossless, "a prefix before a tool's name was cut"},
	{"name.separators", "F22", RiskLossless, "a tool's name was resolved without regard to separators"},
	{"name.suffix", "F22", RiskLossless, "a suffix behind a tool's name was cut"},
	{"name.*", "F22", RiskLossless, "a tool's name was resolved"},
	{"id.missing", "F28", RiskLossless, "a call without an id got one"},
	{"id.duplicate", "F28", RiskLossless, "a call with an id already taken got another"},
	{"json.*", "F18", RiskLossless, "broken JSON was mended"},
	{"json.empty", "F24", RiskImplied, "missing arguments were read as {}"},
	{"json.double_encoded", "F20", RiskLossless, "arguments encoded twice were decoded"},
	{"json.concatenated", "F24", RiskImplied, "an empty object before the arguments was left out"},
	{"json.unclosed", "F18", RiskImplied, "closers missing at the end were added"},
	{"json.trailing_text", "F18", RiskLossless, "text behind the arguments was left out"},
	{"string.control", "F32", RiskImplied, "control characters that no text needs were removed"},
	{"coerce.*", "F19", RiskImplied, "a value was read as the one its schema leaves"},
	{"coerce.placeholder_optional", "F21", RiskImplied, "a placeholder for an optional argument was left out"},
	{"coerce.key_case", "F23", RiskImplied, "an argument's name was resolved"},
	{"dialect.in_name", "F06", RiskImplied, "the arguments were read out of the tool's name"},
	{"dialect.in_arguments", "F20", RiskImplied, "arguments in markup were read"},
	{"dialect.promoted", "F01", RiskImplied, "a call written in reasoning was taken"},
	{"dialect.*", "F01", RiskImplied, "a call written as text was read"},
	{"mark.orphan", "F11", RiskImplied, "a mark that opens or closes nothing was left out of the text"},
	{"mark.attribute", "F11", RiskImplied, "attributes of an argument's tag were left out: the tool declares no such thing"},
	{"mark.template", "F11", RiskImplied, "a token of a chat template was left out of the text"},
	{"mark.header", "F08", RiskImplied, "the header or the end of a message was left out of the text"},
	{"mark.reasoning", "F10", RiskImplied, "a mark of reasoning in which nothing was said was left out of the text"},
	{"mark.citation", "F11", RiskImplied, "a mark around a citation was left out of the text"},
	{"mark.result", "F11", RiskImplied, "a mark around a tool's result was left out of the text"},
	{"mark.text", "F11", RiskImplied, "text between the calls of a section that belongs to none was left out"},
	{"mark.*", "F11", RiskImplied, "a mark without its counterpart was left out of the text"},
	{"reasoning.split", "F10", RiskLossless, "reasoning was split off the text"},
	{"reasoning.promoted", "F10", RiskImplied, "a call inside reasoning was taken, as nothing else was said"},
	{"recovered.text", "F15", RiskImplied, "the text inside the provider's refusal was read as the answer"},
	{"envelope.needs_more_work", "", "", "an answer in an envelope said that more work is needed"},
	{"envelope.*", "", "", "what an answer in an envelope said about itself"},
	{"normalise.parallel_wrapper", "F22", RiskImplied, "a wrapper call was expanded into the calls it holds"},
	{"normalise.repeated_call", "F34", RiskImplied, "a call beside the finished document, made and answered before, was left out"},
	{"normalise.duplicate_text", "F10", RiskImplied, "a call in the text that repeats a native one was cut"},
	{"normalise.text_beside_native", "F10", "", "a call in the text beside native calls was not run"},
	{"finish.derived", "F30", RiskLossless, "the finish reason was derived from the content"},
	{"schema.unchecked", "", "", "a keyword cannot be checked and was left out"},
	{"schema.read_as", "", "", "a type was read by its JSON Schema name"},

	{"judge.undeclared", "F22", "", "a call names no declared tool"},
	{"judge.truncated", "F17", "", "a call was cut and is not run"},
	{"judge.malformed", "F18", "", "a call's arguments cannot be read"},
	{"judge.invalid", "F19", "", "a call's arguments break the schema"},
	{"guarantee.choice_none", "F41", RiskImplied, "a call was left out, as no tool was allowed"},
	{"guarantee.one_call", "F41", RiskImplied, "calls beyond the first were left out"},
	{"guarantee.not_allowed", "F41", RiskImplied, "a call of a tool outside the choice was left out"},

	{"correct.asked", "", RiskImplied, "the model was asked again with the violations"},
	{"correct.empty", "F13", RiskImplied, "the model gave an empty answer and was asked again"},
	{"correct.repeated_call", "F28", RiskImplied, "a call that a correction repeated was left out, as it had been taken before"},
	{"correct.swallowed", "F03", "", "tokens were generated and nothing came: the server's parser dropped a call"},
	{"notes.more", "", "", "so many further notes were made and not kept"},
	{"correct.paused", "", "", "the provider paused the answer and was asked to go on"},
	{"correct.format", "", RiskImplied, "the model was asked to give its answer in the form that is wanted"},
	{"correct.more_work", "", RiskImplied, "the model was asked to go on"},
	{"correct.text_dropped", "", RiskImplied, "text of a correction was left out, as text had already been sent"},
	{"plain_text", "", RiskImplied, "no valid call was left; the text was given without markup"},
}

// RuleOf is the row of a rule: its own, or that of its family; the zero Rule without either.
func RuleOf(id string) Rule {
	byID := rulesByID()
	if i, ok := byID[id]; ok {
		return rules[i]
	}
	if i, ok := byID[id[:strings.LastIndexByte(id, '.')+1]+"*"]; ok {
		return rules[i]
	}
	return Rule{}
}

var rulesByID = sync.OnceValue(func() map[string]int {
	index := make(map[string]int, len(rules))
	for i, r := range rules {
		index[r.ID] = i
	}
	return index
})
