package constraint_test

import (
	"fmt"
	"testing"

	"github.com/callwright/callwright/internal/constraint"
)

// BenchmarkConstraint: the grammar of 40 tools, made and found again.
func BenchmarkConstraint(b *testing.B) {
	f := formOf(b, "hermes")
	var many []constraint.Tool
	for i := range 40 {
		many = append(many, constraint.Tool{Name: fmt.Sprintf("get_weather_%d", i), Schema: []byte(weather)})
	}
	b.Run("made", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := constraint.GBNF(f, many, constraint.Conditions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("found", func(b *testing.B) {
		b.ReportAllocs()
		c := constraint.NewCache()
		for b.Loop() {
			if c.Constraint(constraint.APIGrammar, f, many, constraint.Conditions{}) == nil {
				b.Fatal("none was made")
			}
		}
	})
}
