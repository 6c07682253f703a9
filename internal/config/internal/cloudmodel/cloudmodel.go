// Package cloudmodel tells which provider of ours has a model of Amazon Bedrock or of Google Vertex AI, by the name
// that the model has there.
package cloudmodel

import (
	"regexp"
	"slices"
	"strings"
)

// A Model is a model of a cloud.
type Model struct {
	Provider string // the provider of our table, such as bedrock-anthropic
	Name     string // the name by which the provider is asked for it
	Region   string // the region that the name says, "" for none
}

// The reasons why a model has no provider of ours.
const (
	WhyConverse = "Bedrock has it by Converse and in a form of its own, which are not spoken"
	WhyAgent    = "agents and jobs of Bedrock are no models"
	WhyProfile  = "its ARN does not say whose model it is: list it below bedrock-anthropic where it is Claude, else below bedrock"
	WhyPublish  = "Vertex AI has it in a form of its own, which is not spoken"
	WhyDeployed = "it is an endpoint of your own: list it with its base_url and auth: {google: {}}"
)

// bedrockForms are the texts that other programs write before the name of a model of Bedrock, for the API by which they
// ask it.
var bedrockForms = []string{"converse/", "converse_like/", "invoke/"}

// bedrockAgents begin the names of agents and jobs, which are no models.
var bedrockAgents = []string{"agent/", "agentcore/", "async_invoke/"}

// chatLabs are the makers whose models Bedrock has by Chat Completions:
// https://docs.aws.amazon.com/bedrock/latest/userguide/models-api-compatibility.html.
var chatLabs = []string{"openai", "deepseek", "google", "minimax", "mistral", "moonshot", "moonshotai", "nvidia", "qwen", "zai"}

// profiles begin the names of models that run in several regions:
// https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html.
var profiles = []string{"us", "us-gov", "eu", "apac", "jp", "au", "ca", "global"}

// region is a region of AWS.
var region = regexp.MustCompile(`^[a-z]{2}(-[a-z]+)+-[0-9]$`)

// FindBedrock returns the provider of a model of Bedrock by the name that LiteLLM has behind bedrock/. Base is the
// model that an inference profile stands for, "" where the file does not say it. why is the reason for none.
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

// findLab returns the maker of a model by its name on Bedrock, such as us.anthropic.claude-sonnet-4-20250514-v1:0; ""
// for a name without one.
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

// hosted ends the names of the open models that Vertex AI has by Chat Completions:
// https://cloud.google.com/vertex-ai/generative-ai/docs/maas/call-open-model-apis.
const hosted = "-maas"

// FindVertex returns the provider of a model of Vertex AI by the name that LiteLLM has behind vertex_ai/. why is the
// reason for none.
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

// isNumber reports whether a name is the number of an endpoint.
func isNumber(name string) bool { return name != "" && strings.Trim(name, "0123456789") == "" }
