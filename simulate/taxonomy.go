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
	{"F02", "the call leaks in tags such as tool_call"},
	{"F03", "the call leaks in tags of functions and parameters, or an engine fails on them"},
	{"F04", "Kimi's special tokens leak"},
	{"F05", "DeepSeek's special tokens leak"},
	{"F06", "GLM's keys and values leak, at times into the tool's name"},
	{"F07", "invocations of MiniMax and Anthropic leak"},
	{"F08", "Harmony's channels leak, or stick to the tool's name"},
	{"F09", "the model imitates how its history shows calls"},
	{"F10", "the call stands in the reasoning"},
	{"F11", "quoted or echoed markup looks like a call"},
	{"F12", "the model announces a call and makes none"},
	{"F13", "the answer is empty"},
	{"F14", "Gemini ends with a malformed or unexpected call"},
	{"F15", "the provider refuses its own model's call and quotes it"},
	{"F16", "the endpoint takes no tools, or drops them"},
	{"F17", "the arguments are cut by the output limit"},
	{"F18", "the arguments are no JSON"},
	{"F19", "values are strings in place of lists, objects, numbers or Booleans"},
	{"F20", "all arguments are encoded twice, or an object in place of text"},
	{"F21", "optional arguments hold placeholders"},
	{"F22", "the tool's name is invented or changed"},
	{"F23", "arguments have other names"},
	{"F24", "the arguments are empty"},
	{"F25", "the arguments come in the last event alone, or not in it"},
	{"F26", "parallel calls stream under one index"},
	{"F27", "a call goes on under another index"},
	{"F28", "ids are the same, empty or begin anew"},
	{"F29", "ids have a form that a provider refuses"},
	{"F30", "the finish reason does not fit the answer"},
	{"F31", "integers are too large for a float"},
	{"F32", "the text is damaged on the way"},
	{"F33", "text beside calls is lost, or equal calls become one"},
	{"F34", "the model makes the same calls again and again"},
	{"F35", "Gemini refuses words of a schema"},
	{"F36", "Anthropic refuses alternatives at the root of a schema"},
	{"F37", "OpenAI refuses a schema"},
	{"F38", "no grammar is made of a schema"},
	{"F39", "the name of a tool is refused"},
	{"F40", "a member of the request is refused"},
	{"F41", "a demand for a call is refused or ignored"},
	{"F42", "tools beside reasoning are taken on another API only"},
	{"F43", "tools that are no functions are refused or changed"},
	{"F44", "calls in the history are refused without tools"},
	{"F45", "there are too many tools"},
	{"F46", "empty content is refused"},
	{"F47", "the order of roles is refused"},
	{"F48", "a call has no result, or a result no call"},
	{"F49", "broken arguments in the history are refused"},
	{"F50", "Gemini wants as many results as calls, together"},
	{"F51", "a signature is missing"},
	{"F52", "a signature is foreign"},
	{"F53", "reasoning has to come back with its answer"},
	{"F54", "items of Responses that belong together are apart"},
	{"F55", "images in results are dropped"},
	{"F56", "the answer fails or breaks off after it began"},
	{"F57", "a call comes at once at its end"},
	{"F58", "the beginning of the prompt changes, and no cache hits"},
	{"F59", "providers of the same model differ"},
	{"F60", "a value or a key holds the rest of its own call"},
}
