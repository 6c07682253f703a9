package caps

import (
	"strconv"
	"strings"
	"sync"

	"github.com/callwright/callwright/internal/modeltable"
)

// A modelRow has the facts about a single model. It is much smaller than Caps, because several hundred rows stay in
// memory.
type modelRow struct {
	tools, jsonSchema     Truth
	maxContext, maxOutput int // in tokens
}

// singles maps "provider name", with the name normalized by plain, to the facts about a single model.
var singles = sync.OnceValue(func() map[string]modelRow {
	rows := modeltable.Rows()
	out := make(map[string]modelRow, len(rows))
	for i := range rows {
		r := &rows[i]
		out[r.Provider+" "+plain(r.Model)] = modelRow{truthOf(r.Tools), truthOf(r.JSONSchema), r.MaxContext, r.MaxOutput}
	}
	return out
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

// single returns the facts about a single model. known has the facts from the other tables: its JSONSchema comes from
// the provider's documentation and takes precedence.
func single(provider, plainName string, known *Caps) Caps {
	l := singles()[modeltable.ProviderOf(provider)+" "+plainName]
	if known.JSONSchema != Unknown {
		l.jsonSchema = Unknown
	}
	return Caps{Tools: l.tools, JSONSchema: l.jsonSchema, MaxContext: l.maxContext, MaxOutput: l.maxOutput}
}

// regions and labs are prefixes of model names at Bedrock: us.anthropic.claude-sonnet-4-5-20250929-v1:0 has the region
// "us" and the lab "anthropic".
var (
	regions = []string{"us", "us-gov", "eu", "apac", "ap", "jp", "au", "ca", "global"}
	labs    = []string{"anthropic", "meta", "mistral", "amazon", "cohere", "ai21", "deepseek", "qwen", "openai", "google",
		"minimax", "moonshot", "moonshotai", "nvidia", "writer", "zai"}
)

// withoutHost removes host-specific parts from a model name: the path, Bedrock's region, lab and version, and
// Fireworks' "v" in names such as "llama-v3".
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

// withoutVersion removes a Bedrock version such as "-v1:0" from the end of a model name.
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
