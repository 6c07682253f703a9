// Package cloudmodel returns the gateway's provider for a model of Amazon Bedrock or of Google Vertex AI, by the
// model's name in that cloud.
package cloudmodel

import (
	"regexp"
	"slices"
	"strings"
)

// A Model is a model of a cloud.
type Model struct {
	Provider string // the built-in provider, such as bedrock-anthropic
	Name     string // the name of the model in requests to the provider
	Region   string // the region in the name; "" for none
}

// The reasons why the gateway has no provider for a model.
const (
	WhyConverse = "Bedrock offers it only by Converse or by an API of its maker, which are not supported"
	WhyAgent    = "it is an agent or a job of Bedrock, not a model"
	WhyProfile  = "its ARN does not identify the model: list it under bedrock-anthropic if it is Claude, otherwise under bedrock"
	WhyPublish  = "Vertex AI offers it only by an API that is not supported"
	WhyDeployed = "it is your own endpoint: list it with its base_url and auth: {google: {}}"
)

// bedrockForms are prefixes that LiteLLM uses before the name of a Bedrock model to select an API.
var bedrockForms = []string{"converse/", "converse_like/", "invoke/"}

// bedrockAgents are prefixes of the names of agents and jobs of Bedrock, which are not models.
var bedrockAgents = []string{"agent/", "agentcore/", "async_invoke/"}

// chatLabs are the publishers whose models Bedrock serves by the Chat Completions API:
// https://docs.aws.amazon.com/bedrock/latest/userguide/models-api-compatibility.html.
var chatLabs = []string{"openai", "deepseek", "google", "minimax", "mistral", "moonshot", "moonshotai", "nvidia", "qwen", "zai"}

// profiles are the prefixes of inference profiles, models that run in several regions, as in
// us.anthropic.claude-sonnet-4: https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html.
var profiles = []string{"us", "us-gov", "eu", "apac", "jp", "au", "ca", "global"}

// region matches the name of an AWS region, such as eu-central-1.
var region = regexp.MustCompile(`^[a-z]{2}(-[a-z]+)+-[0-9]$`)

// FindBedrock returns the model in the gateway for a Bedrock model of LiteLLM. name is LiteLLM's name without bedrock/.
// base is the model behind an inference profile, "" if unknown. If the gateway has no provider for it, why is the
// reason.
func FindBedrock(name, base string) (m Model, why string) {
	for _, form := range bedrockForms {
		name = strings.TrimPrefix(name, form)
	}
	if first, rest, ok := strings.Cut(name, "/"); ok && region.MatchString(first) {
		m.Region, name = first, rest
	}
	for _, agent := range bedrockAgents {
		if strings.HasPrefix(name, agent) {
			return Model{}, WhyAgent
		}
	}
	m.Name = name
	said := name
	if parts := strings.SplitN(name, ":", 6); strings.HasPrefix(name, "arn:") && len(parts) == 6 {
		_, said, _ = strings.Cut(parts[5], "/")
		if m.Region == "" && region.MatchString(parts[3]) {
			m.Region = parts[3]
		}
	}
	lab := findLab(said)
	if lab == "" {
		lab = findLab(base[strings.LastIndexByte(base, '/')+1:])
	}
	switch {
	case lab == "anthropic":
		m.Provider = "bedrock-anthropic"
	case slices.Contains(chatLabs, lab):
		m.Provider = "bedrock"
	case lab == "" && strings.HasPrefix(name, "arn:"):
		return Model{}, WhyProfile
	default:
		return Model{}, WhyConverse
	}
	return m, ""
}

// findLab returns the publisher in the name of a Bedrock model: us.anthropic.claude-sonnet-4-20250514-v1:0 ->
// anthropic. It returns "" for a name without one.
func findLab(name string) string {
	first, rest, ok := strings.Cut(name, ".")
	if ok && slices.Contains(profiles, first) {
		first, _, ok = strings.Cut(rest, ".")
	}
	switch {
	case ok:
		return first
	case strings.HasPrefix(name, "claude-"):
		return "anthropic"
	}
	return ""
}

// hosted is the suffix of the open models that Vertex AI serves by the Chat Completions API:
// https://cloud.google.com/vertex-ai/generative-ai/docs/maas/call-open-model-apis.
const hosted = "-maas"

// FindVertex returns the model in the gateway for a Vertex AI model of LiteLLM. name is LiteLLM's name without
// vertex_ai/. If the gateway has no provider for it, why is the reason.
func FindVertex(name string) (m Model, why string) {
	last := name[strings.LastIndexByte(name, '/')+1:]
	m.Name = name
	switch {
	case isNumber(last):
		return Model{}, WhyDeployed
	case strings.HasPrefix(last, "claude-"):
		m.Provider, m.Name = "vertex-anthropic", last
	case strings.HasPrefix(last, "gemini-"):
		m.Provider, m.Name = "vertex", last
	case last != name && strings.HasSuffix(last, hosted):
		m.Provider = "vertex-openai"
	default:
		return Model{}, WhyPublish
	}
	return m, ""
}

// isNumber reports whether name consists of digits, as the id of a Vertex AI endpoint does.
func isNumber(name string) bool { return name != "" && strings.Trim(name, "0123456789") == "" }
