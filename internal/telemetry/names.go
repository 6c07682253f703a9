package telemetry

import (
	"strings"

	"github.com/callwright/callwright"
)

// otherName is the label of all names above the limit.
const otherName = "other"

// bounded limits the number of label values. Unknown names get the label otherName. The limit is needed because clients
// choose the names, and each label value costs memory in the gateway and in Prometheus.
type bounded struct {
	most  int
	known map[string]string // label by name; the name may be invalid UTF-8
}

func newBounded(most int, known ...string) *bounded {
	b := &bounded{known: map[string]string{}}
	for _, name := range known {
		b.known[name] = labelValue(name)
	}
	b.most = most + len(b.known) // known may contain duplicates
	return b
}

// of returns the label of a name. If add is set and the limit is not reached, a new name gets its own label.
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

// labelValue returns a name as a label value: shortened and valid UTF-8.
func labelValue(name string) string { return strings.ToValidUTF8(callwright.Excerpt(name), "\uFFFD") }
