package hostedform

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

// A Kind is a tool that providers run, by how APIs name it, and how they show that it ran.
type Kind struct {
	Name string
	// types are the beginnings of the tool's type by API; for Gemini's the member that stands for it.
	types map[callwright.WireName][]string
	show  map[callwright.WireName]func(*Outcome) []string
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

// Kinds lists the kinds. The caller owns the list.
func Kinds() []string {
	var out []string
	for i := range kinds {
		out = append(out, kinds[i].Name)
	}
	return out
}

// KindOf returns the kind of a tool, nil for a tool that no provider runs and for an unknown one.
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

// KindNamed returns a kind by its name, nil for none.
func KindNamed(name string) *Kind {
	for i := range kinds {
		if kinds[i].Name == name {
			return &kinds[i]
		}
	}
	return nil
}
