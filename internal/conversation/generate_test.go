package conversation_test

import (
	"encoding/json"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"pgregory.net/rapid"
)

// anyText is text with everything that JSON escapes, and without.
var anyText = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "<&>", "line\nbreak", "quote\"\\", "\u2028\u0000", "€😀"}))

// anyJSON is JSON text as clients write it, sound and broken; nil too.
var anyJSON = rapid.Map(rapid.SampledFrom([]string{
	"", `null`, `{}`, `{"b": 1.0,  "a":9007199254740993, "b":2}`, "{\n  \"a\": [1,\r\n2]\n}", ` {"a":1}`, `{"a":`, `"<&>\u00e9\/"`, `1e400`, `[[]`, `{"a":"\ud800"}`,
}), func(s string) json.RawMessage {
	if s == "" {
		return nil
	}
	return json.RawMessage(s)
})

var anyNumber = rapid.SampledFrom([]json.Number{"", "0", "0.70", "1e2", "9007199254740993", "many", " 1"})

var anyExtra = rapid.Custom(func(t *rapid.T) callwright.Extra {
	return callwright.Extra{Wire: callwright.WireName(rapid.SampledFrom([]string{"", "openai", "gemini"}).Draw(t, "wire")), JSON: anyJSON.Draw(t, "extra")}
})

var anyOrigin = rapid.Custom(func(t *rapid.T) callwright.Origin {
	return callwright.Origin{Wire: callwright.WireName(rapid.SampledFrom([]string{"", "anthropic"}).Draw(t, "wire")), Model: callwright.ModelID(anyText.Draw(t, "model"))}
})

var anyToolType = rapid.SampledFrom([]callwright.ToolType{callwright.FunctionTool, callwright.CustomTool, callwright.HostedTool})

var anyFlag = rapid.Ptr(rapid.Bool(), true)

// listOf is a list that is nil, empty or has elements.
func listOf[T any](t *rapid.T, of *rapid.Generator[T]) []T {
	if rapid.Bool().Draw(t, "nil") {
		return nil
	}
	return rapid.SliceOfN(of, 0, 4).Draw(t, "list")
}

var anyCall = rapid.Custom(func(t *rapid.T) callwright.Call {
	return callwright.Call{
		ID: anyText.Draw(t, "id"), Name: anyText.Draw(t, "name"), Type: anyToolType.Draw(t, "type"), Arguments: anyJSON.Draw(t, "arguments"),
		Input: anyText.Draw(t, "input"), Raw: anyText.Draw(t, "raw"), Signature: anyText.Draw(t, "signature"), Origin: anyOrigin.Draw(t, "origin"),
		Unvalidated: rapid.Bool().Draw(t, "unvalidated"), Extra: anyExtra.Draw(t, "extra"),
	}
})

var innerPart = rapid.Custom(func(t *rapid.T) callwright.Part {
	s := func() string { return anyText.Draw(t, "text") }
	x := anyExtra.Draw(t, "extra")
	return []callwright.Part{
		callwright.Text{Text: s(), Extra: x},
		callwright.Image{MediaType: s(), Data: s(), URL: s(), FileID: s(), Detail: s(), Extra: x},
		callwright.File{Name: s(), MediaType: s(), Data: s(), URL: s(), Text: s(), FileID: s(), Extra: x},
		callwright.Opaque{Extra: x},
	}[rapid.IntRange(0, 3).Draw(t, "kind")]
})

var anyPart = rapid.Custom(func(t *rapid.T) callwright.Part {
	s := func() string { return anyText.Draw(t, "text") }
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return anyCall.Draw(t, "call")
	case 1:
		return callwright.Reasoning{Text: s(), Signature: s(), Redacted: s(), ID: s(), Origin: anyOrigin.Draw(t, "origin"), Extra: anyExtra.Draw(t, "extra")}
	case 2:
		return callwright.Result{
			CallID: s(), Name: s(), Parts: listOf(t, innerPart), IsError: rapid.Bool().Draw(t, "failed"), Type: anyToolType.Draw(t, "type"), Extra: anyExtra.Draw(t, "extra"),
		}
	}
	return innerPart.Draw(t, "part")
})

var anyMessage = rapid.Custom(func(t *rapid.T) callwright.Message {
	roles := []callwright.Role{callwright.RoleSystem, callwright.RoleUser, callwright.RoleAssistant, callwright.RoleTool}
	return callwright.Message{Role: rapid.SampledFrom(roles).Draw(t, "role"), Parts: listOf(t, anyPart), Extra: anyExtra.Draw(t, "extra")}
})

