package provider_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// A provider that the table does not know is reached over every wire as that wire asks: how the key is sent, where models are listed.
func TestEveryWireHasABareRow(t *testing.T) {
	for _, c := range codecs.All() {
		s := &script{replies: []reply{{body: `{"data":[],"models":[]}`}}}
		m := open(t, "lab/m-1", withTransport(s), withWire(c.Name()), withBaseURL("https://lab.test"))
		if _, err := m.Provider().Models(t.Context()); callwright.KindOf(err) == callwright.KindUnsupported {
			t.Errorf("%s: the wire has no row in bare, see provider/rows.go: %v", c.Name(), err)
		}
	}
}
