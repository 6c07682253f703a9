package replay_test

import (
	"bytes"
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/replay"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/trace"
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
			generate(t.Context(), trace.Record(m, w), stream)
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

func generate(ctx context.Context, m callwright.Model, stream bool) {
	req := &callwright.Request{Model: "lab/native", Messages: []callwright.Message{callwright.UserText("What is the weather in Oslo?")},
		Tools: []callwright.Tool{{Name: "get_weather", Schema: []byte(simulate.WeatherSchema)}}, Params: callwright.Params{MaxTokens: "300"}}
	if stream {
		_, _ = callwright.Collect(m.Stream(ctx, req))
		return
	}
	_, _ = m.Generate(ctx, req)
}
