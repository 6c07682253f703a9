package gemini_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
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
