package responses_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

const asksCompaction = `{"model":"m","input":[{"role":"user","content":"paint it"},{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},` +
	`{"type":"function_call_output","call_id":"c1","output":"green"},{"type":"compaction_trigger"}],"tools":[{"type":"function","name":"f","parameters":{"type":"object"}}],"stream":true}`

// itemsIn are the output items of a whole answer or of the end of a stream.
func itemsIn(t *testing.T, answer []byte) (list []map[string]any) {
	t.Helper()
	var a struct{ Output []map[string]any }
	if err := json.Unmarshal(answer, &a); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
	return a.Output
}

// An answer to the wish for a compaction is exactly one compaction, whole and streamed, whatever wire the model's answer came over,
// and the conversation that goes on with it has what the model said.
func TestCompaction(t *testing.T) {
	req := decode(t, asksCompaction)
	if req.Params.Choice.Mode != callwright.ChoiceNone {
		t.Errorf("expected no calls to be asked for, got %+v", req.Params.Choice)
	}
	resp := &callwright.Response{ID: "x", Model: "m", Finish: callwright.FinishStop, Parts: []callwright.Part{callwright.Text{Text: "The fence "}, callwright.Text{Text: "is green.\n"}}}
	whole, notes, err := responses.Codec{}.EncodeResponse(req, resp)
	if err != nil || len(notes) != 1 || notes[0].Rule != "response.compacted" {
		t.Errorf("%v, %v", notes, err)
	}
	e := responses.Codec{}.NewStreamEncoder(req)
	stream := e.Encode(nil, callwright.Batch{Events: resp.Events(), More: true})
	if got := wire.LeftOut(e); len(got) != 1 || got[0].Rule != "response.compacted" {
		t.Errorf("notes of the stream: %v", got)
	}
	if d := wiretest.StreamComplaints(callwright.WireResponses, e.ContentType(), stream, false); len(d) > 0 {
		t.Error(d)
	}
	if n := bytes.Count(stream, []byte("event: response.output_item.done")); n != 1 || bytes.Contains(stream, []byte("output_text.delta")) {
		t.Errorf("expected one item and no text, got %s", stream)
	}
	_, ended, _ := bytes.Cut(stream, []byte("event: response.completed\ndata: "))
	var done struct{ Response json.RawMessage }
	if err := json.Unmarshal(bytes.TrimSpace(ended), &done); err != nil {
		t.Fatal(err)
	}
	for _, answer := range [][]byte{whole, done.Response} {
		list := itemsIn(t, answer)
		if len(list) != 1 || list[0]["type"] != "compaction" || list[0]["id"] == "" {
			t.Fatalf("expected one compaction, got %v", list)
		}
		item, _ := json.Marshal(list[0])
		next := decode(t, `{"model":"m","input":[`+string(item)+`,{"role":"user","content":"go on"}]}`)
		for _, c := range codecs.All() {
			sent, _, err := c.EncodeRequest(next, "m", caps.Caps{ServiceParams: caps.Yes})
			if err != nil || !bytes.Contains(sent, []byte("The fence is green.")) || bytes.Contains(sent, []byte(wire.CarrierMark)) || bytes.Contains(sent, []byte("compaction")) {
				t.Errorf("%s: sent %s, %v", c.Name(), sent, err)
			}
		}
	}
}

