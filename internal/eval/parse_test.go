package eval_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/simulate"
)

// The example of a file of one's own is read, selected without a name, and holds offline.
func TestExampleFile(t *testing.T) {
	text, err := os.ReadFile("testdata/example.json")
	if err != nil {
		t.Fatal(err)
	}
	own, err := eval.ParseScenarios(text)
	if err != nil {
		t.Fatal(err)
	}
	list, err := eval.SelectScenarios(nil, own)
	if err != nil || len(list) != 1 || list[0].ID != "rename_and_report" {
		t.Fatal(list, err)
	}
	for _, r := range run(t, eval.Plan{Models: models(wires...), Scenarios: list}, simulate.Mix{}) {
		if r.Outcome != eval.OK {
			t.Errorf("%s: %s %s", r.ID, r.Class, r.Reason)
		}
	}
	s, err := schema.Compile(eval.ScenarioSchema())
	if err != nil {
		t.Fatal(err)
	}
	if broken := s.Validate(text); len(broken) > 0 {
		t.Error(broken)
	}
}

// What is wrong with a file is told with its place.
func TestParseErrors(t *testing.T) {
	const ok = `"id":"a","prompt":"Go.","expect":{}`
	for text, want := range map[string]string{
		`{"scenarios":[{` + ok + `}`:                                                                                                  "",
		`{"scenarios":[{` + ok + `,"promt":"x"}]}`:                                                                                    "/scenarios/0/promt",
		`{"scenarios":[{` + ok + `,"id":"b"}]}`:                                                                                       "/scenarios/0/id",
		`{"scenarios":[{` + ok + `},{` + ok + `}]}`:                                                                                   "/scenarios/1/id",
		`{"scenarios":[{"id":"a","prompt":1,"expect":{}}]}`:                                                                           "/scenarios/0/prompt",
		`{"scenarios":[{"id":"a","prompt":" ","expect":{}}]}`:                                                                         "/scenarios/0/prompt",
		`{"scenarios":[{"id":"A b","prompt":"x","expect":{}}]}`:                                                                       "/scenarios/0/id",
		`{"scenarios":[{"id":"smoke","prompt":"x","expect":{}}]}`:                                                                     "/scenarios/0/id",
		`{"scenarios":[{` + ok + `,"tools":[{"name":"a b"}]}]}`:                                                                       "/scenarios/0/tools/0",
		`{"scenarios":[{` + ok + `,"tools":[{"name":"t"},{"name":"t"}]}]}`:                                                            "/scenarios/0/tools/1/name",
		`{"scenarios":[{` + ok + `,"tools":[{"name":"t","schema":{"type":"nonsense"}}]}]}`:                                            "/scenarios/0/tools/0",
		`{"scenarios":[{` + ok + `,"tools":[{"name":"t","schema":{"$ref":"file:///etc/passwd"}}]}]}`:                                  "/scenarios/0/tools/0/schema/$ref",
		`{"scenarios":[{` + ok + `,"tools":[{"name":"t","schema":{"type":"object","properties":{"a/b":{"$ref":"#/$defs/x"}}}}]}]}`:    "/scenarios/0/tools/0/schema/properties/a~1b/$ref",
		`{"scenarios":[{` + ok + `,"directives":[{"type":"a","schema":{"type":"array","items":{"$ref":"https://example.com/b"}}}]}]}`: "/scenarios/0/directives/0/schema/items/$ref",
		`{"scenarios":[{` + ok + `,"tools":[{"name":"t","results":[{"when":1}]}]}]}`:                                                  "/scenarios/0/tools/0/results/0/when",
		`{"scenarios":[{` + ok + `,"tools":[{"name":"t","results":[{"error":{"code":"","message":""}}]}]}]}`:                          "/scenarios/0/tools/0/results/0/error",
		`{"scenarios":[{` + ok + `,"tool_choice":"nobody"}]}`:                                                                         "/scenarios/0/tool_choice",
		`{"scenarios":[{` + ok + `,"history":[{"role":"nobody"}]}]}`:                                                                  "/scenarios/0/history",
		`{"scenarios":[{` + ok + `,"workspace":{"draft":{},"locks":["x"]}}]}`:                                                         "/scenarios/0/workspace",
		`{"scenarios":[{` + ok + `,"directives":[{"type":"a b","schema":{}}]}]}`:                                                      "/scenarios/0/directives",
		`{"scenarios":[{` + ok + `,"approvals":[{"decision":"perhaps"}]}]}`:                                                           "/scenarios/0/approvals/0/decision",
		`{"scenarios":[{` + ok + `,"tool_failure_policy":"kind"}]}`:                                                                   "/scenarios/0/tool_failure_policy",
		`{"scenarios":[{` + ok + `,"offline":[{"text":"x","fault":"nonsense"}]}]}`:                                                    "/scenarios/0/offline/0/fault",
		`{"scenarios":[{` + ok + `,"offline":[{"text":"x"},{"text":"y"}]}]}`:                                                          "/scenarios/0/offline/0",
		`{"scenarios":[{` + ok + `,"offline":[{"text":"x","directives":[{"type":"a","payload":1}]}]}]}`:                               "/scenarios/0/offline/0/directives",
		`{"scenarios":[{"id":"a","prompt":"x","expect":{"calls":[{"name":"none"}]}}]}`:                                                "/scenarios/0/expect/calls/0/name",
		`{"scenarios":[{"id":"a","prompt":"x","expect":{"document":[{"path":""}]}}]}`:                                                 "/scenarios/0/expect/document",
		`{"scenarios":[{"id":"a","prompt":"x","workspace":{"draft":1},"expect":{"document":[{"path":"a"}]}}]}`:                        "/scenarios/0/expect/document/0/path",
		`{"scenarios":[{"id":"a","prompt":"x","expect":{"errors":["nonsense"]}}]}`:                                                    "/scenarios/0/expect/errors/0",
		`{"scenarios":[{"id":"a","prompt":"x","tools":[{"name":"t"}],"expect":{"calls":[{"name":"t","arguments":1}]}}]}`:              "/scenarios/0/expect/calls/0/arguments",
		`{"scenarios":[]}`: "/scenarios",
		`{}`:               "", `[]`: "", ``: "",
	} {
		_, err := eval.ParseScenarios([]byte(text))
		if e, ok := errors.AsType[*callwright.Error](err); !ok || e.Kind != callwright.KindInvalid || e.Path != want {
			t.Errorf("%s:\nexpected an error at %q, got %v", text, want, err)
		}
	}
}

