package responses_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/responses"
)

// repeated is n times what one gives, separated by commas.
func repeated(n int, one func(i int) string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(one(i))
	}
	return b.String()
}

// manyThings are requests of n things each of which could be compared with each other.
func manyThings(n int) map[string]string {
	id := strconv.Itoa
	carrier := func(i int) string {
		return wire.PackCall(callwright.Call{ID: "c" + id(i), Signature: "s", Origin: callwright.Origin{Wire: callwright.WireGemini}})
	}
	return map[string]string{
		"members": `{"model":"m","input":"x",` + repeated(n, func(i int) string { return `"m` + id(i) + `":1` }) + `}`,
		"calls": `{"model":"m","input":[` + repeated(n, func(i int) string {
			return `{"type":"function_call","call_id":"c` + id(i) + `","name":"f","arguments":"{}"}`
		}) + `]}`,
		"carriers": `{"model":"m","input":[` + repeated(n, func(i int) string {
			return `{"type":"reasoning","summary":[],"encrypted_content":"` + carrier(i) + `"}`
		}) + `,{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}]}`,
		"namespaces": `{"model":"m","input":"x","tools":[{"type":"namespace","name":"s","description":"` + strings.Repeat("d", n) + `","tools":[` + repeated(n, func(i int) string { return `{"type":"function","name":"f` + id(i) + `"}` }) + `]}]}`,
	}
}

// Many of each thing are all there when a request was decoded and encoded, but for the state of calls that are not there.
func TestManyThings(t *testing.T) {
	shown := map[string]string{"members": `":1`, "calls": `"function_call"`, "namespaces": `"name":"f`}
	for name, body := range manyThings(2000) {
		for _, out := range encodedBoth(t, body) {
			if s, ok := shown[name]; ok && strings.Count(out, s) != strings.Count(body, s) {
				t.Errorf("%s: %d of %d are left", name, strings.Count(out, s), strings.Count(body, s))
			}
		}
	}
}

// encodedBoth is what a request is encoded as, from its body and without it.
func encodedBoth(tb testing.TB, body string) [2]string {
	tb.Helper()
	req := decode(tb, body)
	built := *req
	built.Messages, _ = req.History()
	built.Tools, _ = req.DeclaredTools()
	first, _ := encode(tb, &built, caps.Caps{})
	companion.Change(&built, func(c *companion.Companion) { c.Body = nil })
	second, _ := encode(tb, &built, caps.Caps{})
	return [2]string{first, second}
}

// The time for one of many things is the same for few and for many.
func BenchmarkManyThings(b *testing.B) {
	for _, n := range []int{2000, 40_000} {
		for name, body := range manyThings(n) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					encodedBoth(b, body)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/thing")
			})
		}
		b.Run(fmt.Sprintf("pieces/%d", n), func(b *testing.B) {
			for b.Loop() {
				e := responses.Codec{}.NewStreamEncoder(&callwright.Request{})
				out := e.Encode(nil, callwright.Batch{Events: []callwright.Event{callwright.Begin{}, callwright.CallBegin{ID: "c", Name: "f", Type: callwright.CustomTool}}})
				one := make([]callwright.Event, 1)
				for range n {
					one[0] = callwright.CallDelta{Text: strings.Repeat("x", 50)}
					out = e.Encode(out[:0], callwright.Batch{Events: one})
				}
				e.Encode(out[:0], callwright.Batch{Events: []callwright.Event{callwright.CallEnd{}, callwright.End{}}})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/thing")
		})
	}
}