// A provider that knows compactions gets the wish as it came, and its own compaction goes to the client as it came; others are asked
// for a summary in words, without calls.
func TestCompactionAtTheProvider(t *testing.T) {
	req := decode(t, asksCompaction)
	sent, notes, err := responses.Codec{}.EncodeRequest(req, "m", caps.Caps{ServiceParams: caps.Yes})
	if err != nil || string(sent) != asksCompaction || len(notes) > 0 {
		t.Errorf("sent %s with %v, %v", sent, notes, err)
	}
	for _, c := range codecs.All() {
		sent, _, err := c.EncodeRequest(req, "m", caps.Caps{})
		if err != nil || bytes.Contains(sent, []byte("compaction_trigger")) || !bytes.Contains(sent, []byte("Answer with the summary alone.")) {
			t.Errorf("%s: sent %s, %v", c.Name(), sent, err)
		}
		if c.Name() == callwright.WireResponses && !bytes.Contains(sent, []byte(`"tool_choice":"none"`)) {
			t.Errorf("sent %s", sent)
		}
	}
	const theirs = `{"id":"resp_1","object":"response","model":"m","status":"completed","output":[{"type":"compaction","id":"cmp_1","encrypted_content":"gAAA"}]}`
	resp, err := responses.Codec{}.DecodeResponse([]byte(theirs))
	if err != nil {
		t.Fatal(err)
	}
	if out, notes, _ := (responses.Codec{}).EncodeResponse(req, resp); string(out) != theirs || len(notes) > 0 {
		t.Errorf("got %s with %v", out, notes)
	}
	next := `{"model":"m","input":[{"type":"compaction","id":"cmp_1","encrypted_content":"gAAA"},{"role":"user","content":"go on"}]}`
	if sent, _, err := (responses.Codec{}).EncodeRequest(decode(t, next), "m", caps.Caps{}); err != nil || string(sent) != next {
		t.Errorf("sent %s, %v", sent, err)
	}
}

// A server of the same API that answers the wish with a message: its client gets a compaction, streamed too.
func TestCompactionOfAMessage(t *testing.T) {
	const item = `{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Green.","annotations":[]}]}`
	var stream strings.Builder
	for _, data := range []string{`{"type":"response.created","response":{"id":"resp_1","model":"m","status":"in_progress","output":[]},"sequence_number":0}`,
		`{"type":"response.output_item.added","output_index":0,"item":{"id":"msg_1","type":"message","status":"in_progress","role":"assistant","content":[]},"sequence_number":1}`,
		`{"type":"response.content_part.added","item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]},"sequence_number":2}`,
		`{"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"Green.","sequence_number":3}`,
		`{"type":"response.output_item.done","output_index":0,"item":` + item + `,"sequence_number":4}`,
		`{"type":"response.completed","response":{"id":"resp_1","object":"response","model":"m","status":"completed","output":[` + item + `]},"sequence_number":5}`} {
		kind, _, _ := strings.Cut(data[len(`{"type":"`):], `"`)
		stream.WriteString("event: " + kind + "\ndata: " + data + "\n\n")
	}
	s := wiretest.Decode(responses.Codec{}, strings.NewReader(stream.String()))
	e := responses.Codec{}.NewStreamEncoder(decode(t, asksCompaction))
	var out []byte
	for _, b := range s.Batches {
		out = e.Encode(out, b)
	}
	kinds := []string{}
	for line := range strings.Lines(string(out)) {
		if kind, ok := strings.CutPrefix(line, "event: response."); ok {
			kinds = append(kinds, strings.TrimSpace(kind))
		}
	}
	if want := []string{"created", "output_item.added", "output_item.done", "completed"}; !slices.Equal(kinds, want) || strings.Contains(string(out), "msg_1") {
		t.Errorf("expected %v, got %v in %s", want, kinds, out)
	}
	resp, _ := responses.Codec{}.DecodeResponse([]byte(`{"id":"resp_1","object":"response","model":"m","status":"completed","output":[` + item + `]}`))
	whole, _, _ := responses.Codec{}.EncodeResponse(decode(t, asksCompaction), resp)
	if list := itemsIn(t, whole); len(list) != 1 || list[0]["type"] != "compaction" {
		t.Errorf("expected one compaction, got %s", whole)
	}
}

// There has to be something to be compacted, and the body has to be a request without the wish.
func TestCompactionOfNothing(t *testing.T) {
	c := responses.Codec{}.Compacts()
	for _, body := range []string{`{"model":"m"}`, `{"model":"m","input":null}`, `{"model":"m","input":[]}`, `{"model":"m","input":"a","stream":"x"}`, `{"model":"m","input":[`} {
		if _, err := c.DecodeRequest([]byte(body)); callwright.KindOf(err) != callwright.KindInvalid {
			t.Errorf("%s: expected it to be refused, got %v", body, err)
		}
	}
	if _, err := c.DecodeRequest([]byte(`{"model":"m","input":"a","stream":false}`)); err != nil {
		t.Error(err)
	}
}
