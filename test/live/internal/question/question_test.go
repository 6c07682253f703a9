package question_test

import (
	"encoding/json"
	"testing"

	"github.com/callwright/callwright/internal/bfcl"
	"github.com/callwright/callwright/test/live/internal/question"
)

// Every category has questions; ids are unique; the history of a question has a result for its calls, and accepted calls are right.
func TestQuestions(t *testing.T) {
	all, err := question.Read("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	ids, counts := map[string]bool{}, map[string]int{}
	for _, q := range all {
		if ids[q.ID] {
			t.Errorf("%s stands twice", q.ID)
		}
		ids[q.ID] = true
		counts[q.Category]++
		calls := 0
		for _, m := range q.Messages {
			switch m.Role {
			case "assistant":
				calls = len(m.Calls)
			case "tool":
				if m.Call < 0 || m.Call >= calls {
					t.Errorf("%s: a result of call %d of %d", q.ID, m.Call, calls)
				}
			case "user":
			default:
				t.Errorf("%s: role %q", q.ID, m.Role)
			}
		}
		if q.Category == "turns" && (calls == 0 || (q.Expect == "answer") != (len(q.Answer) > 0) || (q.Expect == "calls") != (len(q.Truth) > 0)) {
			t.Errorf("%s: %d calls, expects %s with %d answers and %d calls", q.ID, calls, q.Expect, len(q.Answer), len(q.Truth))
		}
	}
	for _, c := range question.Categories {
		if counts[c] < 40 {
			t.Errorf("%d questions of %s", counts[c], c)
		}
	}
	if n := len(question.Sample(all, 10)); n != 10*len(question.Categories) {
		t.Errorf("a sample of 10 has %d", n)
	}
	if n := len(question.Sample(all, 0)); n != len(all) {
		t.Errorf("a sample of all has %d of %d", n, len(all))
	}
}

// An answer is judged by its calls and by its text.
func TestJudge(t *testing.T) {
	const tools = `"tools": [{"type": "function", "function": {"name": "add", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}}]`
	calls := `{"id": "a", "expect": "calls", "ground_truth": [{"add": {"n": [1]}}], ` + tools + `}`
	none := `{"id": "b", "expect": "none", ` + tools + `}`
	said := `{"id": "c", "expect": "answer", "answer": [["12", "twelve"], ["Rain"]], ` + tools + `}`
	call := func(args string) []bfcl.Call { return []bfcl.Call{{Name: "add", Arguments: json.RawMessage(args)}} }
	for _, c := range []struct {
		question string
		calls    []bfcl.Call
		text     string
		want     question.Verdict
	}{
		{calls, call(`{"n": 1}`), "", question.Right},
		{calls, call(`{"n": 2}`), "", question.Wrong},
		{calls, call(`{"n": 1`), "", question.Broken},
		{calls, call(`null`), "", question.Broken},
		{calls, call(``), "", question.Broken},
		{calls, nil, "add", question.Missing},
		{none, nil, "anything", question.Right},
		{none, call(`{"n": 1}`), "", question.Called},
		{said, nil, "Twelve degrees, and rain.", question.Right},
		{said, nil, "Twelve degrees.", question.Unsaid},
		{said, call(`{"n": 1}`), "12 rain", question.Called},
	} {
		var q question.Question
		if err := json.Unmarshal([]byte(c.question), &q); err != nil {
			t.Fatal(err)
		}
		if got := q.Judge(c.calls, c.text); got != c.want {
			t.Errorf("%s with %s and %q: %s, expected %s", q.ID, c.calls, c.text, got, c.want)
		}
	}
}
