package ollama_test

import (
	"bytes"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire/ollama"
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
		raw, ok := req.Body.(interface{ Bytes() []byte })
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
		ollama.Codec{}.Templated(body)
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
		if raw := next.Body.(interface{ Bytes() []byte }).Bytes(); len(body) < 1000 && !bytes.Contains(raw, []byte(`"content":"said"`)) {
			t.Fatalf("the context of an answer was lost: %s", raw)
		}
	})
}