// In a file of several lines the line is told, too.
func TestParseErrorLines(t *testing.T) {
	text := "{\n  \"scenarios\": [\n    {\"id\": \"a\", \"prompt\": \"Go.\", \"expect\": {}},\n    {\"id\": \"b\", \"prompt\": \"Go.\", \"expect\": {},\n" +
		"      \"tools\": [{\"name\": \"t\",\n        \"schema\": {\"$ref\": \"file:///etc/passwd\"}}]\n    }\n  ]\n}"
	_, err := eval.ParseScenarios([]byte(text))
	const want = `eval.scenarios: /scenarios/1/tools/0/schema/$ref: line 6: scenario "b": $ref: the reference leads out of the schema, and other schemas are not fetched; the target must be in the schema, such as in $defs`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// FuzzParseScenarios: no file makes the reader fail otherwise than with an error, and what it takes can be planned and played.
func FuzzParseScenarios(f *testing.F) {
	if text, err := os.ReadFile("testdata/example.json"); err == nil {
		f.Add(string(text))
	}
	f.Add(`{"scenarios":[{"id":"a","prompt":"Go.","offline":[{"text":"x","times":1},{"text":"y"}],"expect":{"text":{"equals":"y"}}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		list, err := eval.ParseScenarios([]byte(text))
		if err != nil {
			return
		}
		for i := range list {
			list[i].Script()(simulate.Seen{History: []simulate.Message{{Role: "user", Text: list[i].Prompt}}})
		}
		p := eval.Plan{Scenarios: list}
		if cells := p.Cells(); len(cells) != len(list) {
			t.Errorf("%d cells of %d scenarios", len(cells), len(list))
		}
	})
}

func TestSelectScenarios(t *testing.T) {
	own := []eval.Scenario{{ID: "mine", Prompt: "x"}, {ID: "chat_only", Prompt: "another one"}}
	all, smoke := len(eval.BuiltIn()), "happy_path missing_workspace_id type_error_recovery long_arguments_guard chat_only"
	for _, c := range []struct {
		names string
		own   []eval.Scenario
		want  string
		count int
	}{
		{"", nil, smoke, 5}, {"default", nil, smoke, 5}, {"smoke", own, smoke, 5}, {"", own, "chat_only mine", 2}, {"all", own, "", all + 1}, {"full", own, "", all},
		{"mine,default,approval", own, smoke + " approval mine", 7}, {"chat", nil, "chat_only directives", 2}, {"tool,mine", own, "", all - 1},
		{" approval ,approval", nil, "approval", 1},
	} {
		var names []string
		if c.names != "" {
			names = strings.Split(c.names, ",")
		}
		got, err := eval.SelectScenarios(names, c.own)
		var ids []string
		for _, s := range got {
			ids = append(ids, s.ID)
			if s.ID == "chat_only" && (s.Prompt == "another one") != (c.own != nil) {
				t.Errorf("%q: the wrong chat_only", c.names)
			}
		}
		if err != nil || len(ids) != c.count || c.want != "" && strings.Join(ids, " ") != c.want {
			t.Errorf("%q: got %v, %v", c.names, ids, err)
		}
	}
	for name, want := range map[string]string{"hapy_path": "happy_path", "smok": "smoke", "qqq": "there are default, all, smoke"} {
		if _, err := eval.SelectScenarios([]string{name}, nil); callwright.KindOf(err) != callwright.KindNotFound || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
