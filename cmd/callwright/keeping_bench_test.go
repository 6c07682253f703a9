package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkKeeping measures how many times the CPU time a request takes at a gateway that has state, figures and spans, of one that has none of them: requests of
// 15 KB with ten tools whose answers are passed through, to both in turn. Run it with -benchtime 1x.
func BenchmarkKeeping(b *testing.B) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		b.Skip("no /proc")
	}
	far := newAnswerer(b)
	providers := `providers: {far: {wire: openai, base_url: "` + far + `/v1", api_key: "any-key-will-do"}}`
	for range b.N {
		bare := startGateway(b, "", "metrics: off\n"+providers, "--log-level", "error")
		keeps := startGateway(b, "", "state: {dir: "+b.TempDir()+"}\ntelemetry: {endpoint: \""+far+"\"}\n"+providers, "--log-level", "error")
		c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
		var times, with, without []float64
		for range 9 {
			off, on := passedThrough(b, bare, c), passedThrough(b, keeps, c)
			times, with, without = append(times, on/off), append(with, on), append(without, off)
		}
		for _, list := range [][]float64{times, with, without} {
			slices.Sort(list)
		}
		b.ReportMetric(without[4], "without-µs/request")
		b.ReportMetric(with[4], "with-µs/request")
		b.ReportMetric(times[4], "times")
		b.ReportMetric(peakOf(b, bare), "without-peak-MiB")
		b.ReportMetric(peakOf(b, keeps), "with-peak-MiB")
		b.ReportMetric(0, "ns/op")
		c.CloseIdleConnections()
		for _, p := range []*process{bare, keeps} {
			_ = p.Process.Kill()
			_ = p.Wait()
		}
	}
}

// passedThrough returns the CPU time in microseconds that a gateway takes for a request.
func passedThrough(b *testing.B, p *process, c *http.Client) float64 {
	b.Helper()
	const lot = 1000
	before := cpu(b, p)
	var wg sync.WaitGroup
	var left atomic.Int64
	left.Store(lot)
	for range 8 {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				resp, err := c.Post(p.url+"/v1/chat/completions", "application/json", strings.NewReader(tenTools))
				if err != nil {
					b.Error(err)
					return
				}
				if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusOK {
					b.Errorf("status %d, %v", resp.StatusCode, err)
				}
				_ = resp.Body.Close()
			}
		})
	}
	wg.Wait()
	return float64((cpu(b, p) - before).Microseconds()) / lot
}

// tenTools is a request of about 15 KB.
var tenTools = func() string {
	var tools []string
	for i := range 10 {
		tools = append(tools, fmt.Sprintf(`{"type":"function","function":{"name":"edit_%d","description":%q,"parameters":{"type":"object","properties":`+
			`{"path":{"type":"string","description":%q},"line":{"type":"integer"}},"required":["path"]}}}`, i, strings.Repeat("Edits a file. ", 50), strings.Repeat("Where it is. ", 50)))
	}
	return `{"model":"far/m","messages":[{"role":"user","content":"Apply the patch."}],"tools":[` + strings.Join(tools, ",") + `]}`
}()

// newAnswerer returns the address of a provider that calls a tool, and of a collector.
func newAnswerer(b *testing.B) string {
	b.Helper()
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":`+
			`[{"id":"call_1","type":"function","function":{"name":"edit_3","arguments":"{\"path\":\"a.go\",\"line\":3}"}}]},"finish_reason":"tool_calls"}],`+
			`"usage":{"prompt_tokens":3000,"completion_tokens":120,"total_tokens":3120}}`)
	}))
	srv.Config.ReadHeaderTimeout = time.Minute
	srv.Start()
	b.Cleanup(srv.Close)
	return srv.URL
}
