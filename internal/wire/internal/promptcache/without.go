package promptcache

import (
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// markPaths lists the paths of cache marks in request bodies of all APIs. "*" is every element of a list.
var markPaths = [][]string{
	{Member}, {"tools", "*", Member}, {"system", "*", Member}, {"messages", "*", Member}, {"messages", "*", "content", "*", Member},
	{"messages", "*", "content", "*", "content", "*", Member}, {"messages", "*", "content", "*", kit.CacheBreakpoint},
	{"input", "*", "content", "*", kit.CacheBreakpoint},
	{"input", "*", "output", "*", kit.CacheBreakpoint},
}

// settings lists the cache members of requests of OpenAI's APIs.
var settings = []string{KeyMember, "prompt_cache_retention", "prompt_cache_options"}

const whyOff = "caching is off"

// Without returns the edits that remove cache settings from the client's body, and adds a note for each. It removes all
// of them if the request turns caching off. Otherwise it removes the marks if the provider does not accept any.
func Without(req *callwright.Request, c *caps.Caps, notes *kit.Notes) []callwright.Edit {
	off := req.Cache == callwright.CacheOff
	if !off && c.CacheControl != caps.No {
		return nil
	}
	body, note := companion.Of(req).Bytes(), callwright.Note{Rule: "history.cache_mark", Why: "the provider does not support cache marks"}
	if off {
		note = callwright.Note{Rule: "cache.off", Why: whyOff}
	}
	var edits []callwright.Edit
	for _, path := range markPaths {
		name := path[len(path)-1]
		if (off || name == Member) && jsonx.Mentions(body, name) && has(body, path) {
			edits = append(edits, callwright.Edit{Path: path})
			note.Was = name
			notes.Add(note)
		}
	}
	for _, name := range settings {
		if _, said := jsonx.Find(body, name); off && said {
			edits = append(edits, callwright.Edit{Path: []string{name}})
			notes.Add(callwright.Note{Rule: "cache.off", Path: "/" + name, Was: name, Why: whyOff})
		}
	}
	return edits
}

// has reports whether the JSON document v has a member at path. "*" is any element of a list.
func has(v []byte, path []string) bool {
	if len(path) == 0 {
		return true
	}
	if path[0] == "*" {
		for e := range jsonx.Elements(v) {
			if has(e, path[1:]) {
				return true
			}
		}
		return false
	}
	in, ok := jsonx.Find(v, path[0])
	return ok && has(in, path[1:])
}

// Off returns req without the cache settings among its extra members if the request turns caching off. It is for a
// client of another API. It does not modify req.
func Off(req *callwright.Request, notes *kit.Notes) *callwright.Request {
	if req.Cache != callwright.CacheOff || len(req.Extra.JSON) == 0 {
		return req
	}
	list, err := jsonx.ParseObject(req.Extra.JSON)
	if err != nil {
		return req
	}
	n := len(list)
	for _, name := range append([]string{Member}, settings...) {
		if _, said := list.Get(name); said {
			list.Delete(name)
			notes.Add(callwright.Note{Rule: "cache.off", Path: "/" + name, Was: name, Why: whyOff})
		}
	}
	if len(list) == n {
		return req
	}
	out := *req
	out.Extra.JSON = json.RawMessage(list.Append(nil))
	return &out
}
