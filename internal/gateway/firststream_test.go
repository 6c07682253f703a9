package gateway_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// Nothing has to be learned about a model before its streams are right: with default settings every simulated model that is right at
// its second streamed request is right at its first.
func TestFirstStreamIsRight(t *testing.T) {
	upstream := models(t, simulate.New(simulate.Weather()))
	right := 0
	for _, f := range simulate.Faults() {
		for _, wire := range f.Wires {
			if f.Stalls || f.Class == "" {
				continue // it never ends, or is gone with the second request
			}
			t.Run(wire+"/"+f.Model(), func(t *testing.T) {
				client := reliable.New(upstream[wire].Model(f.Model()))
				first, why := streamsOslo(t, client)
				second, _ := streamsOslo(t, client)
				if second && !first {
					t.Errorf("right at the second request and not at the first: %s", why)
				}
				if first {
					right++
				}
			})
		}
	}
	if right < 400 {
		t.Errorf("%d streams are right at once, expected 400 and more", right)
	}
}

// streamsOslo reports whether a streamed answer is the call for the weather in Oslo, and what it is otherwise.
func streamsOslo(t *testing.T, client *reliable.Client) (ok bool, why string) {
	t.Helper()
	req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("What is the weather in Oslo?")},
		Tools: []callwright.Tool{{Name: "get_weather", Schema: []byte(simulate.WeatherSchema)}}}
	resp, err := callwright.Collect(client.Stream(t.Context(), req))
	if err != nil {
		return false, err.Error()
	}
	isOslo := func(c callwright.Call) bool {
		city, _ := jsonx.Find(c.Arguments, "city")
		return c.Name == "get_weather" && strings.Contains(string(city), "Oslo")
	}
	return slices.ContainsFunc(resp.Calls(), isOslo), resp.Text()
}
