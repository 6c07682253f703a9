package caps

import (
	"strconv"
	"strings"
	"sync"

	"github.com/callwright/callwright/internal/modeltable"
)

// A modelRow is a row of a single model. It is much smaller than Caps: there are some hundred, which live as long as
// the program.
type modelRow struct {
	tools, jsonSchema     Truth
	maxContext, maxOutput int // tokens
}

// singles are the rows of single models by provider and plain name.
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

// single returns the facts about one model alone. known holds the facts of the other rows: they have json_schema from
// the providers' own descriptions, which are nearer to the truth than a list.
func single(provider, plainName string, known *Caps) Caps {
	l := singles()[modeltable.ProviderOf(provider)+" "+plainName]
	if known.JSONSchema != Unknown {
		l.jsonSchema = Unknown
	}
	return Caps{Tools: l.tools, JSONSchema: l.jsonSchema, MaxContext: l.maxContext, MaxOutput: l.maxOutput}
}

// regions and labs stand in front of the names of models on Bedrock: us.anthropic.claude-sonnet-4-5-20250929-v1:0.
var (
	regions = []string{"us", "us-gov", "eu", "apac", "ap", "jp", "au", "ca", "global"}
	labs    = []string{"anthropic", "meta", "mistral", "amazon", "cohere", "ai21", "deepseek", "qwen", "openai", "google",
		"minimax", "moonshot", "moonshotai", "nvidia", "writer", "zai"}
)

// withoutHost returns the name of a model without its host's additions: a path, Bedrock's region, maker and version,
// Fireworks' v before the number of a Llama.
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
