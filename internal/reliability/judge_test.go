package reliability_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/callwright/callwright"
)

// An end is how a request ended: right, lost, wrong, or the kind of an error.
type end string

const (
	right end = "right"
	lost  end = "lost"  // nothing or too little came, and no error
	wrong end = "wrong" // another call than was meant, a doubled or an invented one, or markup in the text
)

// failed is the end of a request with an error of a kind.
func failed(k callwright.Kind) end { return end(k) }

// An intent is what the script meant, whatever became of it on the way.
type intent struct {
	calls []call
	text  string // beside the calls, white space aside
	loose bool   // the text may be another, without markup
	begin bool   // the text begins so and goes on
	added bool   // the calls may have the arguments that the simulator adds to have something to damage
}

// A call is a call with its arguments as JSON, or its text where it takes text.
type call struct{ name, args string }

// judge holds an answer against what was meant.
func (m intent) judge(resp *callwright.Response, err error) (end, string) {
	if err != nil {
		return failed(callwright.KindOf(err)), err.Error()
	}
	left := slices.Clone(m.calls)
	ids := map[string]bool{}
	for _, c := range resp.Calls() {
		i := slices.IndexFunc(left, func(want call) bool { return want.equals(c) || m.added && want.widened(c) })
		if i < 0 {
			return wrong, "call " + c.Name + " " + string(c.Arguments) + c.Input
		}
		left = slices.Delete(left, i, i+1)
		if c.ID == "" || ids[c.ID] {
			return wrong, "id " + c.ID + " of " + c.Name
		}
		ids[c.ID] = true
	}
	if len(left) > 0 {
		return cmp.Or(m.leaks(resp.Text()), lost), "missing " + left[0].name + " " + left[0].args + ", text " + resp.Text()
	}
	if (resp.Finish == callwright.FinishCalls) != (len(m.calls) > 0) {
		return wrong, "finish " + string(resp.Finish)
	}
	return m.judgeText(resp.Text())
}

// equals reports whether a call is the one that was meant, in whatever order its members are written.
func (c call) equals(got callwright.Call) bool {
	if c.name != got.Name {
		return false
	}
	if got.Type == callwright.CustomTool {
		return c.args == got.Input
	}
	return equalJSON([]byte(c.args), got.Arguments)
}

// stock are the arguments that the simulator adds to a call without one of their kind.
var stock = map[string]string{"days": `3`, "hourly": `true`, "fields": `["temperature"]`, "place": `{"country": "sample"}`, "note": `"sample"`, "units": `"celsius"`}

// widened reports whether a call is the one that was meant with arguments added by the simulator.
func (c call) widened(got callwright.Call) bool {
	for key, value := range stock {
		if more := strings.TrimSuffix(c.args, "}") + `, "` + key + `": ` + value + "}"; (call{c.name, more}).equals(got) {
			return true
		}
	}
	return false
}

// equalJSON compares two documents; numbers are equal as they are written.
func equalJSON(a, b []byte) bool {
	var docs [2]any
	for i, text := range [][]byte{a, b} {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if d.Decode(&docs[i]) != nil || d.More() {
			return false
		}
	}
	return reflect.DeepEqual(docs[0], docs[1])
}

func (m intent) judgeText(got string) (end, string) {
	got, want := flat(got), flat(m.text)
	switch {
	case got == want, m.begin && strings.HasPrefix(got, want):
		return right, ""
	case m.leaks(got) == wrong:
		return wrong, "text " + got
	case m.loose:
		return right, ""
	case strings.Contains(got, want) && want != "":
		return wrong, "text " + got
	}
	return lost, "text " + got
}

// leaks tells whether markup of a call stands in a text that was meant to have none.
func (m intent) leaks(text string) end {
	if strings.ContainsAny(m.text, "<{[") {
		return ""
	}
	for _, mark := range []string{"</", "<|", "<tool", "<function", "<invoke", "｜", "‖", "get_weather", `{"`, "[TOOL", "[ARGS]", "to=functions", "]<]"} {
		if strings.Contains(text, mark) {
			return wrong
		}
	}
	return ""
}
