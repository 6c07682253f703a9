package telemetry

import (
	"strings"

	"github.com/callwright/callwright"
)

// otherName stands for all names beyond the bound.
const otherName = "other"

// bounded are the names that a label may have. Those it does not know are otherName: names come from clients, and each
// one costs memory in everything that reads the figures.
type bounded struct {
	most  int
	known map[string]string // by what was asked, which need not be a text
}

func newBounded(most int, known ...string) *bounded {
	b := &bounded{known: map[string]string{}}
	for _, name := range known {
		b.known[name] = labelValue(name)
	}
	b.most = most + len(b.known) // a name may be given twice
	return b
}

// of returns the label of a name. A new one gets a label of its own where add is set and there is room.
func (b *bounded) of(name string, add bool) string {
	if name == "" {
		return ""
	}
	if label, ok := b.known[name]; ok {
		return label
	}
	if !add || len(b.known) >= b.most {
		return otherName
	}
	name = strings.Clone(name)
	b.known[name] = labelValue(name)
	return b.known[name]
}

// labelValue is a name as a label: short, and in UTF-8.
func labelValue(name string) string { return strings.ToValidUTF8(callwright.Excerpt(name), "\uFFFD") }
