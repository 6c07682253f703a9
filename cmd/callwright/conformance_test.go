package main

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/callwright/callwright/internal/conformance"
	"github.com/callwright/callwright/simulate"
)

// The gateway keeps to each API in front of a provider of each: it fails no check, and leaves open what the model cannot show.
func TestGatewayConforms(t *testing.T) {
	llm := httptest.NewServer(simulate.New(simulate.AnyTools(), simulate.OnlyKnown()))
	t.Cleanup(llm.Close)
	conf := "providers:\n"
	for _, api := range conformance.APIs() {
		base := map[string]string{conformance.Chat: "/v1", conformance.Responses: "/v1", conformance.Gemini: ""}[api]
		conf += fmt.Sprintf("  to-%s: {base_url: %q, wire: %s, api_key: none}\n", api, llm.URL+base, api)
	}
	s := serve(t, conf, nil)
	go func() { // what it logs is read, so that it need not wait
		for s.lines.Scan() {
		}
	}()
	for _, api := range conformance.APIs() {
		for _, behind := range conformance.APIs() {
			t.Run(api+" before "+behind, func(t *testing.T) {
				card, err := conformance.Run(t.Context(), conformance.Options{API: api, URL: s.url, Model: "to-" + behind + "/native", Tries: 1})
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range card.Checks {
					if c.Result == conformance.Failed {
						t.Errorf("%s: %s\n%s\n%s", c.Name, c.Why, c.Sent, c.Got)
					}
					if c.Result == conformance.NotTested {
						t.Logf("%s is not tested: %s", c.Name, c.Why)
					}
				}
			})
		}
	}
}