var anyTool = rapid.Custom(func(t *rapid.T) callwright.Tool {
	return callwright.Tool{
		Name: anyText.Draw(t, "name"), Description: anyText.Draw(t, "description"), Schema: anyJSON.Draw(t, "schema"), Type: anyToolType.Draw(t, "type"),
		Strict: anyFlag.Draw(t, "strict"), Extra: anyExtra.Draw(t, "extra"),
	}
})

var anyUsage = rapid.Custom(func(t *rapid.T) callwright.Usage {
	n := func() int { return rapid.Int().Draw(t, "tokens") }
	return callwright.Usage{
		Known: rapid.Bool().Draw(t, "known"), Input: n(), CacheRead: n(), CacheWrite: n(), Output: n(), Reasoning: n(), Extra: anyExtra.Draw(t, "extra"),
	}
})

var anyReport = rapid.Custom(func(t *rapid.T) *callwright.Report {
	if rapid.Bool().Draw(t, "none") {
		return nil
	}
	return &callwright.Report{
		ID: anyText.Draw(t, "id"), Mode: caps.Native, Confidence: rapid.Float64().Draw(t, "confidence"), Untouched: rapid.Bool().Draw(t, "untouched"),
		Attempts: listOf(t, rapid.Custom(func(t *rapid.T) callwright.Attempt {
			return callwright.Attempt{Model: "p/m", Mode: caps.Text, Why: anyText.Draw(t, "why"), Duration: time.Second, Usage: anyUsage.Draw(t, "usage")}
		})),
		Notes: listOf(t, rapid.Custom(func(t *rapid.T) callwright.Note {
			return callwright.Note{Rule: "json.trailing_comma", Was: anyText.Draw(t, "was"), Now: anyText.Draw(t, "now")}
		})),
	}
})

var anyResponse = rapid.Custom(func(t *rapid.T) *callwright.Response {
	r := &callwright.Response{
		ID: anyText.Draw(t, "id"), Model: anyText.Draw(t, "model"), Parts: listOf(t, anyPart), Finish: callwright.FinishCalls, Usage: anyUsage.Draw(t, "usage"),
		NeedsMoreWork: anyFlag.Draw(t, "more"), Confidence: rapid.Float64().Draw(t, "confidence"), Report: anyReport.Draw(t, "report"), Extra: anyExtra.Draw(t, "extra"),
	}
	if b := rapid.SliceOf(rapid.Byte()).Draw(t, "raw"); len(b) > 0 {
		r.Raw = &callwright.Raw{Wire: callwright.WireOpenAI, Bytes: b}
	}
	return r
})

var anyRequest = rapid.Custom(func(t *rapid.T) *callwright.Request {
	n := func() json.Number { return anyNumber.Draw(t, "number") }
	p := callwright.Params{
		Stream: rapid.Bool().Draw(t, "stream"), StreamUsage: rapid.Bool().Draw(t, "usage"),
		Choice:   callwright.Choice{Mode: callwright.ChoiceNamed, Names: listOf(t, anyText)},
		Parallel: anyFlag.Draw(t, "parallel"), MaxTokens: n(), Temperature: n(), TopP: n(), TopK: n(), Presence: n(), Frequency: n(), Seed: n(),
		Stop: listOf(t, anyText), User: anyText.Draw(t, "user"),
		Thinking: callwright.Thinking{Effort: anyText.Draw(t, "effort"), Budget: n(), Off: rapid.Bool().Draw(t, "off"), Extra: anyExtra.Draw(t, "extra")},
	}
	if rapid.Bool().Draw(t, "format") {
		p.Format = &callwright.AnswerFormat{Name: anyText.Draw(t, "name"), Description: anyText.Draw(t, "about"), Schema: anyJSON.Draw(t, "schema"), Strict: anyFlag.Draw(t, "strict"), Loose: rapid.Bool().Draw(t, "loose")}
	}
	req := &callwright.Request{Model: "p/m", Messages: listOf(t, anyMessage), Tools: listOf(t, anyTool), Params: p, Extra: anyExtra.Draw(t, "extra")}
	if edits := listOf(t, anyEdit); edits != nil {
		companion.Change(req, func(c *companion.Companion) { c.Edits = edits })
	}
	return req
})

var anyEdit = rapid.Custom(func(t *rapid.T) callwright.Edit {
	return callwright.Edit{Path: listOf(t, anyText), Value: anyJSON.Draw(t, "value"), Only: anyJSON.Draw(t, "only")}
})
