package hostedform

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
)

// searchOption is the member by which clients of Chat Completions have their provider search the web: that API has no
// tool for it. https://developers.openai.com/api/docs/guides/tools-web-search
const searchOption = "web_search_options"

// AsksForSearch reports whether a request asks for a search by the option of its API.
func AsksForSearch(req *callwright.Request) bool {
	v, ok := jsonx.Find(req.Extra.JSON, searchOption)
	return ok && req.Extra.Wire == callwright.WireOpenAI && jsonx.IsObject(v)
}

// WithoutSearch takes the option out of a request that has it.
func WithoutSearch(req *callwright.Request) {
	companion.Change(req, func(c *companion.Companion) {
		c.Edits = append(c.Edits, callwright.Edit{Path: []string{searchOption}})
	})
	rest, _ := jsonx.ParseObject(req.Extra.JSON) // the option was found in it
	rest.Delete(searchOption)
	req.Extra.JSON = rest.Append(nil)
}
