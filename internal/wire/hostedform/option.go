package hostedform

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
)

// searchOption is the request member of Chat Completions that turns on the provider's web search. That API has no tool
// for it. https://developers.openai.com/api/docs/guides/tools-web-search
const searchOption = "web_search_options"

// AsksForSearch reports whether a Chat Completions request turns on the provider's web search by the member
// web_search_options.
func AsksForSearch(req *callwright.Request) bool {
	v, ok := jsonx.Find(req.Extra.JSON, searchOption)
	return ok && req.Extra.Wire == callwright.WireOpenAI && jsonx.IsObject(v)
}

// WithoutSearch removes the member web_search_options from req, which must have it.
func WithoutSearch(req *callwright.Request) {
	companion.Change(req, func(c *companion.Companion) {
		c.Edits = append(c.Edits, callwright.Edit{Path: []string{searchOption}})
	})
	rest, _ := jsonx.ParseObject(req.Extra.JSON) // valid: AsksForSearch found the option in it
	rest.Delete(searchOption)
	req.Extra.JSON = rest.Append(nil)
}
