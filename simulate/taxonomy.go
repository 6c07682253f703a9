package simulate

import "slices"

// A Class is a class of tool-call failures that public reports describe.
type Class struct {
	ID  string // F01 to F60
	Doc string
}

// Classes returns all classes in order. The caller may modify the slice.
func Classes() []Class { return slices.Clone(classes) }

// FaultsOf returns the faults of a class, in the order of the table.
func FaultsOf(class string) []FaultInfo {
	var out []FaultInfo
	for _, r := range table {
		if r.Class == class {
			out = append(out, r.FaultInfo)
		}
	}
	return out
}

// classes has four groups: calls that do not become structured calls, wrong structured calls, requests that are
// rejected before the model runs, and failures of the history or the transport.
var classes = []Class{
	{"F01", "the call is JSON in the text, bare or in a fence"},
	{"F02", "the call leaks as text in tags such as tool_call"},
	{"F03", "the call leaks as text in tags of functions and parameters, or an engine fails on them"},
	{"F04", "Kimi's special tokens leak"},
	{"F05", "DeepSeek's special tokens leak"},
	{"F06", "GLM's keys and values leak, sometimes into the tool's name"},
	{"F07", "the call leaks in the markup of MiniMax or Anthropic"},
	{"F08", "Harmony's channels leak, or are attached to the tool's name"},
	{"F09", "the model imitates the form of calls in its history"},
	{"F10", "the call is in the reasoning"},
	{"F11", "quoted or echoed markup looks like a call"},
	{"F12", "the model announces a call and makes none"},
	{"F13", "the answer is empty"},
	{"F14", "Gemini ends its answer because of a malformed or unexpected call"},
	{"F15", "the provider refuses its own model's call and quotes it"},
	{"F16", "the endpoint refuses or ignores tools"},
	{"F17", "the output limit cuts the arguments off"},
	{"F18", "the arguments are not JSON"},
	{"F19", "values are strings in place of lists, objects, numbers or Booleans"},
	{"F20", "all arguments are encoded twice, or are an object in place of a string"},
	{"F21", "optional arguments are placeholders"},
	{"F22", "the tool's name is invented or changed"},
	{"F23", "arguments have wrong names"},
	{"F24", "the arguments are empty"},
	{"F25", "the arguments are only in the last event, or only in earlier events"},
	{"F26", "parallel calls are streamed with the same index"},
	{"F27", "a call continues with another index"},
	{"F28", "ids are equal, empty or repeated in later answers"},
	{"F29", "ids have a form that a provider refuses"},
	{"F30", "the finish reason does not fit the answer"},
	{"F31", "integers are too large for a float"},
	{"F32", "the text is damaged in transport"},
	{"F33", "text beside calls is lost, or equal calls become one"},
	{"F34", "the model makes the same calls again and again"},
	{"F35", "Gemini refuses keywords of a schema"},
	{"F36", "Anthropic refuses alternatives at the root of a schema"},
	{"F37", "OpenAI refuses a schema"},
	{"F38", "an engine cannot make a grammar of a schema"},
	{"F39", "the name of a tool is refused"},
	{"F40", "a member of the request is refused"},
	{"F41", "a required call is refused or ignored"},
	{"F42", "tools together with reasoning are accepted only on another API"},
	{"F43", "tools that are not functions are refused or changed"},
	{"F44", "calls in the history are refused if no tools are declared"},
	{"F45", "there are too many tools"},
	{"F46", "empty content is refused"},
	{"F47", "the order of roles is refused"},
	{"F48", "a call has no result, or a result has no call"},
	{"F49", "broken arguments in the history are refused"},
	{"F50", "Gemini requires one result for each call, all in one turn"},
	{"F51", "a signature is missing"},
	{"F52", "a signature is from another model"},
	{"F53", "reasoning must be sent back with its answer"},
	{"F54", "related items of the Responses API are separated"},
	{"F55", "images in results are dropped"},
	{"F56", "the answer fails or breaks off after it began"},
	{"F57", "the arguments of a call come in one piece at the end, after a silence"},
	{"F58", "the beginning of the prompt changes, so the prompt cache is not hit"},
	{"F59", "providers of the same model differ in their calls"},
	{"F60", "a value or a key of the arguments contains the following part of its own call"},
}
