package bundle_test

import (
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/bundle/internal/side"
	"github.com/callwright/callwright/cmd/callwright/internal/finding"
)

func TestSides(t *testing.T) {
	for i := range scenes {
		s := &scenes[i]
		r := s.play(t)
		f := finding.Of(r.entries)
		v := side.Of(&f, side.FactsOf(r.entries))
		if string(v.Side) != s.side {
			t.Errorf("%s: got %q or %v, expected %q, by %s", s.name, v.Side, v.Candidates, s.side, f.String())
		}
	}
}
