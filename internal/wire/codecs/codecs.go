// Package codecs lists the codecs there are, for those that choose one by its name.
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

// All lists a codec for each wire. The caller owns the list.
func All() []wire.Codec { return slices.Clone(all) }

// Of is the codec of the wire called name.
func Of(name callwright.WireName) (wire.Codec, bool) {
	for _, c := range all {
		if c.Name() == name {
			return c, true
		}
	}
	return nil, false
}

// Names are the wires' names, for an error: "openai or anthropic".
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
