package simulate

import (
	"bytes"
	"slices"
	"strings"
)

// strictPrefix is the prefix of a profile name in a model name, such as "strict-mistral".
const strictPrefix = "strict-"

// A Profile is a provider or a family of its models, with checks that reject requests. It has no effect on wires for
// which it has no checks.
type Profile struct {
	Name string
	Doc  string
	Base string // name of the profile whose checks it also has; empty for none
}

// Model returns the model name that selects the profile, such as "strict-mistral". A fault may follow after a slash:
// "strict-mistral/hermes-unclosed".
func (p Profile) Model() string { return strictPrefix + p.Name }

// Profiles returns all strict profiles. The caller may modify the slice.
func Profiles() []Profile {
	out := make([]Profile, len(profiles))
	for i, p := range profiles {
		out[i] = p.Profile
	}
	return out
}

// A profile is a Profile with the differences of the provider's responses.
type profile struct {
	Profile
	ids    *idFormat             // format of call ids; nil: the wire's
	thinks bool                  // thinks unless the request disables it
	plain  bool                  // without call ids and signatures
	names  bool                  // permits any tool name
	failed func(*failure) string // encodes an error; nil: as the wire
}

var profiles = []profile{
	{Profile: Profile{Name: "chat", Doc: "Chat Completions: the rules that compatible servers share with OpenAI"}},
	{Profile: Profile{Name: "openai", Base: "chat", Doc: "OpenAI: models that do not reason"}},
	{Profile: Profile{Name: "openai-reasoning", Base: "openai", Doc: "OpenAI: reasoning models, without sampling parameters"}},
	{Profile: Profile{Name: "openai-5.6", Base: "openai-reasoning", Doc: "OpenAI: models that require the Responses API for tools with reasoning"}},
	{Profile: Profile{Name: "groq", Base: "chat", Doc: "Groq"}},
	{Profile: Profile{Name: "deepseek", Base: "chat", Doc: "DeepSeek V4: reasons, and requires its reasoning in the history"}, thinks: true},
	{Profile: Profile{Name: "moonshot", Base: "chat", Doc: "Moonshot: reasons, and requires its reasoning with calls in the history"}, thinks: true},
	{Profile: Profile{Name: "qwen", Base: "chat", Doc: "Qwen on DashScope: no required call while it reasons"}},
	{Profile: Profile{Name: "xai", Doc: "xAI: reasoning models, flat errors"}, failed: failedXAI},
	{Profile: Profile{Name: "llama.cpp", Doc: "llama.cpp: alternating roles, and anchored patterns"},
		names: true, failed: failedLlama},
	{Profile: Profile{Name: "vllm", Doc: "vLLM without a tool call parser"}, names: true, failed: failedVLLM},
	{Profile: Profile{Name: "mistral", Doc: "Mistral: ids of nine characters, a strict order of roles"},
		ids: &idFormat{length: 9}, failed: failedMistral},
	{Profile: Profile{Name: "anthropic", Doc: "Anthropic: the rules of all models"}},
	{Profile: Profile{Name: "anthropic-4.5", Base: "anthropic", Doc: "Anthropic: Claude up to 4.5"}},
	{Profile: Profile{Name: "anthropic-5.5", Base: "anthropic",
		Doc: "Anthropic: Claude Opus 5.5, without sampling parameters, prefill and forced tool choice"}},
	{Profile: Profile{Name: "gemini", Doc: "Gemini: the rules of all models"}},
	{Profile: Profile{Name: "gemini-2.5", Base: "gemini", Doc: "Gemini 2.5: no call ids, no JSON answers together with tools"}, plain: true},
	{Profile: Profile{Name: "gemini-3", Base: "gemini", Doc: "Gemini 3: requires its signatures in the history"}},
	{Profile: Profile{Name: "ollama", Doc: "Ollama, with a model that supports everything"}},
	{Profile: Profile{Name: "ollama-plain", Base: "ollama", Doc: "Ollama, with a model without tools and reasoning"}},
}

func profileNamed(name string) *profile {
	i := slices.IndexFunc(profiles, func(p profile) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &profiles[i]
}

// profileIn returns the profile name in a model name, without strictPrefix. ok is false if there is none.
func profileIn(model string) (name string, ok bool) {
	for part := range strings.SplitSeq(model, "/") {
		if name, ok = strings.CutPrefix(part, strictPrefix); ok {
			return name, true
		}
	}
	return "", false
}

// covers reports whether p or one of its bases is the profile name.
func (p *profile) covers(name string) bool {
	for ; p != nil; p = profileNamed(p.Base) {
		if p.Name == name {
			return true
		}
	}
	return false
}

// isUnsigned reports whether the provider's calls have neither ids nor signatures.
func (p *profile) isUnsigned() bool { return p != nil && p.plain }

// word returns f with an error body in the provider's own format. It returns f itself if the provider uses the format
// of its wire.
func (p *profile) word(f *failure) *failure {
	if p == nil || p.failed == nil || f.body != "" {
		return f
	}
	own := *f
	own.body = p.failed(f)
	return &own
}

// inspect checks a request against the profile of the server or the model name. It returns the first error, nil if
// there is no profile or no error. A body that is not JSON passes, because the wire's reader reports it.
func (s *Server) inspect(seen *Seen) *failure {
	if s.strict == nil && !bytes.Contains(seen.Body, []byte(strictPrefix)) && !strings.Contains(seen.Model, strictPrefix) {
		return nil
	}
	doc, err := parseNode(seen.Body)
	if err != nil {
		return nil
	}
	if seen.strict = s.strict; seen.strict == nil {
		model := seen.Model
		if model == "" {
			model = doc.at("model").str()
		}
		name, ok := profileIn(model)
		if !ok {
			return nil
		}
		if seen.strict = profileNamed(name); seen.strict == nil {
			return noSuchModel(seen.Wire, model)
		}
	}
	seen.Thinks, seen.anyNames = seen.strict.thinks, seen.anyNames || seen.strict.names
	for _, c := range checks {
		if c.Wire != seen.Wire || !seen.strict.covers(c.Profile) {
			continue
		}
		if f := c.examine(doc); f != nil {
			return c.complete(f)
		}
	}
	return nil
}
