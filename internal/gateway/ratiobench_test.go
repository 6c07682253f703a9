package gateway_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"
)

// ratioFile is the baseline, and ratioGrowth how far above it a ratio may be without a warning.
const (
	ratioFile   = "testdata/ratios.json"
	ratioGrowth = 1.2
)

// BenchmarkRatio measures the CPU time of the gateway as a multiple of that of a bare httputil.ReverseProxy, both over loopback connections to
// one server, and prints a warning for each path whose multiple is more than a fifth above the baseline in testdata/ratios.json:
//
//	go test ./internal/gateway -run '^$' -bench Ratio -benchtime 300x          # 300 rounds a path
//	go test ./internal/gateway -run '^$' -bench Ratio -benchtime 300x -update  # writes the baseline
//
// A round is a few requests to the gateway and as many to the proxy. The client and the server run in this process too: they are a few system
// calls, and part of both figures. Of all rounds the lower tenth counts, since other work on the machine only ever adds; and everything
// runs on one core, so that cores are not waited for. Where the client's API is not the provider's, the proxy passes the client's on.
func BenchmarkRatio(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(900)) // as callwright serve sets it
	l := newLoopback(b)
	ratios := map[string]float64{}
	for _, p := range append(slices.Clone(benchPaths), pacedPath) {
		b.Run(p.name, func(b *testing.B) {
			c := l.crowd(b, p)
			var ours, bare []time.Duration
			for b.Loop() {
				ours = append(ours, c.ask(b, l.gateway))
				bare = append(bare, c.ask(b, l.proxy))
			}
			gateway, proxy := lowerTenth(ours), lowerTenth(bare)
			ratios[p.name] = math.Round(100*float64(gateway)/float64(proxy)) / 100
			b.ReportMetric(float64(gateway.Nanoseconds())/1000, "gateway-µs")
			b.ReportMetric(float64(proxy.Nanoseconds())/1000, "proxy-µs")
			b.ReportMetric(ratios[p.name], "x-proxy")
			b.ReportMetric(0, "ns/op")
		})
	}
	if b.Failed() {
		return
	}
	if flag.Lookup("update").Value.String() == "true" {
		writeRatios(b, ratios)
		return
	}
	compareRatios(b, ratios)
}

func lowerTenth(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/10]
}

// writeRatios replaces the rows of the paths that were measured.
func writeRatios(b *testing.B, ratios map[string]float64) {
	b.Helper()
	rows := baseline(b)
	maps.Copy(rows, ratios)
	text, err := json.MarshalIndent(rows, "", "  ")
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(ratioFile, append(text, '\n'), 0o600); err != nil {
		b.Fatal(err)
	}
}

// compareRatios prints a warning for each ratio that has grown. It fails on a path without a row.
func compareRatios(b *testing.B, ratios map[string]float64) {
	b.Helper()
	rows := baseline(b)
	for _, name := range slices.Sorted(maps.Keys(ratios)) {
		switch was, ok := rows[name]; {
		case !ok:
			b.Errorf("%s has no row for %s: -update writes it", ratioFile, name)
		case ratios[name] > was*ratioGrowth:
			fmt.Printf("warning: %s takes %.2f times the CPU of a bare proxy, its baseline is %.2f\n", name, ratios[name], was)
		}
	}
}

func baseline(b *testing.B) map[string]float64 {
	b.Helper()
	text, err := os.ReadFile(ratioFile)
	if err != nil {
		b.Fatal(err)
	}
	rows := map[string]float64{}
	if err := json.Unmarshal(text, &rows); err != nil {
		b.Fatal(err)
	}
	return rows
}
