package provider

import (
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Quirk is a habit of a provider that is code and not a fact. Request returns the edits that a request needs for it,
// nil for none; it is safe for concurrent use and leaves the request as it is. Edits are noted by the rule
// provider.Name.
//
// The text of a refusal, and the model's own text inside one, is read by the codecs for every provider alike.
type Quirk struct {
	Name    string
	Doc     string
	Request func(req *callwright.Request) []callwright.Edit
}

// randomSeed is Mistral's name for the seed; it refuses the usual one (https://docs.mistral.ai/api).
var randomSeed = Quirk{
	Name: "random_seed",
	Doc:  "the seed is sent as random_seed: seed is refused",
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

// thinkingSwitch is the switch of DeepSeek, Kimi and GLM, which know no effort that means none
// (https://api-docs.deepseek.com, https://docs.z.ai/guides/capabilities/thinking-mode).
var thinkingSwitch = Quirk{
	Name: "thinking_switch",
	Doc:  "thinking is switched off by a member of its own: no effort means none",
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

// enableThinking is Qwen's switch at Alibaba Cloud, which counts tokens in place of efforts
// (https://www.alibabacloud.com/help/en/model-studio/deep-thinking).
var enableThinking = Quirk{
	Name: "enable_thinking",
	Doc:  "thinking is switched by enable_thinking and bounded by thinking_budget",
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

// unthinking reports whether a request wants no reasoning.
func unthinking(req *callwright.Request) bool {
	return req.Params.Thinking.Off || req.Params.Thinking.Effort == "none"
}

// requireParameters keeps OpenRouter from hosts that would silently leave out tools, or the form of the answer
// (https://openrouter.ai/docs/features/provider-routing). The client's own setting wins.
var requireParameters = Quirk{
	Name: "require_parameters",
	Doc:  "only hosts that know tools and answer formats are asked: others ignore them",
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

// emptyRequired leaves an empty list of required parameters out of schemas, which says nothing: Groq has refused it
// beside empty properties (https://community.groq.com, gpt-oss, tools without parameters).
var emptyRequired = Quirk{
	Name: "empty_required",
	Doc:  "required: [] is left out of tools: it says nothing and has been refused",
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

// invokeForm is the form in which Amazon Bedrock takes requests of Anthropic's API: the path names the model and says
// whether the answer is streamed
// (https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html).
var invokeForm = Quirk{
	Name: "invoke_form",
	Doc:  "the path names the model and the form of the answer: the body does not, and has Bedrock's version of the API",
	Request: func(*callwright.Request) []callwright.Edit {
		return []callwright.Edit{{Path: []string{"model"}}, {Path: []string{"stream"}},
			{Path: []string{"anthropic_version"}, Value: json.RawMessage(`"bedrock-2023-05-31"`)}}
	},
}

// rawPredictForm is the form in which Vertex AI takes them (https://docs.claude.com/en/api/claude-on-vertex-ai).
var rawPredictForm = Quirk{
	Name: "raw_predict_form",
	Doc:  "the path names the model: the body does not, and has Vertex's version of the API",
	Request: func(*callwright.Request) []callwright.Edit {
		return []callwright.Edit{{Path: []string{"model"}}, {Path: []string{"anthropic_version"}, Value: json.RawMessage(`"vertex-2023-10-16"`)}}
	},
}

// Quirks lists the quirks that there are.
func Quirks() []Quirk {
	return []Quirk{randomSeed, thinkingSwitch, enableThinking, requireParameters, emptyRequired, invokeForm, rawPredictForm}
}

// edits returns the edits of the quirks and of the configuration, with a note for each quirk that showed.
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
