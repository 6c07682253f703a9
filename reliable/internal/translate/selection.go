package translate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire/definition"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/toolsearch"
)

// LoadTools prepares a request with deferred tools for a receiver without tool search. It replaces search tools with
// functions, and searches in the history with calls of them. It returns all tools that may be sent, and the indexes of
// the tools to send now. These are the tools that are not deferred, followed by the loaded ones in the order of
// loading, so the list only grows at its end. names has the sent tool names for the search results.
func LoadTools(out *callwright.Request, s *judge.Toolset, names *judge.Naming, l *judge.Ledger) (all *judge.Toolset, sent []int,
	err error) {
	var loaded []string
	if b := companion.Of(out).Body; out.Messages == nil && b != nil && !toolsearch.MayTell(b.Bytes()) {
		loaded = s.Search.FindCalledTools(b.Summaries(), out.Params.Choice.Names...)
	} else {
		msgs, err := out.History()
		if err != nil {
			return nil, nil, err
		}
		loaded = s.Search.FindLoadedTools(msgs, out.Params.Choice.Names...)
		told, searches, references := s.Search.ConvertSearches(msgs, names.SentName)
		if searches > 0 {
			l.Add(callwright.Note{Rule: "history.search", Stage: callwright.StageOutbound, Why: "searches: " + strconv.Itoa(searches)})
		}
		if references > 0 {
			l.Add(callwright.Note{Rule: "history.search", Stage: callwright.StageOutbound, Was: "tool_reference", Now: "text",
				Why: "references to tools: " + strconv.Itoa(references)})
		}
		if len(told) != len(msgs) || len(msgs) > 0 && &told[0] != &msgs[0] {
			out.Messages = told
		}
	}
	for _, t := range s.Search.Functions() {
		l.Add(callwright.Note{Rule: "tools.search", Stage: callwright.StageOutbound, Was: t.Name, Now: "function"})
	}
	l.Add(callwright.Note{Rule: "tools.deferred", Stage: callwright.StageOutbound, Was: formatToolCount(s.Search.DeferredCount()),
		Now: strings.TrimSpace(formatToolCount(len(loaded)) + " " + strings.Join(loaded, ", "))})
	all = s.OnlyOffered()
	out.Tools = all.Tools
	for i := range len(all.Tools) - s.Search.DeferredCount() {
		sent = append(sent, i)
	}
	places := make(map[string]int, len(all.Tools))
	for i := range slices.Backward(all.Tools) { // the first tool of a name wins
		places[all.Tools[i].Name] = i
	}
	for _, name := range loaded {
		sent = append(sent, places[name])
	}
	return all, sent, nil
}

// SelectedTools returns the tools at the indexes in sent, or all tools if sent is nil.
func SelectedTools(tools []callwright.Tool, sent []int) []callwright.Tool {
	if sent == nil {
		return tools
	}
	out := make([]callwright.Tool, len(sent))
	for i, at := range sent {
		out[i] = tools[at]
	}
	return out
}

func formatToolCount(tools int) string { return "tools: " + strconv.Itoa(tools) }

// CallableTools returns a toolset without the tools that only code execution of a provider may call. Otherwise the
// prompt would describe them to the model.
func CallableTools(s *judge.Toolset, l *judge.Ledger) *judge.Toolset {
	codeOnly := func(t callwright.Tool) bool { return t.Type != callwright.HostedTool && definition.IsCodeOnly(&t) }
	if !slices.ContainsFunc(s.Tools, codeOnly) {
		return s
	}
	for _, t := range s.Tools {
		if codeOnly(t) {
			l.Add(callwright.Note{Rule: "tools.code_only", Stage: callwright.StageOutbound, Was: t.Name,
				Why: "only code that runs at another provider may call it"})
		}
	}
	return s.Only(slices.DeleteFunc(slices.Clone(s.Tools), codeOnly))
}

// SelectWithin returns the indexes of the tools to send if the receiver accepts at most limit tools. sent has the
// indexes of the offered tools, nil for all. Tools in the tool choice, loaded deferred tools and search functions have
// priority. The other tools follow in the client's order. Hosted tools do not count. The rest of the history does not
// affect the selection, so the list stays the same until another tool is loaded.
func SelectWithin(limit int, choice callwright.Choice, all *judge.Toolset, sent []int, l *judge.Ledger) []int {
	if sent == nil {
		for i := range all.Tools {
			sent = append(sent, i)
		}
	}
	stays := func(t *callwright.Tool) bool {
		return slices.Contains(choice.Names, t.Name) || all.Search.Has(t.Name) || definition.IsDeferred(all.ByName[t.Name].Tool)
	}
	count, free := 0, limit
	for _, at := range sent {
		if t := &all.Tools[at]; t.Type != callwright.HostedTool {
			if count++; stays(t) {
				free--
			}
		}
	}
	if count <= limit {
		return sent
	}
	var out []int
	var left []string
	taken := 0
	for _, at := range sent {
		switch t := &all.Tools[at]; {
		case t.Type == callwright.HostedTool:
			out = append(out, at)
		case taken == limit || free <= 0 && !stays(t):
			left = append(left, t.Name)
		default:
			if taken++; !stays(t) {
				free--
			}
			out = append(out, at)
		}
	}
	l.Add(callwright.Note{Rule: "tools.selected", Stage: callwright.StageOutbound, Was: formatToolCount(count), Now: formatToolCount(taken),
		Why: "the model does not accept more; left out: " + strings.Join(left, ", ")})
	return out
}

// maxNamed is the maximum number of tools that FewNames returns.
const maxNamed = 8

// FewNames returns the names of the tools except hosted ones, or nil if there are more than 8.
func FewNames(tools []callwright.Tool) []string {
	var names []string
	for _, t := range tools {
		if t.Type != callwright.HostedTool {
			names = append(names, t.Name)
		}
	}
	if len(names) > maxNamed {
		return nil
	}
	return names
}
