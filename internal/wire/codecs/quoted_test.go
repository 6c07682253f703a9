package codecs_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// longText is a text that may be copied from one body into another: long, with whatever may keep it from being copied.
func longText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{"a word ", "\n", "\"", "é", "😀", "\u0001", "\\", "\t", "<b>", " "}), 0, 12).Draw(t, "pieces")
		return strings.Join(pieces, "") + strings.Repeat(rapid.SampledFrom([]string{"long ", " ", "\n", "\u3000"}).Draw(t, "fill"), rapid.IntRange(0, 300).Draw(t, "times")) + rapid.SampledFrom([]string{"", ".", " \n"}).Draw(t, "end")
	})
}

func texts(t *rapid.T, most int) []callwright.Part {
	var parts []callwright.Part
	for _, s := range rapid.SliceOfN(longText(), 0, most).Draw(t, "texts") {
		parts = append(parts, callwright.Text{Text: s})
	}
	return parts
}

// billing has what may stand before instructions: nothing, or the text that only one API understands.
var billing = [][]callwright.Part{nil, {callwright.Text{Text: "x-anthropic-billing-header: version=" + strings.Repeat("1.", 300)}}}

// conversation is a history of turns with long texts: instructions, words, calls and their results.
func conversation(t *rapid.T) []callwright.Message {
	var out []callwright.Message
	if rapid.Bool().Draw(t, "system") {
		out = append(out, callwright.Message{Role: callwright.RoleSystem, Parts: append(rapid.SampledFrom(billing).Draw(t, "billing"), texts(t, 2)...)})
	}
	for range rapid.IntRange(1, 4).Draw(t, "turns") {
		out = append(out, callwright.Message{Role: callwright.RoleUser, Parts: texts(t, 2)})
		if rapid.IntRange(0, 3).Draw(t, "instructed again") == 0 {
			out = append(out, callwright.Message{Role: callwright.RoleSystem, Parts: texts(t, 2)})
		}
		said := callwright.Message{Role: callwright.RoleAssistant, Parts: texts(t, 2)}
		if rapid.Bool().Draw(t, "call") {
			said.Parts = append(said.Parts, callwright.Call{ID: "call_1", Name: "f", Arguments: []byte(`{"a":1}`)})
			shown := texts(t, 2)
			if rapid.Bool().Draw(t, "image") {
				shown = append(shown, callwright.Image{MediaType: "image/png", Data: "aGk="})
			}
			out = append(out, said, callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{
				callwright.Result{CallID: "call_1", Name: "f", Parts: shown, IsError: rapid.Bool().Draw(t, "failed")}}})
			continue
		}
		out = append(out, said)
	}
	return out
}

// What another API is sent is the same whether texts are copied from the client's body or read and written anew.
func TestTextsAreCopied(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := codecs.All()
		from := rapid.SampledFrom(all).Draw(t, "from")
		body, _, err := from.EncodeRequest(&callwright.Request{Messages: conversation(t)}, "m", caps.Caps{})
		if err != nil {
			t.Skip(err)
		}
		if rapid.Bool().Draw(t, "ascii") {
			body = bytes.ReplaceAll(body, []byte("é"), []byte(`\u00e9`))
			body = bytes.ReplaceAll(body, []byte("😀"), []byte(`\ud83d\ude00`))
		}
		if rapid.Bool().Draw(t, "half a pair") {
			body = bytes.ReplaceAll(body, []byte("<b>"), []byte(`\ud83d`))
		}
		c := caps.Caps{ResultImages: rapid.SampledFrom([]caps.Truth{caps.Unknown, caps.Yes}).Draw(t, "result images")}
		c.History.StringContent = rapid.Bool().Draw(t, "string content")
		c.History.NoBlankText = rapid.Bool().Draw(t, "no blank text")
		c.History.OneSystem = rapid.Bool().Draw(t, "one system")
		c.History.SystemRole = rapid.SampledFrom([]caps.SystemRole{"", caps.SystemRoleDeveloper}).Draw(t, "system role")
		for _, to := range all {
			req, err := from.DecodeRequest(body)
			if err != nil {
				t.Fatal(err)
			}
			got, gotNotes, gotErr := to.EncodeRequest(req, "m", c)
			read, err := from.DecodeRequest(slices.Clone(body))
			if err != nil {
				t.Fatal(err)
			}
			messages, err := read.History()
			if err != nil {
				t.Fatal(err)
			}
			if to.Name() != from.Name() {
				read.Messages = messages
			}
			want, wantNotes, wantErr := to.EncodeRequest(read, "m", c)
			if (gotErr == nil) != (wantErr == nil) || gotErr == nil && !jsonx.Equal(got, want) || !cmp.Equal(gotNotes, wantNotes) {
				t.Fatalf("%s to %s, %s\ngot  %s %v %v\nwant %s %v %v", from.Name(), to.Name(), body, got, gotNotes, gotErr, want, wantNotes, wantErr)
			}
		}
	})
}
