package kit

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/definition"
)

// NoteLostMembers returns a note for each request member in x that is dropped because only the API it came from has it.
// It returns nil if own is that API. Members called carried are not dropped.
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
			why = "it is not known whether the provider accepts this member"
		}
		notes = append(notes, callwright.Note{
			Rule: "params.left_out", Stage: callwright.StageEncode, Was: key.String() + ": " + string(value), Why: why,
		}.Classify())
	}
	return notes
}

// OfTool adds notes on members of the tool t that own, the API to encode for, does not have because t was decoded from
// another API. sent is false if the tool cannot be declared at all: another provider executes it, or only code at that
// provider may call it. carried names members that own has too.
func (l *Notes) OfTool(t *callwright.Tool, own API, path string, carried ...string) (sent bool) {
	if t.Extra.Wire == "" && t.Type != callwright.HostedTool || API(t.Extra.Wire) == own {
		return true
	}
	switch {
	case t.Type == callwright.HostedTool:
		l.Add(callwright.Note{Rule: "tools.hosted", Path: path, Was: t.Name, Why: "only the wire of the request has this tool"})
		return false
	case definition.IsCodeOnly(t):
		l.Add(callwright.Note{Rule: "tools.code_only", Path: path, Was: t.Name, Why: "only code that runs at another provider may call it"})
		return false
	}
	if ns, ok := jsonx.Find(t.Extra.JSON, "namespace"); ok && !IsEmptyValue(ns) {
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
		case OneOf(key, carriedOfTools) || OneOf(key, carried) || IsEmptyValue(v) || string(v) == "false":
		case key.Is(CacheControl):
			l.onceOf(callwright.Note{Rule: "tools.cache_mark", Path: path, Was: CacheControl, Why: "only the wire of the request has cache marks"})
		default:
			l.onceOf(callwright.Note{Rule: "tools.member", Path: path, Was: key.String() + ": " + string(v),
				Why: "only the " + string(t.Extra.Wire) + " API has this member"})
		}
	}
	return true
}

// carriedOfTools lists members of a tool's Extra that need no note: other APIs lose nothing without them, or their
// encoders write an equivalent.
var carriedOfTools = []string{"type", "name", "namespace", "found", "strict", "format", "parameters", "function", "custom", "tool_addition"}

// Members that mark the end of the part of a prompt that the provider is to cache. CacheControl is Anthropic's,
// CacheBreakpoint is OpenAI's.
const (
	CacheControl    = "cache_control"
	CacheBreakpoint = "prompt_cache_breakpoint"
)

// OfHistory adds notes on parts of messages that own, the API to encode for, replaces or drops because they were
// decoded from another API: blocks that become text, and prompt cache marks. path is the JSON pointer to the list of
// messages.
func (l *Notes) OfHistory(messages []callwright.Message, own API, path string) {
	for _, m := range messages {
		l.ofParts(m.Parts, own, path)
	}
}

func (l *Notes) ofParts(parts []callwright.Part, own API, path string) {
	for _, p := range parts {
		var x callwright.Extra
		switch p := p.(type) {
		case callwright.Text:
			if x = p.Extra; API(x.Wire) == own || x.JSON == nil {
				continue
			}
			if was := API(x.Wire).ReplacedBlock(p); was != nil {
				l.Add(callwright.Note{Rule: "history.block", Path: path, Was: string(was), Now: p.Text,
					Why: "only the wire of the message has this block"})
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
		if x.JSON == nil || API(x.Wire) == own {
			continue
		}
		for _, mark := range [...]string{CacheControl, CacheBreakpoint} {
			if has(x.JSON, mark) {
				l.onceOf(callwright.Note{Rule: "history.cache_mark", Path: path, Was: mark, Why: "only the wire of the request has cache marks"})
			}
		}
	}
}

// replacedBlock is the member of a Text's Extra that holds the original block which the text replaces for other APIs.
const replacedBlock = "stands_for"

// ReplaceBlock returns a text with words that replaces a JSON block, the second argument, for other APIs. Only the API
// o knows that block. Its encoder gets the block back by ReplacedBlock.
func (o API) ReplaceBlock(words string, what []byte) callwright.Text {
	return callwright.Text{Text: words, Extra: o.Keep(callwright.Extra{}, replacedBlock, what)}
}

// ReplacedBlock returns the JSON block of the API o that the text t replaces, nil if it replaces none.
func (o API) ReplacedBlock(t callwright.Text) []byte { return o.Member(t.Extra, replacedBlock) }

// SettingsAlone reports whether m is a system message of another API that has only settings and no text. The settings
// apply to the request, so that no message is written. In this case it adds a note.
func (l *Notes) SettingsAlone(m callwright.Message, own API, path string) bool {
	if m.Role != callwright.RoleSystem || len(m.Parts) > 0 || m.Extra.Wire == "" || API(m.Extra.Wire) == own {
		return false
	}
	l.Add(callwright.Note{Rule: "history.empty_message", Path: path, Was: string(m.Extra.JSON), Why: "its settings apply to the request"})
	return true
}

// isOpenAIPair reports whether a and b are both APIs of OpenAI (Chat Completions or Responses), which share members.
func isOpenAIPair(a, b callwright.WireName) bool {
	return (a == callwright.WireOpenAI || a == callwright.WireResponses) && (b == callwright.WireOpenAI || b == callwright.WireResponses)
}

// SharedParams lists request members that have the same meaning in both APIs of OpenAI.
var SharedParams = []string{"service_tier", "prompt_cache_key", "prompt_cache_retention", "prompt_cache_options",
	"safety_identifier", "metadata", "top_logprobs"}

func has(v []byte, key string) bool {
	_, ok := jsonx.Find(v, key)
	return ok
}
