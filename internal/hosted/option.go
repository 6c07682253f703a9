package hosted

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/hostedform"
)

// searches reports whether a request asks for a search by an option of its API, and it is run here.
func (r *Runner) searches(own callwright.WireName, req *callwright.Request) bool {
	return own != callwright.WireOpenAI && r.cfg.Tools[WebSearch].Run != nil && hostedform.AsksForSearch(req)
}

// addSearch puts a function in the place of the option.
func (r *Runner) addSearch(next *callwright.Request, names map[string]standIn) {
	tool := r.cfg.Tools[WebSearch]
	name := freeName(next.Tools, WebSearch, nil)
	names[name] = standIn{hostedform.KindNamed(WebSearch), &tool, callwright.WireOpenAI}
	next.Tools = append(next.Tools, callwright.Tool{Name: name, Description: tool.Description, Schema: tool.Schema})
	hostedform.WithoutSearch(next)
}
