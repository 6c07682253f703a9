// Package codecs lists the codecs of all HTTP APIs (wires) and selects one by name or by the content of a request.
package codecs

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/anthropic"
	"github.com/callwright/callwright/internal/wire/gemini"
	"github.com/callwright/callwright/internal/wire/ollama"
	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/callwright/callwright/internal/wire/responses"
)

var all = []wire.Codec{openai.Codec{}, responses.Codec{}, anthropic.Codec{}, gemini.Codec{}, ollama.Codec{}}

// All returns one codec for each API, in a new slice.
func All() []wire.Codec { return slices.Clone(all) }

// Of returns the codec of the API called name, such as "anthropic". ok is false for an unknown name.
func Of(name callwright.WireName) (wire.Codec, bool) {
	for _, c := range all {
		if c.Name() == name {
			return c, true
		}
	}
	return nil, false
}

// Names returns the names of all APIs for an error message: "openai, responses, anthropic, gemini or ollama".
func Names() string {
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = string(c.Name())
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " or " + names[last]
	}
	return names[0]
}
