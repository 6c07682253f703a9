package gemini_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire/gemini"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// A part of an answer that is to hold a file, and holds neither its bytes nor its place, comes out as it came: whole and streamed.
func TestMediaWithoutContentStays(t *testing.T) {
	for _, part := range []string{`{"inlineData":{}}`, `{"inlineData":{"mimeType":"image/png","data":""}}`, `{"fileData":{"mimeType":"image/png"}}`, `{"inlineData":5,"x":1}`} {
		body := `{"candidates":[{"content":{"role":"model","parts":[{"text":"a"},` + part + `]},"finishReason":"STOP","index":0}],"modelVersion":"m"}`
		resp, err := gemini.Codec{}.DecodeResponse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		resp.Raw = nil
		whole, notes, err := gemini.Codec{}.EncodeResponse(&callwright.Request{}, resp)
		if err != nil || len(notes) > 0 || !strings.Contains(string(whole), part) {
			t.Errorf("expected %s, got %s, notes %v, error %v", part, whole, notes, err)
		}
		e := gemini.Codec{}.NewStreamEncoder(&callwright.Request{Model: "m"})
		events := wiretest.Decode(gemini.Codec{}, strings.NewReader("data: "+body+"\n\n")).Events
		streamed := e.Encode(nil, callwright.Batch{Events: events, More: true})
		if !strings.Contains(string(streamed), part) {
			t.Errorf("expected %s in the stream, got %s", part, streamed)
		}
	}
}

// TestURLsOfAChangedMessage: a file of a request over this API keeps its URL in a message that is encoded anew, whichever host it is on.
func TestURLsOfAChangedMessage(t *testing.T) {
	for _, part := range []string{`{"fileData":{"mimeType":"image/png","fileUri":"https://x.test/a.png"}}`, `{"fileData":{"fileUri":"https://x.test/a.pdf"}}`,
		`{"fileData":{"mimeType":"application/pdf","fileUri":"https://x.test/a.pdf","displayName":"a"}}`, `{"fileData":{"mimeType":"image/png","fileUri":"files/a"},"videoMetadata":{"fps":1}}`} {
		req := decoded(t, `{"contents":[{"role":"user","parts":[`+part+`]}]}`)
		history, err := req.History()
		if err != nil {
			t.Fatal(err)
		}
		m := history[0]
		m.Parts = append(slices.Clone(m.Parts), callwright.Text{Text: "more"})
		req.Messages = []callwright.Message{m}
		out, notes := encoded(t, req, caps.Caps{})
		if want := `{"contents":[{"role":"user","parts":[` + part + `,{"text":"more"}]}]}`; out != want || len(notes) > 0 {
			t.Errorf("expected %s\ngot %s\nnotes %v", want, out, notes)
		}
	}
}
