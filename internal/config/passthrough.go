package config

import (
	"fmt"
	"slices"

	"github.com/callwright/callwright/internal/provider"
)

// A Passthrough lists types of requests, such as embeddings, that the gateway forwards without conversion. Nil means
// the default, an empty list none.
type Passthrough []string

// noPassthrough is the word for an empty list.
const noPassthrough = "none"

// passthroughs returns the words that are permitted in place of a list.
func passthroughs() []string { return append(provider.PassageNames(), noPassthrough) }

func (l *Passthrough) read(d *decoder, at location) {
	*l = append(Passthrough{}, d.names(at)...)
	if slices.Equal(*l, Passthrough{noPassthrough}) {
		*l = Passthrough{}
	}
}

// passthrough reports unknown types of requests.
func (k *checker) passthrough() {
	for i, name := range k.c.Passthrough {
		if !slices.Contains(provider.PassageNames(), name) {
			k.fail(fmt.Sprintf("passthrough[%d]", i), "%v", unknown("kind of requests", name, provider.PassageNames()))
		}
	}
}
