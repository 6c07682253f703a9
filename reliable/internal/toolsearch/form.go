package toolsearch

import (
	"errors"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/searchform"
)

// A form is a type of search tool. It has the function that is sent in its place, the search itself, and the output
// for the client.
type form struct {
	wire        callwright.WireName
	kind        string // prefix of the tool's type in the API
	description string
	schema      string
	catalogue   bool // the function's description lists the searchable tools, as the API does for its own models
	// find runs a search. failure is the reason why the search cannot run, otherwise "".
	find func(s *Search, arguments []byte) (found []string, failure string)
	// show returns the JSON of the content blocks or items for the client: the call, then its outcome.
	show func(s *Search, call *callwright.Call, found []string, failure string) [][]byte
}

var forms = []form{
	{wire: callwright.WireAnthropic, kind: "tool_search_tool_regex", find: (*Search).matching, show: showBlocks,
		description: "Finds further tools by a regular expression over their names, descriptions and arguments. Case does not matter. The tools it finds can be called afterwards.",
		schema:      `{"type":"object","properties":{"pattern":{"type":"string","description":"A regular expression of at most 200 characters, such as get_.*_data or database.*query|query.*database."}},"required":["pattern"]}`},
	{wire: callwright.WireAnthropic, kind: "tool_search_tool_bm25", find: (*Search).findByWords, show: showBlocks,
		description: "Finds further tools by words about what they do. The tools it finds can be called afterwards.",
		schema:      `{"type":"object","properties":{"query":{"type":"string","description":"What the tool is to do, in at most 500 characters."}},"required":["query"]}`},
	{wire: callwright.WireResponses, kind: "tool_search", find: (*Search).findByPaths, show: (*Search).show, catalogue: true,
		description: "Loads further tools, which can be called afterwards. They are asked for by their names, or all of a group by its name. There are:",
		schema:      `{"type":"object","properties":{"paths":{"type":"array","items":{"type":"string"},"description":"Names of tools or groups."}},"required":["paths"]}`},
}

// searches reports whether an API has a tool search.
func searches(wire callwright.WireName) bool {
	return slices.ContainsFunc(forms, func(f form) bool { return f.wire == wire })
}

// formOf returns the form of a search tool, nil for other tools.
func formOf(t *callwright.Tool) *form {
	if t.Type != callwright.HostedTool {
		return nil
	}
	kind, _ := jsonx.Find(t.Extra.JSON, "type")
	said := jsonx.TextOf(kind)
	for i := range forms {
		if f := &forms[i]; t.Extra.Wire == f.wire && strings.HasPrefix(said, f.kind) {
			return f
		}
	}
	return nil
}

// showBlocks returns the content blocks of a search in Anthropic's API.
func showBlocks(_ *Search, call *callwright.Call, found []string, failure string) [][]byte {
	return searchform.Blocks(call, found, failure)
}

// function returns the function tool that replaces a search tool with the given name.
func (f *form) function(s *Search, name string) callwright.Tool {
	t := callwright.Tool{Name: name, Description: f.description, Schema: []byte(f.schema)}
	if f.catalogue {
		t.Description += s.catalogue()
	}
	return t
}

// Maximum lengths of a pattern and a query in Anthropic's tool search, in characters.
const (
	maxPattern = 200
	maxQuery   = 500
)

func (s *Search) matching(arguments []byte) (found []string, failure string) {
	pattern := textAt(arguments, "pattern")
	if len([]rune(pattern)) > maxPattern {
		return nil, "The pattern is longer than 200 characters."
	}
	found, err := s.index().byPattern(pattern)
	if wrong, ok := errors.AsType[*syntax.Error](err); ok {
		return nil, "Invalid regular expression pattern: " + wrong.Code.String()
	} else if err != nil {
		return nil, err.Error()
	}
	return found, ""
}

func (s *Search) findByWords(arguments []byte) (found []string, failure string) {
	query := textAt(arguments, "query")
	if len([]rune(query)) > maxQuery {
		return nil, "The query is longer than 500 characters."
	}
	return s.index().byWords(query), ""
}

// maxGuesses is the maximum number of unknown paths in a search for which findByPaths does a word search.
const maxGuesses = 20

// findByPaths returns the tools with the given names and the tools of the given namespaces. The arguments are
// {"paths":["name",...]}. For an unknown name it does a word search.
func (s *Search) findByPaths(arguments []byte) (found []string, failure string) {
	paths, _ := jsonx.Find(arguments, "paths")
	asked, has, guesses := map[string]bool{}, map[string]bool{}, 0
	for v := range jsonx.Elements(paths) {
		path, _ := jsonx.String(v)
		if asked[path] {
			continue
		}
		asked[path] = true
		names := s.members().at[path]
		if names == nil && guesses < maxGuesses && len([]rune(path)) <= maxQuery {
			names, guesses = s.index().byWords(path), guesses+1
		}
		for _, name := range names {
			if !has[name] {
				has[name] = true
				found = append(found, name)
			}
		}
	}
	return found, ""
}

// textAt returns the string value of a member of a JSON object, "" if there is none.
func textAt(v []byte, key string) string {
	m, _ := jsonx.Find(v, key)
	s, _ := jsonx.String(m)
	return s
}
