package codecs_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// listsOf are requests of each wire with a place for the elements of a list, and whether the list is of tools.
var listsOf = map[callwright.WireName][]string{
	callwright.WireOpenAI: {`{"model":"m","messages":[%s]}`, `{"model":"m","messages":[{"role":"user","content":[%s]}]}`, `{"model":"m","messages":[{"role":"tool","tool_call_id":"c","content":[%s]}]}`,
		`{"model":"m","messages":[{"role":"assistant","tool_calls":[%s]}]}`, `{"model":"m","messages":[{"role":"user","content":"x"}],"tools":[%s]}`, `{"model":"m","messages":[{"role":"user","content":"x"}],"unheard_of":[%s]}`},
	callwright.WireResponses: {`{"model":"m","input":[%s]}`, `{"model":"m","input":[{"role":"user","content":[%s]}]}`, `{"model":"m","input":[{"type":"function_call_output","call_id":"c","output":[%s]}]}`,
		`{"model":"m","input":[{"type":"reasoning","summary":[%s]}]}`, `{"model":"m","input":"x","tools":[%s]}`, `{"model":"m","input":"x","tools":[{"type":"namespace","name":"n","tools":[%s]}]}`},
	callwright.WireAnthropic: {`{"model":"m","max_tokens":9,"messages":[%s]}`, `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[%s]}]}`,
		`{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[%s]}]}]}`,
		`{"model":"m","max_tokens":9,"system":[%s],"messages":[{"role":"user","content":"x"}]}`, `{"model":"m","max_tokens":9,"tools":[%s],"messages":[{"role":"user","content":"x"}]}`},
	callwright.WireGemini: {`{"model":"m","contents":[%s]}`, `{"model":"m","contents":[{"role":"user","parts":[%s]}]}`, `{"model":"m","contents":[{"role":"user","parts":[{"functionResponse":{"name":"f","response":{},"parts":[%s]}}]}]}`,
		`{"model":"m","systemInstruction":{"parts":[%s]},"contents":[{"parts":[{"text":"x"}]}]}`, `{"model":"m","contents":[{"parts":[{"text":"x"}]}],"tools":[%s]}`, `{"model":"m","contents":[{"parts":[{"text":"x"}]}],"tools":[{"functionDeclarations":[%s]}]}`},
	callwright.WireOllama: {`{"model":"m","messages":[%s]}`, `{"model":"m","messages":[{"role":"assistant","tool_calls":[%s]}]}`, `{"model":"m","messages":[{"role":"user","images":[%s]}]}`,
		`{"model":"m","messages":[{"role":"user","content":"x"}],"tools":[%s]}`},
}

// smallest are elements that take few bytes of a body and more of memory, whether they are right in their place or not.
var smallest = []string{`{}`, `null`, `0`, `""`, `[]`, `{"text":""}`, `{"type":"x"}`, `{"type":"text","text":""}`, `{"type":"input_text","text":""}`, `{"role":"user"}`, `{"role":"user","content":""}`,
	`{"role":"user","content":[]}`, `{"parts":[]}`, `{"parts":[{}]}`, `{"type":"tool_result","tool_use_id":"a"}`, `{"type":"tool_reference","tool_name":"a"}`, `{"functionCall":{"name":"f"}}`,
	`{"functionResponse":{}}`, `{"function":{"name":"f"}}`, `{"id":"a","function":{"name":"f"}}`, `{"type":"function","name":"f"}`, `{"name":"f","input_schema":{}}`, `{"name":"f"}`}

// What a body may cost: to be indexed, and to be read and written.
const (
	maxParts   = 1 << 16
	indexPart  = 512 // bytes for each part
	encodePart = 2 << 10
)

// allocated is how many bytes run allocates, all that is freed meanwhile too.
func allocated(run func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// Lists of the smallest elements are read and written in memory that the bound on parts and the size of the body limit. The first
// element that is wrong ends what is kept of the others.
func TestSmallElements(t *testing.T) {
	if !longtest.IsEnabled() {
		t.Skip("large inputs; what is measured is memory, of which the race detector takes more")
	}
	for _, c := range codecs.All() {
		for _, shape := range listsOf[c.Name()] {
			for _, e := range smallest {
				for _, n := range []int{1000, 200_000} {
					if n > maxParts && len(e) > 16 {
						continue
					}
					body := fmt.Appendf(nil, shape, strings.TrimSuffix(strings.Repeat(e+",", n), ","))
					hold(t, c, body, n, fmt.Sprintf("%s with %d times %s", shape, n, e))
				}
			}
		}
	}
}

func hold(t *testing.T, c wire.Codec, body []byte, n int, what string) {
	t.Helper()
	var req *callwright.Request
	var err error
	got := allocated(func() { req, err = c.DecodeRequest(body) })
	limit := 4*len(body) + indexPart*min(n, maxParts) + 1<<16
	if err != nil && !strings.Contains(err.Error(), "at most") {
		limit = 2*len(body) + 1<<16
	}
	if got > limit {
		t.Errorf("%s: %s: %d bytes took %d to index, at most %d expected", c.Name(), what, len(body), got, limit)
	}
	if err != nil || n > maxParts {
		return
	}
	for _, to := range codecs.All() {
		got := allocated(func() { _, _, err = to.EncodeRequest(req, "other", caps.Caps{}) })
		if limit := 12*len(body) + encodePart*n + 1<<18; got > limit {
			t.Errorf("%s to %s: %s: %d bytes took %d to write, at most %d expected", c.Name(), to.Name(), what, len(body), got, limit)
		}
	}
}

// A history or a list of tools that is too long is refused with its bound, and one within it is taken.
func TestTooManyParts(t *testing.T) {
	for wire, e := range map[callwright.WireName][2]string{
		callwright.WireOpenAI: {`{"role":"user","content":"a"}`, `{"type":"function","function":{"name":"f"}}`}, callwright.WireResponses: {`{"role":"user","content":"a"}`, `{"type":"function","name":"f"}`},
		callwright.WireAnthropic: {`{"role":"user","content":"a"}`, `{"name":"f","input_schema":{}}`}, callwright.WireGemini: {`{"role":"user"}`, `{"functionDeclarations":[{"name":"f"}]}`},
		callwright.WireOllama: {`{"role":"user","content":"a"}`, `{"function":{"name":"f"}}`},
	} {
		c, _ := codecs.Of(wire)
		messages := func(n int) []byte {
			return fmt.Appendf(nil, listsOf[wire][0], strings.TrimSuffix(strings.Repeat(e[0]+",", n), ","))
		}
		if _, err := c.DecodeRequest(messages(maxParts)); err != nil {
			t.Errorf("%s: %v", wire, err)
		}
		if _, err := c.DecodeRequest(messages(maxParts + 1)); callwright.KindOf(err) != callwright.KindInvalid || !strings.Contains(err.Error(), "at most 65536") {
			t.Errorf("%s: expected an error with the bound, got %v", wire, err)
		}
		for _, shape := range listsOf[wire] {
			if !strings.Contains(shape, `"tools":[%s]`) || strings.Contains(shape, "namespace") {
				continue
			}
			req, err := c.DecodeRequest(fmt.Appendf(nil, shape, strings.TrimSuffix(strings.Repeat(e[1]+",", 1<<13+1), ",")))
			if err != nil {
				t.Fatal(err)
			}
			if _, err = req.DeclaredTools(); callwright.KindOf(err) != callwright.KindInvalid || !strings.Contains(err.Error(), "at most 8192 tools") {
				t.Errorf("%s: expected an error with the bound, got %v", wire, err)
			}
		}
	}
}
