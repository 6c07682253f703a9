package reliable_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/reliable"
)

// A schemaless model refuses answers by a schema, and counts how often it was asked for one.
type schemaless struct {
	scripted
	refused int
}

func (m *schemaless) Generate(_ context.Context, req *callwright.Request) (*callwright.Response, error) {
	f := req.Params.Format
	switch {
	case f != nil && f.Schema != nil:
		m.refused++
		return nil, refusing(feature.ResponseFormat, "not a response format")
	case len(req.Tools) > 0:
		return nil, noTools
	case f != nil:
		return collected(text(`{"toolCalls":[{"name":"get_weather","arguments":{"city":"Oslo"}}],"answer":""}`)), nil
	}
	return collected(inHermes), nil
}

func collected(events []callwright.Event) *callwright.Response {
	var c callwright.Collector
	for _, ev := range events {
		c.Add(ev)
	}
	return c.Response()
}

// orders are all orders of some of the modes, the one that is left to us too.
func orders(modes ...caps.Mode) [][]caps.Mode {
	out := [][]caps.Mode{nil}
	for i, first := range modes {
		rest := slices.Concat(modes[:i], modes[i+1:])
		for _, order := range orders(rest...) {
			out = append(out, append([]caps.Mode{first}, order...))
		}
	}
	return out
}

// A model that refuses answers by a schema is asked for one once, and not again within a day, in whichever order its modes are.
func TestRefusedSchemaOnceADay(t *testing.T) {
	for _, modes := range orders(caps.Native, caps.JSONSchema, caps.JSONObject, caps.Text) {
		t.Run(fmt.Sprint(modes), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &schemaless{scripted: scripted{name: "lab/m", caps: caps.Caps{JSONSchema: caps.Yes, JSONObject: caps.Yes}.From(caps.Shipped)}}
				client := reliable.New(m, reliable.WithModes(modes...))
				request := func() {
					t.Helper()
					only := len(modes) > 0 && !slices.Contains(modes, caps.Text) && !slices.Contains(modes, caps.JSONObject) // nothing else is configured
					if _, err := client.Generate(t.Context(), ask(callwright.Choice{})); err != nil && !only {
						t.Fatal(err)
					}
				}
				for range 24 {
					request()
					time.Sleep(59 * time.Minute)
				}
				first := m.refused
				if first > 1 {
					t.Errorf("it was asked %d times within a day", first)
				}
				time.Sleep(caps.LearnedTTL)
				request()
				if m.refused > first+1 || first == 1 && m.refused != 2 {
					t.Errorf("it was asked %d times in the days after", m.refused-first)
				}
			})
		})
	}
}
