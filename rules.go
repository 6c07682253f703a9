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

	{"history.result_image", "F55", RiskImplied, "an image in a tool result was moved to where the receiver takes it"},
	{"history.*", "", RiskImplied, "the history was written differently for the receiver"},

	{"tools.conveyed", "", RiskLossless, "tools were described in the prompt or in the answer's schema"},
	{"tools.renamed", "F39", RiskLossless, "a tool's name was mapped to one that the provider takes"},
	{"tools.constraints_described", "F36", RiskLossless, "constraints that the receiver drops were put into descriptions"},
	{"tools.*", "", RiskImplied, "a tool was written differently for the receiver, or left out"},
	{"params.*", "", RiskImplied, "a parameter was written differently for the receiver, or left out"},
	{"choice.emulated", "F41", RiskImplied, "the tool choice was put into words and verified"},
	{"parallel.asked", "", "", "several calls in one answer were asked for, where a provider makes one otherwise"},
	{"format.emulated", "F41", RiskImplied, "the form of the answer was put into words and verified"},
	{"parallel.emulated", "F41", RiskImplied, "the limit to one call was put into words and verified"},
	{"field.dropped", "F40", RiskImplied, "a member that the provider refuses was left out"},
	{"format.left_out", "", RiskImplied, "a member has no place in the format that was asked for"},
	{"request.configured", "", "", "members that the configuration adds"},
	{"response.*", "", RiskImplied, "a part of the answer was written differently for the client's wire"},
	{"provider.*", "", "", "what the provider answered with"},
	{"transport.retry", "F56", "", "the request was sent again"},

	{"wire.*", "", RiskLossless, "an answer was read against its wording"},
	{"name.*", "F22", RiskLossless, "a tool's name was resolved"},
	{"id.missing", "F28", RiskLossless, "a call without an id got one"},
	{"id.duplicate", "F28", RiskLossless, "a call with an id already taken got another"},
	{"json.*", "F18", RiskLossless, "broken JSON was mended"},
	{"json.empty", "F24", RiskImplied, "missing arguments were read as {}"},
	{"json.double_encoded", "F20", RiskLossless, "arguments encoded twice were decoded"},
	{"json.concatenated", "F24", RiskImplied, "an empty object before the arguments was left out"},
	{"json.unclosed", "F18", RiskImplied, "closers missing at the end were added"},
	{"string.control", "F32", RiskImplied, "control characters that no text needs were removed"},
	{"coerce.*", "F19", RiskImplied, "a value was read as the one its schema leaves"},
	{"coerce.placeholder_optional", "F21", RiskImplied, "a placeholder for an optional argument was left out"},
	{"coerce.key_case", "F23", RiskImplied, "an argument's name was resolved"},
	{"dialect.in_name", "F06", RiskImplied, "the arguments were read out of the tool's name"},
	{"dialect.*", "F01", RiskImplied, "a call written as text was read"},
	{"mark.*", "F11", RiskImplied, "a mark without its counterpart was left out of the text"},
	{"reasoning.split", "F10", RiskLossless, "reasoning was split off the text"},
	{"reasoning.promoted", "F10", RiskImplied, "a call inside reasoning was taken, as nothing else was said"},
	{"recovered.text", "F15", RiskImplied, "the text inside the provider's refusal was read as the answer"},
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
