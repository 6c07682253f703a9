package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/fakellm"
	"github.com/callwright/callwright/provider"
	"github.com/callwright/callwright/reliable"
)

// A run comes to the same answer over every API, and in text whatever the format of its calls.
func TestEveryWireAndDialect(t *testing.T) {
	const answer = "It is 12 degrees in both."
	weather := fakellm.Weather()
	srv := httptest.NewServer(fakellm.New(func(seen fakellm.Seen) fakellm.Turn {
		turn := weather(seen)
		if len(turn.Calls) == 0 && strings.Count(fmt.Sprint(seen.History), "12 degrees") >= 2 {
			turn.Text = answer // formats show results in many ways
		}
		return turn
	}))
	defer srv.Close()
	over := func(wire callwright.WireName, opts ...reliable.Option) callwright.Model {
		base := srv.URL
		if wire == callwright.WireOpenAI || wire == callwright.WireResponses {
			base += "/v1"
		}
		p, err := provider.New(provider.Config{Name: string(wire), Wire: wire, BaseURL: base, APIKey: provider.NewSecret("any")})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		return reliable.New(p.Model("native"), opts...)
	}
	models := map[string]callwright.Model{}
	for _, wire := range []callwright.WireName{callwright.WireOpenAI, callwright.WireResponses, callwright.WireAnthropic, callwright.WireGemini, callwright.WireOllama} {
		models["over "+string(wire)] = over(wire)
	}
	formats := 0
	for _, f := range dialect.Formats() {
		if f.Families != "" {
			models["in "+f.Name] = over(callwright.WireOpenAI, reliable.WithModes(caps.Text), reliable.WithDialect(f.Name))
			formats++
		}
	}
	if formats < 10 {
		t.Fatalf("%d formats can be asked for", formats)
	}
	for name, m := range models {
		for _, way := range []string{"whole", "streamed"} {
			t.Run(name+"/"+way, func(t *testing.T) {
				called := 0
				weather := agent.Tool{Name: "get_weather", Description: "Tells the weather.", Schema: json.RawMessage(fakellm.WeatherSchema), Run: func(_ context.Context, arguments json.RawMessage) (agent.Output, error) {
					var in struct{ City string }
					if err := json.Unmarshal(arguments, &in); err != nil || in.City != "Oslo" && in.City != "Rome" {
						return agent.Output{}, fmt.Errorf("no city %q", in.City)
					}
					called++
					return agent.Output{Data: json.RawMessage(`"12 degrees"`)}, nil
				}}
				a := agent.New(m, agent.Tools(weather), agent.WithParallel(1))
				var res *agent.Result
				var err error
				if way == "whole" {
					res, err = a.Run(t.Context(), callwright.UserText("What is the weather in Oslo and Rome?"))
				} else {
					for ev, failed := range a.Stream(t.Context(), callwright.UserText("What is the weather in Oslo and Rome?")) {
						res, err = ev.Final, failed
					}
				}
				if err != nil {
					t.Fatal(err)
				}
				if called != 2 || res.Text != answer {
					t.Errorf("%d calls, answered %q", called, res.Text)
				}
			})
		}
	}
}
