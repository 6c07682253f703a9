package kit

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/definition"
)

// NoteLostMembers gives a note for each member of a request that only the wire it came over knows, where own is another
// one: those members are not carried over, but for those that are named.
func NoteLostMembers(x callwright.Extra, own callwright.WireName, carried ...string) []callwright.Note {
	if x.Wire == own || len(x.JSON) == 0 {
		return nil
	}
	var notes []callwright.Note
	for key, value := range jsonx.Members(x.JSON) {
		if OneOf(key, carried) {
			continue
		}
		why := "only the " + string(x.Wire) + " API has this member"
		if isOpenAIPair(x.Wire, own) && (key.Is("verbosity") || key.Is("text") || OneOf(key, SharedParams)) {
			why = "the provider is not known to take this member"
		}
		notes = append(notes, callwright.Note{
			Rule: "params.left_out", Stage: callwright.StageEncode, Was: key.String() + ": " + string(value), Why: why,
		}.Classify())
	}
	return notes
}

// OfTool notes the members of another API's tool that own does not have. It reports whether the tool can be written at
// all: a tool that another provider runs cannot, and one that only code at that provider may call must not be offered
// to the model. Carried are members that own has, too.
func (l *Notes) OfTool(t *callwright.Tool, own Own, path string, carried ...string) (sent bool) {
	if t.Extra.Wire == "" && t.Type != callwright.HostedTool || Own(t.Extra.Wire) == own {
		return true
	}
	switch {
	case t.Type == callwright.HostedTool:
		l.Add(callwright.Note{Rule: "tools.hosted", Path: path, Was: t.Name, Why: "only its own wire knows this tool"})
		return false
	case definition.IsCodeOnly(t):
		l.Add(callwright.Note{Rule: "tools.code_only", Path: path, Was: t.Name, Why: "only code that runs at its own provider may call it"})
		return false
	}
	if ns, ok := jsonx.Find(t.Extra.JSON, "namespace"); ok && !IsHollow(ns) {
		l.onceOf(callwright.Note{Rule: "tools.flattened", Path: path, Was: string(ns),
			Why: "only the " + string(t.Extra.Wire) + " API has groups of tools: the name of the group is part of the tool's"})
	}
	word := TextAt(t.Extra.JSON, "type")
	if t.Type == callwright.FunctionTool && word != "" && word != "custom" && word != "function" {
		l.Add(callwright.Note{Rule: "tools.by_type", Path: path, Was: word, Now: "function",
			Why: "only the " + string(t.Extra.Wire) + " API knows the tool by its type"})
		return true
	}
	for key, v := range jsonx.Members(t.Extra.JSON) {
		switch {
		case OneOf(key, carriedOfTools) || OneOf(key, carried) || IsHollow(v) || string(v) == "false":
		case key.Is(CacheControl):
			l.onceOf(callwright.Note{Rule: "tools.cache_mark", Path: path, Was: CacheControl, Why: "only its own wire marks what to cache"})
		default:
			l.onceOf(callwright.Note{Rule: "tools.member", Path: path, Was: key.String() + ": " + string(v),
				Why: "only the " + string(t.Extra.Wire) + " API has this member"})
		}
	}
	return true
}

// carriedOfTools are the members kept of tools that say nothing to other APIs, or that are written in their form.
var carriedOfTools = []string{"type", "name", "namespace", "found", "strict", "format", "parameters", "function", "custom", "tool_addition"}

// The members that mark up to where a prompt is to be cached: CacheControl in Anthropic's API and those after it,
// CacheBreakpoint in OpenAI's.
const (
	CacheControl    = "cache_control"
	CacheBreakpoint = "prompt_cache_breakpoint"
)

// OfHistory notes the parts of another API's messages that own writes otherwise, or not at all: texts in place of
// blocks, cache marks.
func (l *Notes) OfHistory(messages []callwright.Message, own Own, path string) {
	for _, m := range messages {
		l.ofParts(m.Parts, own, path)
	}
}

func (l *Notes) ofParts(parts []callwright.Part, own Own, path string) {
	for _, p := range parts {
		var x callwright.Extra
		switch p := p.(type) {
		case callwright.Text:
			if x = p.Extra; Own(x.Wire) == own || x.JSON == nil {
				continue
			}
			if was := Own(x.Wire).StoodFor(p); was != nil {
				l.Add(callwright.Note{Rule: "history.block", Path: path, Was: string(was), Now: p.Text, Why: "only its own wire has this block"})
			}
		case callwright.Image:
			x = p.Extra
		case callwright.File:
			x = p.Extra
		case callwright.Call:
			x = p.Extra
		case callwright.Result:
			x = p.Extra
			l.ofParts(p.Parts, own, path)
		}
		if x.JSON == nil || Own(x.Wire) == own {
			continue
		}
		for _, mark := range [...]string{CacheControl, CacheBreakpoint} {
			if has(x.JSON, mark) {
				l.onceOf(callwright.Note{Rule: "history.cache_mark", Path: path, Was: mark, Why: "only its own wire marks what to cache"})
			}
		}
	}
}

// stoodFor is the member of a text's Extra that holds the original in whose place the text stands.
const stoodFor = "stands_for"

// Standing is a text that stands for something only this wire knows, so that other wires have its words.
func (o Own) Standing(words string, what []byte) callwright.Text {
	return callwright.Text{Text: words, Extra: o.Keep(callwright.Extra{}, stoodFor, what)}
}

// StoodFor returns the original in whose place a text stands in this API, nil where there is none.
func (o Own) StoodFor(t callwright.Text) []byte { return o.Member(t.Extra, stoodFor) }

// SettingsAlone notes a message of instructions of another API that holds no text, only settings, which count for the
// request: there is nothing in it to write. It reports whether m is one.
func (l *Notes) SettingsAlone(m callwright.Message, own Own, path string) bool {
	if m.Role != callwright.RoleSystem || len(m.Parts) > 0 || m.Extra.Wire == "" || Own(m.Extra.Wire) == own {
		return false
	}
	l.Add(callwright.Note{Rule: "history.empty_message", Path: path, Was: string(m.Extra.JSON), Why: "its settings count for the request"})
	return true
}

// isOpenAIPair reports whether two wires are those of OpenAI's APIs, which have members in common.
func isOpenAIPair(a, b callwright.WireName) bool {
	return (a == callwright.WireOpenAI || a == callwright.WireResponses) && (b == callwright.WireOpenAI || b == callwright.WireResponses)
}

// SharedParams are members of a request that mean the same in both APIs of OpenAI.
var SharedParams = []string{"service_tier", "prompt_cache_key", "prompt_cache_retention", "prompt_cache_options",
	"safety_identifier", "metadata", "top_logprobs"}

func has(v []byte, key string) bool {
	_, ok := jsonx.Find(v, key)
	return ok
}
