package responses_test

import (
	"bytes"
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/reliable"
)

// provider answers every request with the same stream.
type provider []byte

func (p provider) ID() callwright.ModelID { return "lab/tern" }

func (p provider) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	return callwright.Collect(p.Stream(ctx, req))
}

func (p provider) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(p.Batches(ctx, req))
}

func (p provider) Batches(context.Context, *callwright.Request) iter.Seq2[callwright.Batch, error] {
	return wiretest.Decode(responses.Codec{}, bytes.NewReader(p)).AllBatches()
}

// asked streams the provider's answer through a Client to a client of this wire.
func asked(t *testing.T, body string, p provider) string {
	t.Helper()
	req := decode(t, body)
	e := responses.Codec{}.NewStreamEncoder(req)
	var out []byte
	for b, err := range callwright.Batches(t.Context(), reliable.New(p), req) {
		if err != nil {
			t.Fatal(err)
		}
		out = e.Encode(out, b)
	}
	return string(out)
}

// stream is an answer with the items, each added, given in one piece where it has a text of that kind, and done.
func stream(items ...[3]string) provider {
	const head = `"id":"resp_1","object":"response","created_at":1,"model":"tern"`
	out := "data: {\"type\":\"response.created\",\"response\":{" + head + ",\"status\":\"in_progress\",\"output\":[]},\"sequence_number\":0}\n\n"
	var all []string
	for i, item := range items {
		at := `"output_index":` + string(rune('0'+i))
		out += "data: {\"type\":\"response.output_item.added\"," + at + ",\"item\":" + item[0] + "}\n\n"
		if item[1] != "" {
			out += "data: {\"type\":\"response." + item[1] + "\"," + at + "}\n\n"
		}
		out += "data: {\"type\":\"response.output_item.done\"," + at + ",\"item\":" + item[2] + "}\n\n"
		all = append(all, item[2])
	}
	return provider(out + "data: {\"type\":\"response.completed\",\"response\":{" + head + ",\"status\":\"completed\",\"output\":[" + strings.Join(all, ",") + "]}}\n\n")
}

// TestToolsOfAllKindsPass takes calls of a provider of this wire to a client of this wire: every byte stays.
func TestToolsOfAllKindsPass(t *testing.T) {
	p := stream(
		[3]string{`{"id":"fc_1","type":"function_call","call_id":"a","name":"send","namespace":"mail","arguments":""}`, `function_call_arguments.delta","delta":"{ }`,
			`{"id":"fc_1","type":"function_call","call_id":"a","name":"send","namespace":"mail","arguments":"{ }"}`},
		[3]string{`{"id":"c_1","type":"custom_tool_call","call_id":"b","name":"raw","namespace":"mail","input":""}`, `custom_tool_call_input.delta","delta":"x`,
			`{"id":"c_1","type":"custom_tool_call","call_id":"b","name":"raw","namespace":"mail","input":"x"}`},
		[3]string{`{"id":"l_1","type":"local_shell_call","call_id":"c","action":{"type":"exec","command":["ls"],"env":{}}}`, ``,
			`{"id":"l_1","type":"local_shell_call","call_id":"c","action":{"type":"exec","command":["ls"],"env":{}}}`},
	)
	if got := asked(t, spaced, p); got != string(p) {
		t.Errorf("expected the provider's bytes\n%s\ngot\n%s", p, got)
	}
}

// TestWrapperOfParallelCalls expands the call that some models put around several.
func TestWrapperOfParallelCalls(t *testing.T) {
	const head, args = `{"id":"fc_1","type":"function_call","call_id":"a","name":"multi_tool_use.parallel","arguments":"`,
		`{\"tool_uses\":[{\"recipient_name\":\"functions.look\",\"parameters\":{\"n\":1}},{\"recipient_name\":\"functions.mail__send\",\"parameters\":{}}]}`
	got := asked(t, spaced, stream([3]string{head + `"}`, `function_call_arguments.delta","delta":"` + args, head + args + `"}`}))
	coherent(t, []byte(got))
	if strings.Contains(got, "tool_uses") || !strings.Contains(got, `"name":"look","arguments":"{\"n\":1}"`) || !strings.Contains(got, `"name":"send","namespace":"mail","arguments":"{}"`) {
		t.Errorf("expected two calls by the client's names, got\n%s", got)
	}
}

// TestCallThatIsMended writes a call anew that had to be changed, and the whole answer with it.
func TestCallThatIsMended(t *testing.T) {
	const body = `{"model":"tern","input":"x","tools":[{"type":"function","name":"look","parameters":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}]}`
	const head = `{"id":"fc_1","type":"function_call","call_id":"a","name":"look","arguments":"`
	got := asked(t, body, stream([3]string{head + `"}`, `function_call_arguments.delta","delta":"{\"n\":\"7\"}`, head + `{\"n\":\"7\"}"}`}))
	coherent(t, []byte(got))
	if strings.Contains(got, `\"7\"`) || strings.Count(got, `{\"n\":7}`) != 4 {
		t.Errorf("expected the mended arguments in a piece, both ends and the whole answer, got\n%s", got)
	}
}

// TestTextThatWasACall leaves no empty message where all of a message's text turned out to be a call.
func TestTextThatWasACall(t *testing.T) {
	const body = `{"model":"tern","input":"x","tools":[{"type":"function","name":"look","parameters":{"type":"object"}}]}`
	const said = `<tool_call>\n{\"name\": \"look\", \"arguments\": {}}\n</tool_call>`
	const open = `{"id":"msg_1","type":"message","status":"in_progress","role":"assistant","content":[]}`
	got := asked(t, body, stream([3]string{open, `output_text.delta","delta":"` + said, `{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"output_text","text":"` + said + `"}]}`}))
	coherent(t, []byte(got))
	if strings.Contains(got, "msg_") || strings.Contains(got, "tool_call>") || !strings.Contains(got, `"name":"look"`) {
		t.Errorf("expected a call and no message, got\n%s", got)
	}
}

// A refusal of OpenAI's other API is a part of its own, and the answer is complete.
func TestStreamedRefusal(t *testing.T) {
	whole := &callwright.Response{Finish: callwright.FinishContentFilter, Parts: []callwright.Part{callwright.Text{Text: "a"},
		callwright.Text{Text: "No", Extra: callwright.Extra{Wire: callwright.WireOpenAI, JSON: []byte(`{"type":"refusal"}`)}}}}
	e := responses.Codec{}.NewStreamEncoder(&callwright.Request{Model: "m"})
	out := e.Encode(nil, callwright.Batch{Events: whole.Events(), More: true})
	for _, want := range []string{`"type":"response.refusal.delta"`, `"type":"response.completed"`, `{"type":"refusal","refusal":"No"}]}],`, `"text":"a"`} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("expected %s in %s", want, out)
		}
	}
}
