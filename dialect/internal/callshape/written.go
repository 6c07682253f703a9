package callshape

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/internal/callkey"
)

// openers are the keys with which an object that is or contains a call may begin.
var openers = map[string]bool{
	"name": true, "function": true, "tool": true, "tool_name": true, "function_name": true, "tool_calls": true,
	"toolCalls": true, "function_call": true, "tool_call": true, "tool_call_id": true, "call_id": true, "calls": true,
	"action": true, "action_input": true,
	"arguments": true, "parameters": true, "args": true, "input": true, "params": true, "id": true, "type": true,
	"scratchpad": true, "thought": true, "thoughts": true, "reasoning": true, "content": true, "needsMoreWork": true,
	"candidates": true, "choices": true, "role": true, "parts": true, "message": true, "output": true, "functionCall": true,
	"tool_use": true, "object": true,
	"answer": true, "TOOL_NAME": true, "func": true, "call": true, "tools_call": true, "recipient_name": true,
	"tool_input": true, "api": true, "api_name": true, "plan": true, "index": true,
}

// MayBegin reports whether an object that begins with key may be or contain a call.
func MayBegin(key string) bool { return openers[key] }

// WrittenName returns the tool name in unreadable text for a report. The first key counts if resolves reports a
// declared tool.
func WrittenName(text string, resolves func(name string) bool) string {
	rest := strings.TrimLeft(text, "[{\"' \t\r\n")
	end := chars.WordEnd(rest, 0)
	if strings.HasPrefix(strings.TrimLeft(rest[end:], "\"' \t\r\n"), ":") && resolves(rest[:end]) {
		return rest[:end]
	}
	for _, key := range callkey.Names[:4] {
		i := strings.Index(text, key)
		if i < 0 {
			continue
		}
		rest := strings.TrimLeft(text[i+len(key):], "\"' \t:\n")
		end := 0
		for end < len(rest) && chars.IsNameByte(rest[end]) && end < chars.MaxName {
			end++
		}
		return rest[:end]
	}
	return ""
}

// WithoutDoubled removes one pair of the doubled braces around an object {{...}}, which prompt templates produce. It
// returns false if t has none.
func WithoutDoubled(t string) (string, bool) {
	if !strings.HasPrefix(t, "{{") || !strings.HasSuffix(t, "}}") {
		return t, false
	}
	return t[1 : len(t)-1], true
}
