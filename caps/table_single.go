package caps

import (
	_ "embed" // the table of single models
	"strconv"
	"strings"
	"sync"
)

// sameModels are providers whose models are those of another one, which has them in the table.
var sameModels = map[string]string{
	"openai-responses": "openai", "vertex": "gemini", "gemini-openai": "gemini", "vertex-openai": "gemini",
	"ollama-cloud": "ollama", "ollama-openai": "ollama", "minimax-openai": "minimax",
}

// modelRows are facts about single models, a line for each: provider, plain name, tools, json_schema, max_context, max_output, with - for
// what is not known. internal/capsgen writes them. Source: https://models.dev, snapshot f3fc692 of 2026-07-02.
//
//go:embed models.txt
var modelRows string

// singles are the rows of modelRows by provider and plain name.
var singles = sync.OnceValue(func() map[string]Caps {
	rows := map[string]Caps{}
	for line := range strings.Lines(modelRows) {
		f := strings.Fields(line)
		c := Caps{Tools: truthOf(f[2]), JSONSchema: truthOf(f[3])}
		c.MaxContext, _ = strconv.Atoi(f[4]) // "-" is 0
		c.MaxOutput, _ = strconv.Atoi(f[5])
		rows[f[0]+" "+f[1]] = c
	}
	return rows
})

func truthOf(word string) Truth {
	switch word {
	case "yes":
		return Yes
	case "no":
		return No
	}
	return Unknown
}

// single is what is known of one model alone. known is what the other rows say: they have json_schema from the providers' own
// descriptions, which are nearer to the truth than a list is.
func single(provider, plainName string, known *Caps) Caps {
	if same, ok := sameModels[provider]; ok {
		provider = same
	}
	c := singles()[provider+" "+plainName]
	if known.JSONSchema != Unknown {
		c.JSONSchema = Unknown
	}
	return c
}

// regions and labs stand in front of the names of models on Bedrock: us.anthropic.claude-sonnet-4-5-20250929-v1:0.
var (
	regions = []string{"us", "us-gov", "eu", "apac", "ap", "jp", "au", "ca", "global"}
	labs    = []string{"anthropic", "meta", "mistral", "amazon", "cohere", "ai21", "deepseek", "qwen", "openai", "google", "minimax", "moonshot", "moonshotai", "nvidia", "writer", "zai"}
)

// withoutHost is the name of a model without what its host adds: a path, Bedrock's region, maker and version, Fireworks' v before the
// number of a Llama.
func withoutHost(model string) string {
	if i := strings.LastIndexByte(model, '/'); i >= 0 {
		model = model[i+1:]
	}
	name := model
	if first, rest, ok := strings.Cut(name, "."); ok && isOneOf(first, regions) {
		name = rest
	}
	if first, rest, ok := strings.Cut(name, "."); ok && isOneOf(first, labs) {
		model = withoutVersion(rest)
	}
	if len(model) > len("llama-v3") && strings.EqualFold(model[:len("llama-v")], "llama-v") && digit(model, len("llama-v")) {
		model = "llama-" + model[len("llama-v"):]
	}
	return model
}

func isOneOf(word string, words []string) bool {
	for _, w := range words {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// withoutVersion cuts Bedrock's version off a name: -v1:0.
func withoutVersion(name string) string {
	head, minor, ok := strings.Cut(name, ":")
	i := strings.LastIndex(head, "-v")
	if !ok || i < 0 {
		return name
	}
	if _, err := strconv.Atoi(head[i+2:]); err != nil {
		return name
	}
	if _, err := strconv.Atoi(minor); err != nil {
		return name
	}
	return head[:i]
}
