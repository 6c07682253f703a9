// Package modeltable lists single models of providers, with their sizes.
package modeltable

import (
	_ "embed" // the rows
	"strconv"
	"strings"
	"sync"
)

// A Row is one model of a provider. Tools and JSONSchema are "yes", "no", or "-" where it is not known.
type Row struct {
	Provider, Model       string // Model as the provider writes it
	Tools, JSONSchema     string
	MaxContext, MaxOutput int // tokens; 0 is not known
}

// text has a line for each model: provider, model, tools, json_schema, max_context, max_output, with - for an unknown
// value. internal/capsgen writes it. Source: https://models.dev, snapshot f3fc692 of 2026-07-02.
//
//go:embed models.txt
var text string

// Rows returns all rows, in the order of providers. The caller does not change them.
var Rows = sync.OnceValue(func() []Row {
	rows := make([]Row, 0, strings.Count(text, "\n"))
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		r := Row{Provider: f[0], Model: f[1], Tools: f[2], JSONSchema: f[3]}
		r.MaxContext, _ = strconv.Atoi(f[4]) // "-" is 0
		r.MaxOutput, _ = strconv.Atoi(f[5])
		rows = append(rows, r)
	}
	return rows
})

// same are providers with the models of another provider, whose rows hold for them.
var same = map[string]string{
	"openai-responses": "openai", "vertex": "gemini", "gemini-openai": "gemini", "vertex-openai": "gemini",
	"ollama-cloud": "ollama", "ollama-openai": "ollama", "minimax-openai": "minimax",
}

// ProviderOf returns the provider whose rows hold for a provider.
func ProviderOf(provider string) string {
	if other, ok := same[provider]; ok {
		return other
	}
	return provider
}

// Models returns the models of a provider, nil for one without rows.
func Models(provider string) []string {
	provider = ProviderOf(provider)
	var names []string
	rows := Rows()
	for i := range rows {
		if rows[i].Provider == provider {
			names = append(names, rows[i].Model)
		}
	}
	return names
}
