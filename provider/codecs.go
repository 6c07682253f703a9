package provider

import (
	"strings"

	callwright "github.com/callwright/callwright"
	"github.com/callwright/callwright/wire"
	"github.com/callwright/callwright/wire/anthropic"
	"github.com/callwright/callwright/wire/openai"
)

// codecs are the APIs that can be spoken to a provider.
var codecs = []wire.Codec{openai.Codec{}, anthropic.Codec{}}

// spoken names the wires of the codecs for an error.
func spoken() string {
	names := make([]string, len(codecs))
	for i, c := range codecs {
		names[i] = string(c.Name())
	}
	return strings.Join(names, " or ")
}

func codecOf(name callwright.WireName) (wire.Codec, bool) {
	for _, c := range codecs {
		if c.Name() == name {
			return c, true
		}
	}
	return nil, false
}
