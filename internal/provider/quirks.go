package provider

import (
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Quirk is a peculiarity of a provider that needs code. Request returns the edits of the request body that the quirk
// needs, nil for none. It is safe for concurrent use and does not modify the request. A note with the rule
// "provider.NAME" records the edits.
//
// Peculiarities of error responses are not quirks: the codecs decode them for all providers.
type Quirk struct {
	Name    string
	Doc     string
	Request func(req *callwright.Request) []callwright.Edit
}

// randomSeed renames seed to random_seed for Mistral, which refuses seed (https://docs.mistral.ai/api).
var randomSeed = Quirk{
	Name: "random_seed",
	Doc:  "seed is sent as random_seed, because the provider refuses seed",
	Request: func(req *callwright.Request) []callwright.Edit {
		if req.Params.Seed == "" {
			return nil
		}
		return []callwright.Edit{
			{Path: []string{"seed"}},
			{Path: []string{"random_seed"}, Value: json.RawMessage(req.Params.Seed)},
		}
	},
}

// thinkingSwitch disables thinking by the member thinking for DeepSeek, Kimi and GLM, which have no reasoning_effort
// none (https://api-docs.deepseek.com, https://docs.z.ai/guides/capabilities/thinking-mode).
var thinkingSwitch = Quirk{
	Name: "thinking_switch",
	Doc:  "the member thinking turns reasoning off, because the API does not have the value none of reasoning_effort",
	Request: func(req *callwright.Request) []callwright.Edit {
		if !unthinking(req) {
			return nil
		}
		return []callwright.Edit{
			{Path: []string{"reasoning_effort"}},
			{Path: []string{"thinking"}, Value: json.RawMessage(`{"type":"disabled"}`)},
		}
	},
}

// enableThinking sets enable_thinking and thinking_budget for Qwen at Alibaba Cloud, which has no reasoning_effort
// (https://www.alibabacloud.com/help/en/model-studio/deep-thinking).
var enableThinking = Quirk{
	Name: "enable_thinking",
	Doc:  "enable_thinking turns reasoning on or off, and thinking_budget limits it",
	Request: func(req *callwright.Request) []callwright.Edit {
		t := req.Params.Thinking
		if t.Effort == "" && t.Budget == "" && !t.Off {
			return nil
		}
		on := "true"
		if unthinking(req) {
			on = "false"
		}
		edits := []callwright.Edit{{Path: []string{"reasoning_effort"}}, {Path: []string{"enable_thinking"}, Value: json.RawMessage(on)}}
		if t.Budget != "" && on == "true" {
			edits = append(edits, callwright.Edit{Path: []string{"thinking_budget"}, Value: json.RawMessage(t.Budget)})
		}
		return edits
	},
}

// unthinking reports whether a request disables reasoning.
func unthinking(req *callwright.Request) bool {
	return req.Params.Thinking.Off || req.Params.Thinking.Effort == "none"
}

// requireParameters makes OpenRouter use only hosts that support tools and response formats, since others silently
// ignore them (https://openrouter.ai/docs/features/provider-routing). A client's own value is kept.
var requireParameters = Quirk{
	Name: "require_parameters",
	Doc:  "only hosts that support tools and response formats are used, because others ignore them",
	Request: func(req *callwright.Request) []callwright.Edit {
		tools, err := req.DeclaredTools()
		if err != nil || len(tools) == 0 && req.Params.Format == nil {
			return nil
		}
		for _, came := range [][]byte{req.Extra.JSON, bytesOf(req)} {
			if _, said := jsonx.Lookup(came, "provider", "require_parameters"); said {
				return nil
			}
		}
		return []callwright.Edit{{Path: []string{"provider", "require_parameters"}, Value: json.RawMessage("true")}}
	},
}

func bytesOf(req *callwright.Request) []byte {
	came := companion.Of(req)
	if came.Wire() != callwright.WireOpenAI {
		return nil
	}
	return came.Bytes()
}

// emptyRequired removes "required": [] from tool schemas. It has no meaning, and Groq has refused it beside empty
// properties (https://community.groq.com, gpt-oss, tools without parameters).
var emptyRequired = Quirk{
	Name: "empty_required",
	Doc:  "an empty required list is removed from tool schemas, because the provider has refused requests with such a list",
	Request: func(req *callwright.Request) []callwright.Edit {
		tools, err := req.DeclaredTools()
		if err != nil {
			return nil
		}
		for i := range tools {
			if list, ok := jsonx.Find(tools[i].Schema, "required"); ok && string(jsonx.Compact(nil, list)) == "[]" {
				path := []string{"tools", "*", "function", "parameters", "required"}
				return []callwright.Edit{{Path: path, Only: json.RawMessage("[]")}}
			}
		}
		return nil
	},
}

// invokeForm adapts the body of Anthropic's API to Amazon Bedrock, where the path contains the model and selects
// streaming
// (https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html).
var invokeForm = Quirk{
	Name: "invoke_form",
	Doc:  "the path has the model and the streaming mode; the body has anthropic_version instead",
	Request: func(*callwright.Request) []callwright.Edit {
		return []callwright.Edit{{Path: []string{"model"}}, {Path: []string{"stream"}},
			{Path: []string{"anthropic_version"}, Value: json.RawMessage(`"bedrock-2023-05-31"`)}}
	},
}

// rawPredictForm adapts the body of Anthropic's API to Vertex AI, where the path contains the model
// (https://docs.claude.com/en/api/claude-on-vertex-ai).
var rawPredictForm = Quirk{
	Name: "raw_predict_form",
	Doc:  "the path has the model; the body has anthropic_version instead",
	Request: func(*callwright.Request) []callwright.Edit {
		return []callwright.Edit{{Path: []string{"model"}}, {Path: []string{"anthropic_version"}, Value: json.RawMessage(`"vertex-2023-10-16"`)}}
	},
}

// Quirks returns all quirks.
func Quirks() []Quirk {
	return []Quirk{randomSeed, thinkingSwitch, enableThinking, requireParameters, emptyRequired, invokeForm, rawPredictForm}
}

// edits returns the edits of a request by the quirks, the decoding constraint and the configuration, with a note for
// each quirk that made an edit.
func (p *Provider) edits(req *callwright.Request) (edits []callwright.Edit, notes []callwright.Note) {
	for _, q := range p.row.Quirks {
		if made := q.Request(req); len(made) > 0 {
			edits = append(edits, made...)
			notes = append(notes, callwright.Note{Rule: "provider." + q.Name, Stage: callwright.StageEncode, Why: q.Doc}.Classify())
		}
	}
	if made := p.constraintEdits(req); made != nil {
		edits, notes = append(edits, made...), append(notes, constraintNote(companion.Of(req).Constraint))
	}
	if edits == nil {
		return p.cfg.Edits, nil
	}
	return append(edits, p.cfg.Edits...), notes
}
