package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// A call that the gateway writes itself is one piece with its id and name, whatever its model did: some clients take no others. That goes for
// calls that were held, found in text, corrected, and that came over another API or as a whole answer.
func TestWrittenCallsAreOnePiece(t *testing.T) {
	up := &tap{Handler: simulate.New(simulate.Weather())}
	srv := serve(t, gateway.Config{Models: withOptions{models(t, up), []reliable.Option{reliable.WithStreamCalls("held")}}})
	written := 0
	for _, far := range codecs.All() {
		models := []string{"native", "hermes", "bare_json", "mistral"}
		for _, f := range simulate.Faults() {
			if !f.Stalls {
				models = append(models, f.Model())
			}
		}
		for _, model := range models {
			at := fmt.Sprint(far.Name(), "/", model)
			got := post(t, srv.URL+chat, question(chat, at, `,"stream":true`))
			for line := range strings.Lines(got.body) {
				if !strings.Contains(line, `"tool_calls":[`) || strings.Contains(up.got.String(), strings.TrimSpace(line)) {
					continue
				}
				written++
				for _, member := range []string{`"id":"`, `"name":"`, `"arguments":"{`} {
					if !strings.Contains(line, member) {
						t.Errorf("%s: a piece without %s: %s", at, member, line)
					}
				}
			}
		}
	}
	if written < 50 {
		t.Errorf("expected many calls, got %d", written)
	}
}
