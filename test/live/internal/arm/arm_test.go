package arm_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/callwright/callwright/test/live/internal/answer"
	"github.com/callwright/callwright/test/live/internal/arm"
	"github.com/callwright/callwright/test/live/internal/question"
)

const addQuestion = `{"id": "a", "category": "simple", "question": "Add 1.", "expect": "calls", "ground_truth": [{"add": {"n": [1]}}],
	"tools": [{"type": "function", "function": {"name": "add", "description": "Adds.", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}}]}`

// said is an answer of a server that says a text.
func said(text string) *answer.Answer {
	body, _ := json.Marshal(map[string]any{"id": "1", "object": "chat.completion", "model": "m", "choices": []any{map[string]any{"index": 0, "finish_reason": "stop",
		"message": map[string]string{"role": "assistant", "content": text}}}, "usage": map[string]int{"prompt_tokens": 10, "completion_tokens": 5}})
	return &answer.Answer{Key: "0123456789ab", Path: "/v1/chat/completions", Status: http.StatusOK, Type: "application/json", Body: string(body), Seconds: 1}
}

// Every client gets the call out of a text, whole and streamed; directly and with the policy off there is none.
func TestAsk(t *testing.T) {
	var q question.Question
	if err := json.Unmarshal([]byte(addQuestion), &q); err != nil {
		t.Fatal(err)
	}
	const call = "<tool_call>{\"name\": \"add\", \"arguments\": {\"n\": 1}}</tool_call>"
	for _, c := range []struct {
		arms string
		want question.Verdict
	}{{"clients,streams,text,native", question.Right}, {"direct,direct/stream,off,off/stream", question.Missing}} {
		specs, err := arm.List(c.arms)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range specs {
			got := ask(t, spec, &q, said(call))
			if got.Verdict != c.want || got.Input != 10 || got.Output != 5 || got.Seconds != 1 || len(got.Answers) != 1 || got.Unread != (c.want == question.Missing) {
				t.Errorf("%s: %+v", spec, got)
			}
		}
	}
}

// A trial that sends more requests than were recorded is not taken for a failure of the reader, nor for a right one.
func TestUnrecorded(t *testing.T) {
	var q question.Question
	if err := json.Unmarshal([]byte(addQuestion), &q); err != nil {
		t.Fatal(err)
	}
	spec, err := arm.Parse("native")
	if err != nil {
		t.Fatal(err)
	}
	const broken = "<tool_call>{\"name\": \"add\", \"arguments\": {\"m\": \"x\"}}</tool_call>"
	if got := ask(t, spec, &q, said(broken)); got.Verdict != arm.Unrecorded || got.Invalid == 0 {
		t.Errorf("one broken call: %+v", got)
	}
	if got := ask(t, spec, &q, said(broken), said("<tool_call>{\"name\": \"add\", \"arguments\": {\"n\": 1}}</tool_call>")); got.Verdict != question.Right || len(got.Answers) != 2 {
		t.Errorf("a broken call and a right one: %+v", got)
	}
}

// ask plays answers to an arm.
func ask(t *testing.T, spec arm.Spec, q *question.Question, answers ...*answer.Answer) arm.Trial {
	t.Helper()
	for i, a := range answers {
		a.Key = fmt.Sprintf("%s%d", a.Key, i)
	}
	a, err := arm.Open(t.Context(), spec, arm.Server{Model: "any", URL: "http://127.0.0.1:1", Tap: &answer.Player{Answers: answers}, Pinned: true})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	return a.Ask(t.Context(), q)
}
