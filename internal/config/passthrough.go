package config

import (
	"fmt"
	"slices"

	"github.com/callwright/callwright/internal/provider"
)

// A Passthrough names kinds of requests that go on to providers as they came. A nil one says nothing, an empty one that
// there are none.
type Passthrough []string

// noPassthrough stands for none, beside the empty list.
const noPassthrough = "none"

// passthroughs are the words that may stand alone.
func passthroughs() []string { return append(provider.PassageNames(), noPassthrough) }

func (l *Passthrough) read(d *decoder, at location) {
	*l = append(Passthrough{}, d.names(at)...)
	if slices.Equal(*l, Passthrough{noPassthrough}) {
		*l = Passthrough{}
	}
}

// passthrough checks the names.
func (k *checker) passthrough() {
	for i, name := range k.c.Passthrough {
		if !slices.Contains(provider.PassageNames(), name) {
			k.fail(fmt.Sprintf("passthrough[%d]", i), "%v", unknown("kind of requests", name, provider.PassageNames()))
		}
	}
}
