package provider_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// An answer is read by its form, whatever was asked for and whatever its header says of it: every wire, whole and streamed.
func TestAnswersAreReadByTheirForm(t *testing.T) {
	events := []callwright.Event{
		callwright.Begin{ID: "m", Model: "m"}, callwright.TextDelta{Text: "Good "}, callwright.TextDelta{Text: "day."},
		callwright.CallBegin{ID: "call_1", Name: "f"}, callwright.CallDelta{Text: `{"a":1}`}, callwright.CallEnd{},
		callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 1, Output: 2}}, callwright.End{Finish: callwright.FinishCalls},
	}
	for _, c := range codecs.All() {
		forms := map[string]string{"stream": streamOf(c, events), "whole": whole(t, c, events)}
		forms["whole on lines"] = strings.Replace(forms["whole"], "{", "\n {\n", 1)
		for form, body := range forms {
			for _, kind := range []string{"application/json", "application/json; charset=utf-8"} {
				s := &script{replies: []reply{{body: body, header: map[string]string{"Content-Type": kind}}}}
				m := open(t, "lab/m-1", withTransport(s), withBaseURL("http://lab.test"), withWire(c.Name()), withRetries(0))
				resp, err := m.Generate(t.Context(), ask())
				streamed, failed := callwright.Collect(m.Stream(t.Context(), ask()))
				for way, got := range map[string]*callwright.Response{"generated": resp, "streamed": streamed} {
					if err != nil || failed != nil {
						t.Errorf("%s, %s as %s: %v, %v", c.Name(), form, kind, err, failed)
						break
					}
					if calls := got.Calls(); got.Text() != "Good day." || len(calls) != 1 || string(calls[0].Arguments) != `{"a":1}` {
						t.Errorf("%s, %s as %s, %s: %q %v", c.Name(), form, kind, way, got.Text(), calls)
					}
				}
			}
		}
	}
}

func streamOf(c wire.Codec, events []callwright.Event) string {
	enc, out := c.NewStreamEncoder(&callwright.Request{}), []byte(nil)
	for _, ev := range events {
		out = enc.Encode(out, callwright.Batch{Events: []callwright.Event{ev}, More: true})
	}
	return string(out)
}

func whole(t *testing.T, c wire.Codec, events []callwright.Event) string {
	t.Helper()
	var all callwright.Collector
	for _, ev := range events {
		all.Add(ev)
	}
	body, _, err := c.EncodeResponse(nil, all.Response())
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
