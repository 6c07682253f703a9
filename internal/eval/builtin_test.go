package eval_test

import (
	"testing"

	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/simulate"
)

// Every scenario holds with a model that behaves well: over every API, in every mode, whole and streamed.
func TestBuiltInHold(t *testing.T) {
	modes := []string{"native", "json_schema", "text"}
	if !longtest.IsEnabled() {
		modes = modes[:1]
	}
	for _, stream := range []bool{false, true} {
		p := eval.Plan{Models: models(wires...), Modes: modes, Scenarios: streamed(eval.BuiltIn(), stream)}
		for _, r := range run(t, p, simulate.Mix{}) {
			if r.Outcome != eval.OK {
				t.Errorf("stream=%t %s: %s %s: %s %+v %q", stream, r.ID, r.Outcome, r.Class, r.Reason, r.Checks, r.Text)
			}
		}
	}
}
