package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright"
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

// Clients that read each call in one piece get every call so, those of the same API too, whether calls are held or sent as they come. Others get the
// provider's own pieces.
func TestCallsInOnePiece(t *testing.T) {
	for _, held := range []callwright.StreamCalls{callwright.StreamAuto, callwright.StreamHeld, callwright.StreamFlowing} {
		srv := serve(t, gateway.Config{Models: withOptions{models(t, simulate.New(simulate.Weather(), simulate.Piece(3))), []reliable.Option{reliable.WithStreamCalls(held)}}})
		for name, c := range map[string]struct {
			header []string
			joined bool
		}{
			"Mistral's SDK":      {[]string{"User-Agent", "mistral-client-python/3.7.0"}, true},
			"LangChain, Mistral": {[]string{"User-Agent", "python-httpx/0.28.1", "Accept", "text/event-stream"}, true},
			"AI SDK, xAI":        {[]string{"User-Agent", "ai/6.0.1 ai-sdk/xai/3.0.1 ai-sdk/provider-utils/4.0.1 runtime/node.js/22"}, true},
			"OpenAI's SDK":       {[]string{"User-Agent", "OpenAI/Python 3.57.0", "Accept", "application/json"}, false},
			"a plain client":     {[]string{"User-Agent", "python-httpx/0.28.1", "Accept", "*/*"}, false},
		} {
			for _, far := range codecs.All() {
				got := post(t, srv.URL+chat, strings.ReplaceAll(question(chat, fmt.Sprint(far.Name(), "/native"), `,"stream":true`), "Oslo?", "Oslo and Paris?"), c.header...)
				calls, pieces := 0, 0
				for line := range strings.Lines(got.body) {
					if strings.Contains(line, `"tool_calls":[`) {
						pieces++
					}
					if strings.Contains(line, `"tool_calls":[`) && strings.Contains(line, `"id":"`) && strings.Contains(line, `"name":"get_weather"`) && strings.Contains(line, `\"}"`) {
						calls++
					}
				}
				if c.joined && (calls != 2 || pieces != 2) || !c.joined && far.Name() == callwright.WireOpenAI && pieces <= 2 {
					t.Errorf("%s, %s, %s: %d whole calls in %d pieces:\n%s", held, name, far.Name(), calls, pieces, got.body)
				}
			}
		}
	}
}
