package config_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/config"
	"github.com/google/go-cmp/cmp"
)

// refusing is a transport that is told for whom it is, and refuses everything with 503.
type refusing struct {
	around []string
	asked  []string
}

func (f *refusing) transport(name string, spoken callwright.WireName, next http.RoundTripper) http.RoundTripper {
	if next == nil {
		return nil // there is always one
	}
	f.around = append(f.around, name+" "+string(spoken))
	return f
}

func (f *refusing) RoundTrip(r *http.Request) (*http.Response, error) {
	f.asked = append(f.asked, r.Method+" "+r.URL.Path)
	return &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}")), Request: r}, nil
}

// TestOffline: a registry that is offline needs no keys, asks nothing beside requests and each of them once, probes nothing and leaves the
// folder of its configuration alone.
func TestOffline(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	text := "state: {dir: '" + dir + "'}\ndiscover: on\nproviders:\n  groq: {probe: unknown}\n  lab: {wire: anthropic, base_url: 'http://127.0.0.1:1', max_retries: 5}\n  sim: {}\n"
	c, err := config.Parse([]byte(text), env())
	if err != nil {
		t.Fatal(err)
	}
	var f refusing
	r := registry(t, c, config.Offline(), config.WithTransport(f.transport))
	for _, name := range []string{"groq/llama", "lab/m", "sim/native"} {
		client, err := r.Resolve(name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.Generate(t.Context(), &callwright.Request{Model: callwright.ModelID(name), Messages: []callwright.Message{callwright.UserText("Hello")}})
		if e := callwright.KindOf(err); !e.Transient() {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := r.Learn(t.Context(), "lab/m", []caps.Fact{{Key: "tools", Value: "no", Source: caps.Learned}}); err != nil {
		t.Error(err)
	}
	r.Close()
	if diff := cmp.Diff([]string{"groq openai", "lab anthropic", "sim openai"}, f.around); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"POST /openai/v1/chat/completions", "POST /v1/messages", "POST /v1/chat/completions"}, f.asked); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder was made")
	}
}
