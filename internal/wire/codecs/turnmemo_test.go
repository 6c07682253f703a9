package codecs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/turnmemo"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// turnForms are messages of the APIs whose histories are memorized, with TEXT for a text and NUMBER for a number.
var turnForms = map[callwright.WireName][]string{
	callwright.WireOpenAI: {
		`{"role":"user","content":TEXT}`, `{"content":TEXT,"role":"assistant"}`, `{"role":"user","content":[{"type":"text","text":TEXT}]}`,
		`{"role":"user","content":[{"type":"text","text":TEXT,"cache_control":{"type":"ephemeral"}}]}`,
		`{"role":"assistant","content":null,"tool_calls":[{"id":"cNUMBER","type":"function","function":{"name":"f","arguments":"{\"a\":NUMBER}"}}]}`,
		`{"role":"assistant","tool_calls":[{"id":"cNUMBER","function":{"name":"f","arguments":"{"}}]}`,
		`{"role":"tool","tool_call_id":"cNUMBER","content":TEXT}`, `{"role":"system","content":TEXT}`,
		`{"role":"assistant","content":"","function_call":{"name":"f","arguments":"{}"}}`, `{"role":"function","name":"f","content":TEXT}`,
		`{"role":"assistant","content":TEXT,"reasoning_content":"hm"}`, `{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:,"}}]}`,
	},
	callwright.WireAnthropic: {
		`{"role":"user","content":TEXT}`, `{"content":TEXT,"role":"assistant"}`, `{"role":"user","content":[{"type":"text","text":TEXT}]}`,
		`{"role":"user","content":[{"type":"text","text":TEXT,"cache_control":{"type":"ephemeral"}}]}`,
		`{"role":"assistant","content":[{"type":"tool_use","id":"cNUMBER","name":"f","input":{"a":NUMBER}}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"cNUMBER","content":TEXT}]}`,
		`{"role":"user","content":[{"type":"text","text":TEXT},{"type":"tool_result","tool_use_id":"cNUMBER","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":""}}]}]}`,
		`{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":TEXT}]}`,
		`{"role":"assistant","content":[{"type":"thinking","thinking":"hm"}]}`, `{"role":"system","content":TEXT}`,
		`{"role":"user","content":[{"type":"tool_definition","tool":{"name":"lateNUMBER","input_schema":{"type":"object"}}}]}`,
		`{"role":"system","output_config":{"effort":"low"}}`,
	},
	callwright.WireOllama: {
		`{"role":"user","content":TEXT}`, `{"content":TEXT,"role":"assistant"}`, `{"role":"user","content":TEXT,"images":["aGk="]}`,
		`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"a":NUMBER}}},{"function":{"name":"g","arguments":{}}}]}`,
		`{"role":"tool","content":TEXT}`, `{"role":"tool","tool_name":"g","content":TEXT}`, `{"role":"tool","tool_name":"f","content":TEXT}`,
		`{"role":"system","content":TEXT}`, `{"role":"assistant","thinking":"hm","content":TEXT}`,
	},
}

// wrongTurns are messages that no API takes.
var wrongTurns = []string{`{"role":"nobody","content":TEXT}`, `{"role":"user","content":NUMBER}`, `{"role":"user","role":"user","content":""}`, `NUMBER`, `"NUMBER"`, `null`, `[]`,
	`{"role":`, `{"role":"user","content":"","other":DEEP}`, `{"role":"user","content":"","other":{"a":1,"a":NUMBER}}`,
	`{"role":"user","content":[{"type":"text","text":"","x":{"b":1,"c":2,"b":NUMBER}}]}`}

// A growing is a conversation as its client sends it, turn by turn.
type growing struct {
	form  []string
	turns []string
	blank []string // before each turn
}

func (g *growing) add(t *rapid.T) {
	form := rapid.SampledFrom(g.form).Draw(t, "form")
	if rapid.IntRange(0, 150).Draw(t, "wrong") == 0 {
		form = rapid.SampledFrom(wrongTurns).Draw(t, "wrong form")
	}
	g.turns = append(g.turns, filled(t, form))
	g.blank = append(g.blank, rapid.SampledFrom([]string{"", "", " ", "\n  "}).Draw(t, "blank"))
}

