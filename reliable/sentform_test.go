package reliable_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable"
)

// A model that was sent a tool in another form than the client's writes its calls in that form also where it writes them as text. In every format
// they are read by the schema that was sent, and come back as the client's own schema has them; arguments in the client's form are read, too.
func TestWrittenCallsInTheFormThatWasSent(t *testing.T) {
	tool := callwright.Tool{Name: "label", Schema: []byte(`{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}},"size":{"enum":[1,2]},"note":{"type":"string"}},"required":["labels","size"]}`)}
	const want = `{"labels":{"a":"1","b c":"x \"y\""},"size":2}`
	for target, sent := range map[caps.SchemaTarget]string{
		"openai-strict": `{"labels":[{"name":"a","value":"1"},{"name":"b c","value":"x \"y\""}],"size":2,"note":null}`,
		"gemini":        `{"labels":[{"name":"a","value":"1"},{"name":"b c","value":"x \"y\""}],"size":"2"}`,
		"":              want,
	} {
		for _, f := range dialect.Formats() {
			if !f.Renders() {
				continue
			}
			for form, args := range map[string]string{"sent": sent, "client's": want} {
				turn := text(f.RenderCalls([]dialect.RenderedCall{{Name: "label", ID: "call_1", Arguments: []byte(args)}}))
				for way, deliver := range deliveries {
					m := &scripted{name: "lab/m", caps: caps.Caps{SchemaTarget: target}, answers: []any{turn}}
					req := ask(callwright.Choice{})
					req.Tools = []callwright.Tool{tool}
					resp, err := deliver(reliable.New(m, reliable.WithMaxCorrections(0), reliable.WithOneMode()), req)
					if err != nil {
						t.Errorf("%s in the form of %q (%s), %s: %v", f.Name, target, form, way, err)
					} else if calls := resp.Calls(); len(calls) != 1 || string(jsonx.Compact(nil, calls[0].Arguments)) != want {
						t.Errorf("%s in the form of %q (%s), %s: %+v\n%s", f.Name, target, form, way, calls, calls[0].Arguments)
					}
				}
			}
		}
	}
}
