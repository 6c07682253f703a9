package hosted

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// searchOption is the member by which clients of Chat Completions have their provider search the web: that API has no tool for it.
// https://developers.openai.com/api/docs/guides/tools-web-search
const searchOption = "web_search_options"

// searches reports whether a request asks for a search by the option, and it is run here.
func (r *Runner) searches(own callwright.WireName, req *callwright.Request) bool {
	if req.Extra.Wire != callwright.WireOpenAI || own == callwright.WireOpenAI || r.cfg.Tools[WebSearch].Run == nil {
		return false
	}
	v, ok := jsonx.Find(req.Extra.JSON, searchOption)
	return ok && jsonx.IsObject(v)
}

// addSearch puts a function in the place of the option.
func (r *Runner) addSearch(next *callwright.Request, names map[string]standIn) {
	tool := r.cfg.Tools[WebSearch]
	name := freeName(next.Tools, WebSearch, nil)
	names[name] = standIn{kindNamed(WebSearch), &tool, callwright.WireOpenAI}
	next.Tools = append(next.Tools, callwright.Tool{Name: name, Description: tool.Description, Schema: tool.Schema})
	next.Edits = append(slices.Clone(next.Edits), callwright.Edit{Path: []string{searchOption}})
	rest, _ := jsonx.ParseObject(next.Extra.JSON) // the option was found in it
	rest.Delete(searchOption)
	next.Extra.JSON = rest.Append(nil)
}

// kindNamed returns a kind by its name.
func kindNamed(name string) *kind {
	return &kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })]
}
