package responses_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/wire"
	"github.com/callwright/callwright/wire/responses"
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

// TestWorkGrowsWithTheSize gives shapes in which each thing could be compared with each other: that would take minutes.
func TestWorkGrowsWithTheSize(t *testing.T) {
	const n = 40000
	id := strconv.Itoa
	carrier := func(i int) string {
		return wire.PackCall(callwright.Call{ID: "c" + id(i), Signature: "s", Origin: callwright.Origin{Wire: callwright.WireGemini}})
	}
	for name, body := range map[string]string{
		"members": `{"model":"m","input":"x",` + repeated(n, func(i int) string { return `"m` + id(i) + `":1` }) + `}`,
		"calls": `{"model":"m","input":[` + repeated(n, func(i int) string {
			return `{"type":"function_call","call_id":"c` + id(i) + `","name":"f","arguments":"{}"}`
		}) + `]}`,
		"carriers": `{"model":"m","input":[` + repeated(n, func(i int) string {
			return `{"type":"reasoning","summary":[],"encrypted_content":"` + carrier(i) + `"}`
		}) + `,{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}]}`,
		"namespaces": `{"model":"m","input":"x","tools":[{"type":"namespace","name":"s","description":"` + strings.Repeat("d", n) + `","tools":[` + repeated(n, func(i int) string { return `{"type":"function","name":"f` + id(i) + `"}` }) + `]}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			req := decode(t, body)
			built := *req
			built.Messages, _ = req.History()
			built.Tools, _ = req.DeclaredTools()
			encode(t, &built, caps.Caps{})
			built.Body = nil
			encode(t, &built, caps.Caps{})
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("expected a part of a second for %d bytes, took %s", len(body), took)
			}
		})
	}
	t.Run("pieces", func(t *testing.T) {
		began := time.Now()
		e := responses.Codec{}.NewStreamEncoder(&callwright.Request{})
		out := e.Encode(nil, callwright.Begin{})
		out = e.Encode(out, callwright.CallBegin{ID: "c", Name: "f", Type: callwright.CustomTool})
		for range n {
			out = e.Encode(out[:0], callwright.CallDelta{Text: strings.Repeat("x", 50)})
		}
		e.Encode(e.Encode(out[:0], callwright.CallEnd{}), callwright.End{})
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("expected a part of a second, took %s", took)
		}
	})
}
