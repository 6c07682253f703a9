package hostedform

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// Names of the tools that providers run.
const (
	WebSearch = "web_search"
	WebFetch  = "web_fetch"
	Code      = "code_interpreter"
)

// A Kind is a tool that providers run: its declarations in requests and its calls in responses, by API.
type Kind struct {
	Name string
	// types has the prefixes of the tool's type. For Gemini's API it has the member that declares the tool.
	types map[callwright.WireName][]string
	// show has the functions that write a call and its result as JSON objects.
	show map[callwright.WireName]func(*Outcome) []string
}

var kinds = []Kind{
	{
		Name: WebSearch,
		types: map[callwright.WireName][]string{
			callwright.WireAnthropic: {"web_search_"}, callwright.WireResponses: {"web_search"},
			callwright.WireGemini: {"googleSearch", "google_search", "googleSearchRetrieval", "google_search_retrieval"},
		},
		show: map[callwright.WireName]func(*Outcome) []string{callwright.WireAnthropic: searchBlocks,
			callwright.WireResponses: searchItem, callwright.WireGemini: searchGrounding, callwright.WireOpenAI: searchSources},
	},
	{
		Name:  WebFetch,
		types: map[callwright.WireName][]string{callwright.WireAnthropic: {"web_fetch_"}, callwright.WireGemini: {"urlContext", "url_context"}},
		show:  map[callwright.WireName]func(*Outcome) []string{callwright.WireAnthropic: fetchBlocks, callwright.WireGemini: fetchedPages},
	},
	{
		Name: Code,
		types: map[callwright.WireName][]string{
			callwright.WireAnthropic: {"code_execution_"}, callwright.WireResponses: {"code_interpreter"},
			callwright.WireGemini: {"codeExecution", "code_execution"},
		},
		show: map[callwright.WireName]func(*Outcome) []string{callwright.WireAnthropic: codeBlocks,
			callwright.WireResponses: codeItem, callwright.WireGemini: codeParts},
	},
}

// Kinds returns the names of all tools that providers run, in a new slice.
func Kinds() []string {
	var out []string
	for i := range kinds {
		out = append(out, kinds[i].Name)
	}
	return out
}

// KindOf returns the kind of a declared tool, nil if the tool is not run by the provider or is unknown.
func KindOf(t *callwright.Tool) *Kind {
	if t.Type != callwright.HostedTool {
		return nil
	}
	for i := range kinds {
		names := kinds[i].types[t.Extra.Wire]
		if t.Extra.Wire == callwright.WireGemini {
			if slices.Contains(names, t.Name) {
				return &kinds[i]
			}
			continue
		}
		said, _ := jsonx.Find(t.Extra.JSON, "type")
		if slices.ContainsFunc(names, func(begin string) bool { return strings.HasPrefix(jsonx.TextOf(said), begin) }) {
			return &kinds[i]
		}
	}
	return nil
}

// KindNamed returns the tool that providers run under this name, such as "web_search", nil if there is none.
func KindNamed(name string) *Kind {
	for i := range kinds {
		if kinds[i].Name == name {
			return &kinds[i]
		}
	}
	return nil
}
