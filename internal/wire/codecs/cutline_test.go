package codecs_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// A line of a stream that was cut never ends in another text, or in another call, than was sent: either nothing of them stood on it, or
// the answer is an error.
func TestCutLinesLoseNothingUnseen(t *testing.T) {
	const said, asked = "Transfer 1000 dollars to Bob, not to Alice.", `{"to":"Bob","sum":1000}`
	text := []callwright.Event{callwright.Begin{ID: "m", Model: "m"}, callwright.TextDelta{Text: said[:23]}, callwright.TextDelta{Text: said[23:34]}, callwright.TextDelta{Text: said[34:]},
		callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 1, Output: 2}}, callwright.End{Finish: callwright.FinishStop}}
	call := []callwright.Event{callwright.Begin{ID: "m", Model: "m"}, callwright.CallBegin{ID: "call_1", Name: "transfer"}, callwright.CallDelta{Text: asked[:9]}, callwright.CallDelta{Text: asked[9:]},
		callwright.CallEnd{}, callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 1, Output: 2}}, callwright.End{Finish: callwright.FinishCalls}}
	for _, c := range codecs.All() {
		for what, events := range map[string][]callwright.Event{"text": text, "call": call} {
			out := c.NewStreamEncoder(&callwright.Request{}).Encode(nil, callwright.Batch{Events: events, More: true})
			lines := bytes.SplitAfter(out, []byte("\n"))
			failed := 0
			for i, line := range lines {
				line = bytes.TrimSuffix(line, []byte("\n"))
				if len(line) == 0 || bytes.HasPrefix(line, []byte("event:")) || bytes.Contains(line, []byte("[DONE]")) {
					continue
				}
				for at := len("data: ") + 1; at < len(line); at += 1 + len(line)/40 {
					cut := bytes.Join([][]byte{bytes.Join(lines[:i], nil), line[:at], []byte("\n"), bytes.Join(lines[i+1:], nil)}, nil)
					got := wiretest.Decode(c, bytes.NewReader(cut))
					if got.Err != nil {
						failed++
						continue
					}
					var all callwright.Collector
					for _, ev := range got.Events {
						all.Add(ev)
					}
					resp := all.Response()
					whole := resp.Text() == said && len(resp.Calls()) == 0
					if what == "call" {
						whole = len(resp.Calls()) == 1 && string(resp.Calls()[0].Arguments) == asked && resp.Calls()[0].Name == "transfer" && strings.TrimSpace(resp.Text()) == ""
					}
					if !whole {
						t.Errorf("%s, %s: with %s cut: text %q, calls %v", c.Name(), what, line[:at], resp.Text(), resp.Calls())
					}
				}
			}
			if failed == 0 {
				t.Errorf("%s, %s: no cut was seen", c.Name(), what)
			}
		}
	}
}
