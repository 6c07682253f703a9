package ollama_test

import (
	"bytes"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/ollama"
	"github.com/callwright/callwright/sse"
)

// A request for a completion is the chat of its instructions, its context and its prompt, with all other members as they came.
func TestCompletionIsAChat(t *testing.T) {
	for body, want := range map[string]string{
		`{"model":"m","prompt":"a \"b\" é","options":{"seed":1e2},"odd": [1] }`: `{"model":"m","options":{"seed":1e2},"odd":[1],"messages":[{"role":"user","content":"a \"b\" é"}]}`,
		`{"model":"m","system":"s","prompt":"p","images":["QUJD"]}`:             `{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"p","images":["QUJD"]}]}`,
		`{"model":"m","images":["QUJD"],"stream":false}`:                        `{"model":"m","stream":false,"messages":[{"role":"user","content":"","images":["QUJD"]}]}`,
	} {
		req, err := ollama.Codec{}.Completes().DecodeRequest([]byte(body))
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		raw, ok := companion.Of(req).Body.(interface{ Bytes() []byte })
		if !ok || string(raw.Bytes()) != want {
			t.Errorf("%s:\ngot  %s\nwant %s", body, raw.Bytes(), want)
		}
	}
}

// FuzzCompletion: no request panics, and one that is read gives an answer that is one JSON object, from whose context the next goes on.
func FuzzCompletion(f *testing.F) {
	for _, seed := range []string{
		`{"model":"m","prompt":"p"}`, `{"model":"m","prompt":"p","context":[1668772401,0]}`, `{"model":"m","prompt":"p","context":[1668772401,3,8092539]}`,
		`{"prompt":"p","context":[1,2,3],"template":"t","raw":true,"suffix":"x"}`, `{"model":1,"messages":[],"tools":[]}`, `{`, `[]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		codec := ollama.Codec{}.Completes()
		ollama.Codec{}.NeedsSameAPI(body)
		req, err := codec.DecodeRequest(body)
		if err != nil {
			return
		}
		out, _, err := codec.EncodeResponse(req, &callwright.Response{Model: "m", Parts: []callwright.Part{callwright.Text{Text: "said"}}, Finish: callwright.FinishStop})
		if err != nil || !jsonx.ValidObject(out) {
			t.Fatalf("%v: %s", err, out)
		}
		context, _ := jsonx.Find(out, "context")
		next, err := codec.DecodeRequest([]byte(`{"model":"m","prompt":"go on","context":` + string(context) + `}`))
		if err != nil {
			t.Fatalf("the context of an answer is refused: %v: %s", err, context)
		}
		if raw := companion.Of(next).Body.(interface{ Bytes() []byte }).Bytes(); len(body) < 1000 && !bytes.Contains(raw, []byte(`"content":"said"`)) {
			t.Fatalf("the context of an answer was lost: %s", raw)
		}
	})
}

// A completion has neither the message of a chat nor its images: whole and streamed, of a whole answer over the same wire. What is left
// out is noted, and no member stands twice.
func TestCompletionOfAChat(t *testing.T) {
	codec := ollama.Codec{}.Completes()
	resp, err := ollama.Codec{}.DecodeResponse([]byte(`{"model":"m","created_at":"2026-01-01T00:00:00Z","x":1,"done":true,"done_reason":"stop",` +
		`"message":{"role":"assistant","y":1,"content":"Hi","images":["iVBORw0KGgo="]}}`))
	if err != nil {
		t.Fatal(err)
	}
	resp.Raw = nil
	whole, notes, err := codec.EncodeResponse(nil, resp)
	if err != nil {
		t.Fatal(err)
	}
	e := codec.NewStreamEncoder(&callwright.Request{Model: "m"})
	stream := e.Encode(nil, callwright.Batch{Events: resp.Events(), More: true})
	lines := bytes.Split(bytes.TrimSpace(stream), []byte("\n"))
	for form, c := range map[string]struct {
		last  []byte
		notes []callwright.Note
	}{"whole": {whole, notes}, "streamed": {lines[len(lines)-1], wire.LeftOut(e)}} {
		names := map[string]int{}
		for k := range jsonx.Members(c.last) {
			names[k.String()]++
		}
		if names["created_at"] != 1 || names["x"] != 1 || names["message"] != 0 {
			t.Errorf("%s: got %s", form, c.last)
		}
		if len(c.notes) != 1 || c.notes[0].Rule != "response.image" {
			t.Errorf("%s: expected a note on the image, got %v", form, c.notes)
		}
	}
}

// What lines of a chat have beside their message reaches the client of a streamed completion, line by line.
func TestStreamedCompletionHasMembersOfLines(t *testing.T) {
	d, e := ollama.Codec{}.NewStreamDecoder(), ollama.Codec{}.Completes().NewStreamEncoder(&callwright.Request{Model: "m"})
	var out []byte
	for _, line := range []string{
		`{"model":"m","message":{"role":"assistant","content":"a","y":1},"logprobs":[{"token":"a"}],"done":false}`,
		`{"model":"m","message":{"role":"assistant","content":""},"logprobs":[{"token":"b"}],"done":true}`,
	} {
		b, err := d.Feed(sse.Event{Data: []byte(line), Raw: []byte(line + "\n")})
		if err != nil {
			t.Fatal(err)
		}
		out = e.Encode(out, b)
	}
	last, err := d.Close()
	if err != nil {
		t.Fatal(err)
	}
	out = e.Encode(out, last)
	for _, token := range []string{`"logprobs":[{"token":"a"}]`, `"logprobs":[{"token":"b"}]`} {
		if bytes.Count(out, []byte(token)) != 1 {
			t.Errorf("expected %s once, got %s", token, out)
		}
	}
	if notes := wire.LeftOut(e); len(notes) > 0 || bytes.Contains(out, []byte(`"message"`)) {
		t.Errorf("%v, %s", notes, out)
	}
}
