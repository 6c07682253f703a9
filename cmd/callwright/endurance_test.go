package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	enduranceRequests = flag.Int("endurance", 100_000, "requests of BenchmarkEndurance")
	enduranceStreams  = flag.Int("streams", 1000, "slow streams beside them")
)

// BenchmarkEndurance measures whether a gateway stays as cheap as it was: requests whose answers think and call, so that its caches fill, and
// slow streams that stay open beside them. It prints the CPU time that the gateway's process takes for a request among the first five thousand and
// among the last, and its peak memory. Run it with -benchtime 1x.
func BenchmarkEndurance(b *testing.B) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		b.Skip("no /proc")
	}
	far := newThinker(b)
	for range b.N {
		p := startGateway(b, "", `providers: {far: {wire: anthropic, base_url: "`+far+`", api_key: "any-key-will-do"}}`, "--log-level", "error")
		c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
		const lot = 5000 // some collections of garbage, also where the heap is large
		first := perRequest(b, p, c, lot)
		hold := openStreams(b, p, *enduranceStreams)
		for done := 2 * lot; done < *enduranceRequests; done += lot {
			askMany(b, p, c, lot)
		}
		last := perRequest(b, p, c, lot)
		hold()
		c.CloseIdleConnections()
		b.ReportMetric(first, "first-µs/request")
		b.ReportMetric(last, "last-µs/request")
		b.ReportMetric(last/first, "times")
		b.ReportMetric(peakOf(b, p), "peak-MiB")
		b.ReportMetric(0, "ns/op")
		_ = p.Process.Kill()
		_ = p.Wait()
	}
}

// perRequest returns the CPU time in microseconds that the gateway takes for a request.
func perRequest(b *testing.B, p *process, c *http.Client, n int) float64 {
	askMany(b, p, c, n/10) // warm
	before := cpu(b, p)
	askMany(b, p, c, n)
	return float64((cpu(b, p) - before).Microseconds()) / float64(n)
}

// askMany asks over a few connections at once.
func askMany(b *testing.B, p *process, c *http.Client, n int) {
	var wg sync.WaitGroup
	var left atomic.Int64
	left.Store(int64(n))
	for range 4 {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				if err := think(p, c, "far/m", false); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func think(p *process, c *http.Client, model string, stream bool) error {
	resp, err := c.Post(p.url+"/v1/chat/completions", "application/json", strings.NewReader(fmt.Sprintf(`{"model":%q,"stream":%t,"messages":`+
		`[{"role":"user","content":"What is the weather?"}],"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object",`+
		`"properties":{"city":{"type":"string"}},"required":["city"]}}}]}`, model, stream)))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && !stream && (resp.StatusCode != 200 || !strings.Contains(string(body), "get_weather")) {
		err = fmt.Errorf("got %d %s", resp.StatusCode, body)
	}
	return err
}

// openStreams opens streams that say something now and then. The function that it returns ends them.
func openStreams(b *testing.B, p *process, n int) func() {
	var wg sync.WaitGroup
	var conns []net.Conn
	for range n {
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
		if err != nil {
			b.Fatal(err)
		}
		conns = append(conns, conn)
		body := `{"model":"far/slow","stream":true,"messages":[{"role":"user","content":"Tell me a long story."}]}`
		fmt.Fprintf(conn, "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		if _, err := bufio.NewReader(conn).ReadString('\n'); err != nil {
			b.Fatal(err)
		}
		wg.Go(func() { _, _ = io.Copy(io.Discard, conn) })
	}
	return func() {
		for _, conn := range conns {
			_ = conn.Close()
		}
		wg.Wait()
	}
}

// newThinker returns the address of a provider whose answers think before each call, and whose model slow takes its time.
func newThinker(b *testing.B) string {
	b.Helper()
	var calls atomic.Int64
	thought, signature := strings.Repeat("I should look at the weather. ", 60), strings.Repeat("c2lnbmF0dXJl", 100)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	srv := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked, _ := io.ReadAll(r.Body)
		if strings.Contains(string(asked), `"slow"`) {
			tellSlowly(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		n := strconv.FormatInt(calls.Add(1), 10)
		_, _ = io.WriteString(w, `{"id":"msg_`+n+`","type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"`+thought+
			`","signature":"`+n+signature+`"},{"type":"tool_use","id":"toolu_`+n+`","name":"get_weather","input":{"city":"Oslo `+n+`"}}],`+
			`"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":100,"output_tokens":500}}`)
	})}
	go func() { _ = srv.Serve(ln) }()
	b.Cleanup(func() { _ = srv.Close() })
	return "http://" + ln.Addr().String()
}

// tellSlowly streams a few words every ten seconds until the client has enough.
func tellSlowly(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"model\":\"m\","+
		"\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\nevent: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n")
	for {
		_, _ = io.WriteString(w, "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"And then. \"}}\n\n")
		w.(http.Flusher).Flush()
		select {
		case <-time.After(10 * time.Second):
		case <-r.Context().Done():
			return
		}
	}
}

// cpu returns the CPU time that a process has taken.
func cpu(b *testing.B, p *process) time.Duration {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // in ticks of a hundredth of a second
}

// peakOf returns the most memory that a process has had, in MiB.
func peakOf(b testing.TB, p *process) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kib, _ := strconv.Atoi(strings.Fields(rest)[0])
	return float64(kib) / 1024
}
