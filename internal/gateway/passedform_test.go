package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// Policies that change nothing of an answer still give the client calls in the form of its own API: a tool that takes free text and was sent as a
// function is called with free text, whatever that is.
func TestPassedCallsHaveTheClientsForm(t *testing.T) {
	outer, r := t, newRenaming(t)
	rapid.Check(t, func(t *rapid.T) {
		far := rapid.SampledFrom(codecs.All()).Draw(t, "far").Name()
		policy := rapid.SampledFrom([]callwright.Policy{callwright.PolicyOff, callwright.PolicyObserve}).Draw(t, "policy")
		known := rapid.SampledFrom([]string{"yes", "no"}).Draw(t, "custom_tools")
		stream := rapid.Bool().Draw(t, "stream")
		said := rapid.SampledFrom([]string{drawnEdit(t), "", "no edit", `{"input":1}`}).Draw(t, "text")
		written := `{"input":` + quotedText(said) + `}`
		if far == callwright.WireResponses && known == "yes" {
			written = said
		}
		r.set([]reliable.Option{reliable.WithPolicy(policy), reliable.WithFacts(fact("custom_tools", known))}, simulate.Turn{Calls: []simulate.Call{{Name: "edit_files", Arguments: written}}})
		got := post(outer, r.url+"/v1/responses", fmt.Sprintf(`{"model":"%s/m","stream":%t,"input":"Edit.","tools":[{"type":"custom","name":"edit_files","format":{"type":"grammar","syntax":"lark","definition":%s}}]}`,
			far, stream, quotedText(editGrammar)))
		inputs, pieces := customInputs(t, got)
		if len(inputs) != 1 || inputs[0] != said || stream && pieces != said || strings.Contains(got.body, `"function_call"`) {
			t.Fatalf("%s, policy %s, custom_tools %s, stream %t: %q and pieces %q for %q: %s", far, policy, known, stream, inputs, pieces, said, got.body)
		}
	})
}
