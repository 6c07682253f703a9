package responses_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/responses"
)

// required are the members that the published schema of a response requires, with the kinds of values that it and OpenAI's allow:
// https://github.com/openresponses/openresponses/blob/main/schema/components/schemas/ResponseResource.json
var required = map[string][]jsonx.Kind{
	"id": {jsonx.Text}, "object": {jsonx.Text}, "created_at": {jsonx.Number}, "completed_at": {jsonx.Number, jsonx.Null}, "status": {jsonx.Text},
	"incomplete_details": {jsonx.Object, jsonx.Null}, "model": {jsonx.Text}, "previous_response_id": {jsonx.Text, jsonx.Null}, "instructions": {jsonx.Text, jsonx.Null},
	"output": {jsonx.Array}, "error": {jsonx.Object, jsonx.Null}, "tools": {jsonx.Array}, "tool_choice": {jsonx.Text, jsonx.Object}, "truncation": {jsonx.Text},
	"parallel_tool_calls": {jsonx.Bool}, "text": {jsonx.Object}, "top_p": {jsonx.Number}, "presence_penalty": {jsonx.Number}, "frequency_penalty": {jsonx.Number},
	"top_logprobs": {jsonx.Number}, "temperature": {jsonx.Number}, "reasoning": {jsonx.Object, jsonx.Null}, "user": {jsonx.Text, jsonx.Null},
	"usage": {jsonx.Object, jsonx.Null}, "max_output_tokens": {jsonx.Number, jsonx.Null}, "max_tool_calls": {jsonx.Number, jsonx.Null}, "store": {jsonx.Bool},
	"background": {jsonx.Bool}, "service_tier": {jsonx.Text}, "metadata": {jsonx.Object}, "safety_identifier": {jsonx.Text, jsonx.Null}, "prompt_cache_key": {jsonx.Text, jsonx.Null},
}

// checkRequired holds a response object against the schema.
func checkRequired(t *testing.T, object []byte) {
	t.Helper()
	for name, kinds := range required {
		v, has := jsonx.Find(object, name)
		if !has {
			t.Errorf("%s is missing in %s", name, object)
			continue
		}
		if !strings.Contains(kindsOf(kinds), jsonx.KindOf(v).String()) {
			t.Errorf("%s is %s: want %s", name, v, kindsOf(kinds))
		}
	}
	for _, inside := range [][2]string{{"text", "format"}, {"reasoning", "effort"}, {"reasoning", "summary"}} {
		if v, _ := jsonx.Find(object, inside[0]); jsonx.KindOf(v) == jsonx.Object {
			if _, has := jsonx.Find(v, inside[1]); !has {
				t.Errorf("%s lacks %s", v, inside[1])
			}
		}
	}
	status, _ := jsonx.Find(object, "status")
	done, _ := jsonx.Find(object, "completed_at")
	if (string(status) == `"completed"`) != (jsonx.KindOf(done) == jsonx.Number) {
		t.Errorf("status %s, completed_at %s", status, done)
	}
}

func kindsOf(kinds []jsonx.Kind) string {
	var out []string
	for _, k := range kinds {
		out = append(out, k.String())
	}
	return strings.Join(out, " or ")
}

// Every response object of an answer of another API has the members that the schema requires: whole, in each event of a stream, and
// whatever the request says of them.
func TestRequiredMembers(t *testing.T) {
	usage := callwright.Usage{Known: true, Input: 3, Output: 4}
	for _, body := range []string{
		`{"model":"m","input":"hi"}`,
		`{"model":"m","input":"hi","text":{"verbosity":"low"},"reasoning":{"effort":"low"},"temperature":null,"top_p":0.5,"metadata":null,"service_tier":"auto","user":"u","store":false}`,
	} {
		req := decode(t, body)
		for _, finish := range []callwright.Finish{callwright.FinishStop, callwright.FinishLength, callwright.FinishCalls, callwright.FinishContentFilter} {
			parts := []callwright.Part{callwright.Text{Text: "Hello"}, callwright.Call{ID: "c", Name: "f", Arguments: []byte(`{}`)}}
			whole, _, err := responses.Codec{}.EncodeResponse(req, &callwright.Response{Model: "m", Parts: parts, Finish: finish, Usage: usage})
			if err != nil {
				t.Fatal(err)
			}
			checkRequired(t, whole)
			objects := 0
			e := responses.Codec{}.NewStreamEncoder(req)
			out := e.Encode(nil, callwright.Batch{Events: []callwright.Event{callwright.Begin{Model: "m"}, callwright.TextDelta{Text: "Hello"},
				callwright.UsageDelta{Usage: usage}, callwright.End{Finish: finish}}})
			for line := range strings.Lines(string(out)) {
				data, ok := strings.CutPrefix(line, "data: ")
				if object, has := jsonx.Find([]byte(data), "response"); ok && has {
					objects++
					checkRequired(t, object)
				}
			}
			if objects != 3 { // created, in_progress, and the end
				t.Errorf("%d objects in %s", objects, out)
			}
		}
	}
}
