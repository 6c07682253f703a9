package replay_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/replay"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// TestPlainModel: a model without a client around it is read again as such, from the bytes that came with its answer or from those that were
// received.
func TestPlainModel(t *testing.T) {
	srv := httptest.NewServer(simulate.New(simulate.Weather()))
	t.Cleanup(srv.Close)
	for _, tapped := range []bool{false, true} {
		for _, stream := range []bool{false, true} {
			var file bytes.Buffer
			w := trace.NewWriter(&file)
			cfg := provider.Config{Wire: callwright.WireAnthropic, BaseURL: srv.URL}
			if tapped {
				cfg.Transport = w.Transport(srv.Client().Transport, trace.Endpoint{Provider: "lab", Wire: callwright.WireAnthropic})
			}
			m, err := provider.Open("lab/native", cfg)
			if err != nil {
				t.Fatal(err)
			}
			generate(t.Context(), trace.Record(m, w), "lab/native", stream)
			list := results(t, &replay.Replay{Config: &config.Config{}, RawOnly: true}, file.Bytes())
			if len(list) != 1 || list[0].Outcome != replay.Same || list[0].From != replay.FromRaw {
				t.Errorf("tapped %t, streamed %t: %+v", tapped, stream, list)
			}
			changed := strings.Replace(file.String(), `"finish":"tool_calls"`, `"finish":"stop"`, 1)
			list = results(t, &replay.Replay{Config: &config.Config{}}, []byte(changed))
			want := []trace.Difference{{Path: "/answer/finish", Was: []byte(`"stop"`), Now: []byte(`"tool_calls"`)}}
			if diff := cmp.Diff(want, list[0].Differences); diff != "" {
				t.Errorf("tapped %t, streamed %t: %s", tapped, stream, diff)
			}
			m.Provider().Close()
		}
	}
}

func generate(ctx context.Context, m callwright.Model, name callwright.ModelID, stream bool) {
	req := &callwright.Request{Model: name, Messages: []callwright.Message{callwright.UserText("What is the weather in Oslo?")},
		Tools: []callwright.Tool{{Name: "get_weather", Schema: []byte(simulate.WeatherSchema)}}, Params: callwright.Params{MaxTokens: "300"}}
	if stream {
		_, _ = callwright.Collect(m.Stream(ctx, req))
		return
	}
	_, _ = m.Generate(ctx, req)
}

// TestOwnIDs: the calls of a program that makes ids in a form of its own, as an evaluation does, come out the same, also where corrections and
// notes name them.
func TestOwnIDs(t *testing.T) {
	for _, form := range []string{"%s0115a73cbbd790c5%08x", "%sown-%d-of-a-program", "x%[2]d"} {
		srv := httptest.NewServer(simulate.New(simulate.Weather()))
		t.Cleanup(srv.Close)
		for i, f := range simulate.Faults() {
			if f.Stalls || !longtest.IsEnabled() && i%4 != 0 {
				continue
			}
			var file bytes.Buffer
			w := trace.NewWriter(&file)
			noRetries, n := 0, 0
			m, err := provider.Open("lab/"+f.Model(), provider.Config{Wire: callwright.WireOpenAI, BaseURL: srv.URL + "/v1", MaxRetries: &noRetries,
				Transport: w.Transport(srv.Client().Transport, trace.Endpoint{Provider: "lab", Wire: callwright.WireOpenAI})})
			if err != nil {
				t.Fatal(err)
			}
			client := reliable.New(m, reliable.WithIDs(func(prefix string) string {
				n++
				return fmt.Sprintf(form, prefix, n)
			}))
			generate(t.Context(), trace.Record(client, w), callwright.ModelID("lab/"+f.Model()), i%2 == 0)
			m.Provider().Close()
			for _, r := range results(t, &replay.Replay{Config: &config.Config{}}, file.Bytes()) {
				if r.Outcome != replay.Same {
					t.Errorf("%s with ids as %q: %+v", f.Model(), form, r.Differences)
				}
			}
		}
	}
}
