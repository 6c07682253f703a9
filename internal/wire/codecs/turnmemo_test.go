package codecs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
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
var wrongTurns = []string{`{"role":"nobody","content":TEXT}`, `{"role":"user","content":NUMBER}`, `{"role":"user","role":"user","content":""}`, `NUMBER`, `{"role":`}

// A growing is a conversation as its client sends it, turn by turn.
type growing struct {
	form  []string
	turns []string
	blank []string // before each turn
}

func (g *growing) add(t *rapid.T) {
	form := rapid.SampledFrom(g.form).Draw(t, "form")
	if rapid.IntRange(0, 40).Draw(t, "wrong") == 0 {
		form = rapid.SampledFrom(wrongTurns).Draw(t, "wrong form")
	}
	text := rapid.SampledFrom([]string{"", " \n", "What is \"this\"?\n", strings.Repeat("Nothing new. ", 60), strings.Repeat("é\t", 700)}).Draw(t, "text")
	quoted, _ := json.Marshal(text)
	fill := strings.NewReplacer("TEXT", string(quoted), "NUMBER", strconv.Itoa(rapid.IntRange(0, 3).Draw(t, "number")))
	g.turns = append(g.turns, fill.Replace(form))
	g.blank = append(g.blank, rapid.SampledFrom([]string{"", "", " ", "\n  "}).Draw(t, "blank"))
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
	members := []string{`"model":"m"`, `"messages":[` + list.String() + rapid.SampledFrom([]string{"]", " ]"}).Draw(t, "end")}
	more := []string{`"system":"Be brief."`, `"tools":[]`, `"stream":true`, `"temperature":0.5`}
	members = append(members, more[:rapid.IntRange(0, len(more)).Draw(t, "more members")]...)
	body := "{" + strings.Join(rapid.Permutation(members).Draw(t, "members"), ",") + "}"
	if rapid.IntRange(0, 12).Draw(t, "cut") == 0 {
		body = body[:rapid.IntRange(0, len(body)).Draw(t, "length")]
	}
	return []byte(body)
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
				sameRequest(t, req, plain)
				clear(reused) // its memory goes to another request
			}
		}))
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
