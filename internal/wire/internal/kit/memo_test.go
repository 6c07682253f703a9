package kit

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
)

func TestMemo(t *testing.T) {
	long := func(n int) string {
		kind := "type"
		if n == 3 {
			kind = "kind"
		}
		return fmt.Sprintf(`[{%q:"function","n":%d},%q]`, kind, n, strings.Repeat("x", memoLeast))
	}
	var m memo
	pass := func(text string) (end int, sound bool) {
		w := jsonx.NewWalker([]byte(text))
		end, untyped := m.pass(NewCheckedWalk(&Document{Raw: []byte(text)}, w, nil), 1)
		if w.Sound() && untyped != strings.HasPrefix(text, ` [{"kind"`) {
			t.Errorf("%.20s: untyped %v", text, untyped)
		}
		return end, w.Sound()
	}
	for n := range 3 * memoValues {
		for range 2 {
			if end, sound := pass(" " + long(n) + ",1"); end != 1+len(long(n)) || !sound {
				t.Fatalf("value %d ends at %d, sound %v", n, end, sound)
			}
		}
		if known := *m.known.Load(); len(known) > memoValues || !bytes.Equal(known[0].list, []byte(long(n))) {
			t.Errorf("expected value %d first of at most %d, got %d", n, memoValues, len(known))
		}
	}
	before := len(*m.known.Load())
	for _, broken := range []string{long(99)[:memoLeast+2], `"` + strings.Repeat("x", memoLeast), `["` + strings.Repeat("x", memoLeast) + "\"}"} {
		if _, sound := pass(" " + broken); sound {
			t.Errorf("%.20s passes", broken)
		}
	}
	for _, v := range []string{`"` + strings.Repeat("x", memoLeast) + `"`, strings.Repeat("1", memoLeast)} {
		if end, sound := pass(" " + v); !sound || end != 1+len(v) || len(*m.known.Load()) != before {
			t.Errorf("%.20s is kept: it may go on where a known one ends", v)
		}
	}
}

// toolBody is a body that has nothing but tools.
type toolBody struct {
	companion.Body
	wire  callwright.WireName
	tools []byte
}

func (b toolBody) Wire() callwright.WireName { return b.wire }
func (b toolBody) ToolBytes() []byte         { return b.tools }

// A list of tools is written once for each setting and each API it came over, with the same notes each time.
func TestWriteTools(t *testing.T) {
	list := []byte(fmt.Sprintf(`[{"type":"function","name":%q}]`, strings.Repeat("w", memoLeast)))
	other := append([]byte("[1,"), list[1:]...)
	for _, v := range [][]byte{list, other} {
		NewCheckedWalk(&Document{Raw: v}, jsonx.NewWalker(v), nil).ToolList(0)
	}
	openai := toolBody{wire: callwright.WireOpenAI, tools: list}
	req := &callwright.Request{Attached: &companion.Companion{Body: openai}}
	note := callwright.Note{Rule: "tools.member", Path: "/tools", Stage: callwright.StageEncode}
	for i, tc := range []struct {
		name    string
		req     *callwright.Request
		setting any
		written bool // anew
	}{
		{"first", req, 1, true},
		{"again", req, 1, false},
		{"the same bytes elsewhere in memory", &callwright.Request{Attached: &companion.Companion{Body: toolBody{wire: callwright.WireOpenAI, tools: bytes.Clone(list)}}}, 1, false},
		{"another setting", req, "1", true},
		{"both are kept", req, 1, false},
		{"another API", &callwright.Request{Attached: &companion.Companion{Body: toolBody{wire: callwright.WireGemini, tools: list}}}, 1, true},
		{"another list", &callwright.Request{Attached: &companion.Companion{Body: toolBody{wire: callwright.WireOpenAI, tools: other}}}, 1, true},
		{"tools that were set", &callwright.Request{Attached: &companion.Companion{Body: openai}, Tools: []callwright.Tool{}}, 1, true},
		{"a list that was never checked", &callwright.Request{Attached: &companion.Companion{Body: toolBody{wire: callwright.WireOpenAI, tools: append(bytes.Clone(list), ' ')}}}, 1, true},
		{"no body", &callwright.Request{}, 1, true},
		{"as many forms are kept as there is room for", req, "1", false},
	} {
		written := false
		notes := Notes{{Rule: "before"}}
		got := WriteTools(tc.req, &notes, tc.setting, func() []byte {
			written = true
			notes = append(notes, note)
			return fmt.Appendf(nil, "%v", tc.setting)
		})
		if want := fmt.Sprint(tc.setting); string(got) != want || written != tc.written || len(notes) != 2 || notes[1] != note {
			t.Errorf("%d %s: %s, written %v, %v", i, tc.name, got, written, notes)
		}
	}
}

// A list of tools that was not read from bytes is written once for its content, each setting, and each API of the request.
func TestWriteMadeTools(t *testing.T) {
	of := func(change func(t *callwright.Tool)) []callwright.Tool {
		tools := []callwright.Tool{{Name: "a", Schema: []byte(`{"type":"object"}`)}, {Name: "b", Description: strings.Repeat("w", memoLeast), Strict: new(true)}}
		if change != nil {
			change(&tools[1])
		}
		return tools
	}
	kept := of(nil)
	for i, tc := range []struct {
		name    string
		tools   []callwright.Tool
		body    companion.Body
		written bool
	}{
		{"first", kept, nil, true},
		{"again", kept, nil, false},
		{"equal ones", of(nil), nil, false},
		{"beside a body", of(nil), toolBody{wire: callwright.WireOpenAI}, true},
		{"another name", of(func(t *callwright.Tool) { t.Name = "c" }), nil, true},
		{"another schema", of(func(t *callwright.Tool) { t.Schema = []byte(`{}`) }), nil, true},
		{"another description", of(func(t *callwright.Tool) { t.Description += "w" }), nil, true},
		{"not strict", of(func(t *callwright.Tool) { t.Strict = new(false) }), nil, true},
		{"nothing said of strict", of(func(t *callwright.Tool) { t.Strict = nil }), nil, true},
		{"another type", of(func(t *callwright.Tool) { t.Type = callwright.CustomTool }), nil, true},
		{"other members", of(func(t *callwright.Tool) { t.Extra.JSON = []byte(`{"x":1}`) }), nil, true},
		{"members of another API", of(func(t *callwright.Tool) { t.Extra.Wire = callwright.WireOpenAI }), nil, true},
		{"a small list", kept[:1], nil, true},
		{"a small list is not kept", kept[:1], nil, true},
		{"the first is still there", kept, nil, false},
	} {
		written := false
		var notes Notes
		got := WriteTools(&callwright.Request{Attached: &companion.Companion{Body: tc.body}, Tools: tc.tools}, &notes, "made", func() []byte {
			written = true
			notes = append(notes, callwright.Note{Rule: "tools.member"})
			return []byte("[]")
		})
		if string(got) != "[]" || written != tc.written || len(notes) != 1 {
			t.Errorf("%d %s: %s, written %v, %v", i, tc.name, got, written, notes)
		}
		if i == 1 {
			kept[0].Schema[2] = 'T' // what is kept is a copy
			if WriteTools(&callwright.Request{Tools: kept}, &notes, "made", func() []byte { return nil }) != nil {
				t.Error("a list that was changed is taken for the one that was kept")
			}
			kept[0].Schema[2] = 't'
		}
	}
}