// filled is a message with a text, a number and a nesting.
func filled(t *rapid.T, form string) string {
	text := rapid.SampledFrom([]string{"", " \n", "What is \"this\"?\n", strings.Repeat("Nothing new. ", 60), strings.Repeat("é\t", 700)}).Draw(t, "text")
	quoted, _ := json.Marshal(text)
	depth := jsonx.MaxDepth + rapid.IntRange(-4, 1).Draw(t, "depth")
	fill := strings.NewReplacer("TEXT", string(quoted), "DEEP", strings.Repeat("[", depth)+strings.Repeat("]", depth), "NUMBER", strconv.Itoa(rapid.IntRange(0, 3).Draw(t, "number")))
	return fill.Replace(form)
}

// change makes the history that of the next request.
func (g *growing) change(t *rapid.T) {
	switch n := len(g.turns); rapid.SampledFrom([]string{"grow", "grow", "grow", "again", "edit", "drop", "shorten"}).Draw(t, "change") {
	case "grow":
		for range rapid.IntRange(1, 4).Draw(t, "more") {
			g.add(t)
		}
	case "edit":
		at := rapid.IntRange(0, n-1).Draw(t, "at")
		rest := g.turns[at+1:]
		g.turns, g.blank = g.turns[:at:at], g.blank[:at:at]
		g.add(t)
		for _, turn := range rest {
			g.turns, g.blank = append(g.turns, turn), append(g.blank, "")
		}
	case "drop":
		at := rapid.IntRange(0, n-1).Draw(t, "at")
		g.turns, g.blank = append(g.turns[:at:at], g.turns[at+1:]...), append(g.blank[:at:at], g.blank[at+1:]...)
	case "shorten":
		at := rapid.IntRange(0, n).Draw(t, "at")
		g.turns, g.blank = g.turns[:at:at], g.blank[:at:at]
	}
	if len(g.turns) == 0 {
		g.add(t)
	}
}

// body is a request with the history, sometimes cut.
func (g *growing) body(t *rapid.T) []byte {
	var list strings.Builder
	for i, turn := range g.turns {
		if i > 0 {
			list.WriteByte(',')
		}
		list.WriteString(g.blank[i] + turn)
	}
	history := `"messages":[` + list.String() + rapid.SampledFrom([]string{"]", " ]"}).Draw(t, "end")
	members := []string{`"model":"m"`, history}
	more := []string{`"tools":[]`, `"stream":true`, `"temperature":0.5`}
	members = append(members, more[:rapid.IntRange(0, len(more)).Draw(t, "more members")]...)
	members = append(members, g.system(t)...)
	if rapid.IntRange(0, 12).Draw(t, "history twice") == 0 {
		first := filled(t, rapid.SampledFrom(g.form).Draw(t, "form of the second"))
		members = append(members, rapid.SampledFrom([]string{history, `"messages":[` + first + `]`, `"mess\u0061ges":null`}).Draw(t, "second"))
	}
	body := "{" + strings.Join(rapid.Permutation(members).Draw(t, "members"), ",") + "}"
	switch rapid.IntRange(0, 24).Draw(t, "cut") {
	case 0, 1:
		body = body[:rapid.IntRange(0, len(body)).Draw(t, "length")]
	case 2:
		body = "\ufeff" + body
	}
	return []byte(body)
}

// system is the member system of some requests, which each API but Anthropic's passes as it came.
func (*growing) system(t *rapid.T) []string {
	values := []string{``, ``, `"Be brief."`, `null`, `1`, `[{"type":"text","text":"Be brief."}]`, `[{"type":"thinking","thinking":"hm"}]`,
		`[{"type":"text","text":"x"},{"type":"tool_result","tool_use_id":"c1","content":""}]`, `[{"type":"nothing"},1]`,
		`[{"type":"tool_definition","tool":{"name":"early","input_schema":{"type":"object"}}}]`,
		`[{"type":"text","text":"Water is wet.","citations":[{"type":"search_result_location","source":"x","search_result_index":"x"}]}]`}
	value := rapid.SampledFrom(values).Draw(t, "system")
	if value == "" {
		return nil
	}
	return []string{`"system":` + value}
}

