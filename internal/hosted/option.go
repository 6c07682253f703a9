package hosted

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/hostedform"
)

// searches reports whether the request enables web search by an option of its API (not by a tool), and the gateway runs
// the search.
func (r *Runner) searches(own callwright.WireName, req *callwright.Request) bool {
	return own != callwright.WireOpenAI && r.cfg.Tools[WebSearch].Run != nil && hostedform.AsksForSearch(req)
}

// addSearch adds a function for web search to the request and to names, and removes the option that enables web search.
func (r *Runner) addSearch(next *callwright.Request, names map[string]standIn) {
	tool := r.cfg.Tools[WebSearch]
	name := freeName(next.Tools, WebSearch, nil)
	names[name] = standIn{hostedform.KindNamed(WebSearch), &tool, callwright.WireOpenAI}
	next.Tools = append(next.Tools, callwright.Tool{Name: name, Description: tool.Description, Schema: tool.Schema})
	hostedform.WithoutSearch(next)
}
