package hosted

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// The kinds of tools.
const (
	WebSearch = "web_search"
	WebFetch  = "web_fetch"
	Code      = "code_interpreter"
)

// A kind is a tool that providers run, by how APIs name it, and how they show that it ran.
type kind struct {
	name string
	// types are the beginnings of the tool's type by API; for Gemini's the member that stands for it.
	types map[callwright.WireName][]string
	show  map[callwright.WireName]func(*outcome) []string
}

var kinds = []kind{
	{
		name: WebSearch,
		types: map[callwright.WireName][]string{
			callwright.WireAnthropic: {"web_search_"}, callwright.WireResponses: {"web_search"},
			callwright.WireGemini: {"googleSearch", "google_search", "googleSearchRetrieval", "google_search_retrieval"},
		},
		show: map[callwright.WireName]func(*outcome) []string{callwright.WireAnthropic: searchBlocks, callwright.WireResponses: searchItem, callwright.WireGemini: searchGrounding, callwright.WireOpenAI: searchSources},
	},
	{
		name:  WebFetch,
		types: map[callwright.WireName][]string{callwright.WireAnthropic: {"web_fetch_"}, callwright.WireGemini: {"urlContext", "url_context"}},
		show:  map[callwright.WireName]func(*outcome) []string{callwright.WireAnthropic: fetchBlocks, callwright.WireGemini: fetchedPages},
	},
	{
		name: Code,
		types: map[callwright.WireName][]string{
			callwright.WireAnthropic: {"code_execution_"}, callwright.WireResponses: {"code_interpreter"}, callwright.WireGemini: {"codeExecution", "code_execution"},
		},
		show: map[callwright.WireName]func(*outcome) []string{callwright.WireAnthropic: codeBlocks, callwright.WireResponses: codeItem, callwright.WireGemini: codeParts},
	},
}

// Kinds lists the kinds. The caller owns the list.
func Kinds() []string {
	var out []string
	for i := range kinds {
		out = append(out, kinds[i].name)
	}
	return out
}

// kindOf returns the kind of a tool, nil for one that no provider runs, or of which nothing is known.
func kindOf(t *callwright.Tool) *kind {
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