// TestTurnMemo: a request is read and written as without a memo, however the conversation grew or changed since the last one, and whoever asks.
func TestTurnMemo(t *testing.T) {
	for name, form := range turnForms {
		codec, _ := codecs.Of(name)
		t.Run(string(name), rapid.MakeCheck(func(t *rapid.T) {
			memo := turnmemo.New(rapid.SampledFrom([]int{0, 20 << 10, 100 << 10}).Draw(t, "limit"))
			talks := []*growing{{form: form}, {form: form}}
			for _, g := range talks {
				for range rapid.IntRange(1, 12).Draw(t, "turns") {
					g.add(t)
				}
			}
			for range rapid.IntRange(1, 8).Draw(t, "requests") {
				g := rapid.SampledFrom(talks).Draw(t, "talk")
				g.change(t)
				body := g.body(t)
				plain, wantErr := codec.DecodeRequest(bytes.Clone(body))
				reused := bytes.Clone(body)
				req, err := codec.(wire.HistoryReader).DecodeRequestWith(memo.Of(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "owner")), reused)
				if got, want := wiretest.Error(err), wiretest.Error(wantErr); got != want {
					t.Fatalf("got the error %s\nwant %s\nof %s", got, want, body)
				}
				if err != nil {
					continue
				}
				sameBody(t, req, plain)
				sameRequest(t, req, plain)
				clear(reused) // its memory goes to another request
			}
		}))
	}
}

// sameBody compares all that a codec knows of two bodies, as it was read, but for the view on the memo.
func sameBody(t interface{ Fatalf(string, ...any) }, got, want *callwright.Request) {
	for _, req := range []*callwright.Request{got, want} {
		reflect.ValueOf(companion.Of(req).Body).Elem().FieldByName("Memo").SetZero()
	}
	if g, w := companion.Of(got).Body, companion.Of(want).Body; !reflect.DeepEqual(g, w) {
		t.Fatalf("got the body\n%+v\nwant\n%+v\nof %s", g, w, companion.Of(want).Bytes())
	}
}

// TestTurnMemoAlone: what a request says before its history is not found in the next one that has the history alone, and the other way round.
func TestTurnMemoAlone(t *testing.T) {
	long := `,{"role":"user","content":"` + strings.Repeat("Nothing new. ", 400) + `"}]`
	for _, c := range []struct {
		wire            callwright.WireName
		before, history string // members of a body
	}{
		{callwright.WireOpenAI, `"messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]}]`,
			`"messages":[{"role":"user","content":"Hi"}` + long},
		{callwright.WireOpenAI, `"messages":[{"role":"assistant","function_call":{"name":"f","arguments":"{}"}}]`,
			`"messages":[{"role":"function","name":"f","content":"1"}` + long},
		{callwright.WireOllama, `"messages":[{"role":"assistant","content":"","tool_calls":[{"id":"a","function":{"name":"f","arguments":{}}}]}]`,
			`"messages":[{"role":"tool","content":"1"}` + long},
		{callwright.WireAnthropic, `"system":[{"type":"thinking","thinking":"hm"}]`, `"messages":[{"role":"user","content":"Hi"}` + long},
		{callwright.WireAnthropic, `"system":[{"type":"text","text":"x"},{"type":"tool_result","tool_use_id":"a"}]`, `"messages":[{"role":"user","content":"Hi"}` + long},
		{callwright.WireAnthropic, `"system":"Be brief.","messages":[{"role":"system","output_config":{"effort":"low"}}]`, `"messages":[{"role":"user","content":"Hi"}` + long},
	} {
		alone, both := `{"model":"m",`+c.history+`}`, `{"model":"m",`+c.before+`,`+c.history+`}`
		for _, bodies := range [][]string{{both, alone}, {alone, both}} {
			memo := turnmemo.New(0).Of("a")
			codec, _ := codecs.Of(c.wire)
			for _, body := range bodies {
				want, wantErr := codec.DecodeRequest([]byte(body))
				got, err := codec.(wire.HistoryReader).DecodeRequestWith(memo, []byte(body))
				if wiretest.Error(err) != wiretest.Error(wantErr) {
					t.Errorf("%s: got the error %v, want %v", body, err, wantErr)
				} else if err == nil {
					sameBody(t, got, want)
				}
			}
		}
	}
}

func sameRequest(t *rapid.T, got, want *callwright.Request) {
	if g, w := wiretest.Request(got), wiretest.Request(want); g != w {
		t.Fatalf("got\n%s\nwant\n%s", g, w)
	}
	for _, to := range codecs.All() {
		g, gotNotes, gotErr := to.EncodeRequest(got, "m", caps.Caps{})
		w, wantNotes, wantErr := to.EncodeRequest(want, "m", caps.Caps{})
		if !bytes.Equal(g, w) || fmt.Sprint(gotNotes) != fmt.Sprint(wantNotes) || wiretest.Error(gotErr) != wiretest.Error(wantErr) {
			t.Fatalf("to %s got %s %v %v\nwant %s %v %v", to.Name(), g, gotNotes, gotErr, w, wantNotes, wantErr)
		}
	}
}
