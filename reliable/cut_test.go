package reliable_test

import (
	"encoding/json"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable"
)

// A call that is cut anywhere leaves with the values it had, each of them whole, or not at all.
func TestCutAtEveryByte(t *testing.T) {
	tools := []callwright.Tool{{Name: "put_file", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},` +
		`"count":{"type":"integer"},"list":{"type":"array"},"about":{"type":"object"},"text":{"type":"string"}},"required":["path"]}`)}}
	x, err := reliable.NewExtractor(tools)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		`{"path":"/srv/a b.txt","count":12345,"list":["one","two",3],"about":{"k":"v","n":[1,22]},"text":"a \"b\" c"}`,
		`{"text":"","path":"it's, b='c'","list":[[1,2],[3]],"about":{"a":{"b":"deep"}},"count":-7}`,
	} {
		for _, f := range dialect.Formats() {
			if !f.Renders() {
				continue
			}
			text := f.RenderCalls([]dialect.RenderedCall{{Name: "put_file", Arguments: []byte(args)}})
			for cut := range len(text) {
				got := x.Extract([]callwright.Event{callwright.TextDelta{Text: text[:cut]}})
				for _, c := range got.Calls {
					wholeValues(t, f.Name+" "+text[:cut], c.Arguments, []byte(args))
				}
			}
		}
	}
}

func wholeValues(t *testing.T, from string, got, want []byte) {
	t.Helper()
	for k, v := range jsonx.Members(got) {
		if w, ok := jsonx.Find(want, k.String()); !ok || !jsonx.Equal(v, w) {
			t.Errorf("%s:\n%s is %s", from, k.String(), v)
		}
	}
}

// The input of a custom tool is free text: that it was cut shows only in the reason why the answer ended.
func TestCustomCallCut(t *testing.T) {
	tools := []callwright.Tool{{Name: "patch", Type: callwright.CustomTool}}
	for finish, calls := range map[callwright.Finish]int{callwright.FinishCalls: 1, callwright.FinishLength: 0} {
		x, err := reliable.Extract([]callwright.Event{
			callwright.CallBegin{ID: "call_1", Name: "patch", Type: callwright.CustomTool},
			callwright.CallDelta{Text: "delete /srv/o"}, callwright.CallEnd{}, callwright.End{Finish: finish},
		}, tools)
		if err != nil {
			t.Fatal(err)
		}
		if len(x.Calls) != calls {
			t.Errorf("finish %s: got %d calls, want %d", finish, len(x.Calls), calls)
		}
	}
}

// What a model invents is not kept at its own length.
func TestLongNameIsBounded(t *testing.T) {
	long := string(make([]byte, 1<<20))
	x, err := reliable.Extract([]callwright.Event{
		callwright.CallBegin{ID: "call_1", Name: long}, callwright.CallDelta{Text: "{}"}, callwright.CallEnd{},
	}, weather)
	if err != nil {
		t.Fatal(err)
	}
	kept, _ := json.Marshal([]any{x.Invalid, x.Notes})
	if len(kept) > 64<<10 {
		t.Errorf("%d bytes are kept of a call with a name of 1 MiB", len(kept))
	}
}
