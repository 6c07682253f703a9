package eval_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/simulate"
)

// base is a scenario in which everything can be expected that there is. Each case changes what is expected of it, or what the model says.
const base = `{"scenarios":[{"id":"base","prompt":"Go.","approvals":[{"decision":"yes"}],"limits":{"steps":6},
 "workspace":{"draft":{"a":1}},
 "tools":[{"name":"read","schema":{"type":"object","properties":{"n":{},"m":{}}},"results":[{"when":{"n":1},"data":"one"},{"when":{"n":3},"error":{"code":"NO_THREE","message":"not three"}}]},
  {"name":"drop","approval":"always","schema":{"type":"object","properties":{"n":{}}}}],
 "offline":[{"calls":[{"name":"read","arguments":{"n":1},"until":"one"},{"name":"drop","arguments":{"n":2},"until":"data:null"}]},
  {"calls":[{"name":"state_patch","arguments":{"patch":{"a":2}},"until":"version:2"}]},{"text":"Done."}],
 "expect":%s}]}`

const (
	baseCalls  = `{"name":"read","arguments":{"n":1}},{"name":"drop","arguments":{"n":2}},{"name":"state_patch"}`
	baseExpect = `{"calls":[` + baseCalls + `],"in_order":true,"results":[{"tool":"read","ok":true,"contains":"one"}],"text":{"equals":"done","contains":["DONE"],"excludes":["sorry"]},` +
		`"document":[{"path":"/a","equals":2},{"path":"/b"}],"asked":["drop"],"max_requests":3,"max_steps":3}`
)

// one plays a scenario of a text once.
func one(t *testing.T, text string, change ...func(*eval.Runner)) eval.Result {
	t.Helper()
	list, err := eval.ParseScenarios([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return run(t, eval.Plan{Models: models("openai"), Scenarios: list, Policies: []string{"off"}}, simulate.Mix{}, change...)[0]
}

// A failure of a tool counts by its code, whatever its message tells of others.
func TestCausesByCode(t *testing.T) {
	const scenario = `{"scenarios":[{"id":"codes","prompt":"Go.",
 "tools":[{"name":"read","schema":{"type":"object"},"results":[{"error":{"code":%q,"message":"not UNKNOWN_TOOL, nor INVALID_ARGUMENTS"}}]}],
 "offline":[{"calls":[{"name":"read","arguments":{},"until":"nor INVALID"}]},{"text":"Done."}],"expect":{"others":true}}]}`
	for code, unknown := range map[string]int{"BUSY": 0, "UNKNOWN_TOOL": 1} {
		r := one(t, fmt.Sprintf(scenario, code))
		if r.Calls != 1 || r.UnknownName != unknown || r.SchemaMismatch != 0 {
			t.Errorf("%s: %d calls, %d unknown names, %d mismatches", code, r.Calls, r.UnknownName, r.SchemaMismatch)
		}
	}
}

// Each assertion holds where it should, and fails where it should, with its place and its class.
func TestAssertions(t *testing.T) {
	for _, c := range []struct{ expect, class, at string }{
		{baseExpect, "", ""},
		{`{"others":true}`, "", ""},
		{`{"calls":[{"name":"read"},{"name":"drop","arguments":{"n":2.0},"subset":true},{"name":"state_patch","arguments":{"patch":{}},"subset":true},{"name":"state_get","optional":true}]}`, "", ""},
		{`{"calls":[` + baseCalls + `,{"name":"state_get"}]}`, "missing_call", "/expect/calls/3"},
		{`{"calls":[` + strings.Replace(baseCalls, `"n":1`, `"n":"1"`, 1) + `]}`, "wrong_arguments", "/expect/calls/0"},
		{`{"calls":[` + strings.Replace(baseCalls, `"n":1`, `"n":1,"m":null`, 1) + `]}`, "wrong_arguments", "/expect/calls/0"},
		{`{"calls":[{"name":"read"},{"name":"state_patch"}]}`, "invented_call", "/expect/calls"},
		{`{"calls":[` + baseCalls + `,{"name":"read","arguments":{"n":1}}]}`, "missing_call", "/expect/calls/3"},
		{`{"calls":[{"name":"drop"},{"name":"read"},{"name":"state_patch"}],"in_order":true}`, "wrong_order", "/expect/calls/1"},
		{`{"others":true,"results":[{"tool":"drop","contains":"one"}]}`, "missing_result", "/expect/results/0"},
		{`{"others":true,"results":[{"code":"NO_THREE"}]}`, "missing_result", "/expect/results/0"},
		{`{"others":true,"results":[{"ok":false}]}`, "missing_result", "/expect/results/0"},
		{`{"others":true,"text":{"equals":"Well done."}}`, "wrong_text", "/expect/text/equals"},
		{`{"others":true,"text":{"contains":["Done","more"]}}`, "wrong_text", "/expect/text/contains/1"},
		{`{"others":true,"text":{"excludes":["done"]}}`, "wrong_text", "/expect/text/excludes/0"},
		{`{"others":true,"document":[{"path":"/a","equals":1}]}`, "wrong_document", "/expect/document/0"},
		{`{"others":true,"document":[{"path":"/a"}]}`, "wrong_document", "/expect/document/0"},
		{`{"others":true,"document":[{"path":"/b","equals":1}]}`, "wrong_document", "/expect/document/0"},
		{`{"others":true,"asked":[]}`, "wrong_approvals", "/expect/asked"},
		{`{"others":true,"asked":["drop","drop"]}`, "wrong_approvals", "/expect/asked"},
		{`{"others":true,"stop":"steps"}`, "stop:answered", "/expect/stop"},
		{`{"others":true,"max_requests":2}`, "too_many_requests", "/expect/max_requests"},
		{`{"others":true,"max_steps":2}`, "too_many_requests", "/expect/max_steps"},
	} {
		r := one(t, fmt.Sprintf(base, c.expect))
		if r.Class != c.class || (c.class == "") != (r.Outcome == eval.OK) || c.class != "" && (r.Outcome != eval.Failed || len(r.Checks) == 0 || r.Checks[0].Assertion != c.at) {
			t.Errorf("%s:\n%s %s %s %+v", c.expect, r.Outcome, r.Class, r.Reason, r.Checks)
		}
	}
}

// strict is a runner that compares texts byte for byte.
func strict(r *eval.Runner) { r.Strict = true }

func TestStrictText(t *testing.T) {
	for _, said := range []string{"Done.", "done", ` **Done** `, "“Done.”"} {
		text, err := json.Marshal(said)
		if err != nil {
			t.Fatal(err)
		}
		s := fmt.Sprintf(`{"scenarios":[{"id":"text","prompt":"Go.","offline":[{"text":%s}],"expect":{"text":{"equals":"Done."}}}]}`, text)
		if r := one(t, s); r.Outcome != eval.OK {
			t.Errorf("%s: %s", said, r.Reason)
		}
		if r := one(t, s, strict); (r.Outcome == eval.OK) != (said == "Done.") {
			t.Errorf("%s, strict: %s %s", said, r.Outcome, r.Reason)
		}
	}
}

// What ends a run has a class of its own.
func TestClasses(t *testing.T) {
	const tool = `"tools":[{"name":"read","schema":{"type":"object","properties":{"n":{}}},"results":[{"data":"one"}]}],`
	for _, c := range []struct {
		scenario, outcome, class string
	}{
		{`"offline":[{"text":""}],"expect":{}`, "failed", "no_answer"},
		{tool + `"offline":[{"calls":[{"name":"read","arguments":{"n":1},"until":"nowhere"}]}],"expect":{"others":true}`, "failed", "stop:loop"},
		{tool + `"limits":{"steps":1},"offline":[{"calls":[{"name":"read","arguments":{"n":1},"until":"one"}]},{"text":"A"}],"expect":{"others":true}`, "failed", "stop:steps"},
		{tool + `"offline":[{"calls":[{"name":"read","arguments":{"n":1},"until":"one"}]},{"text":"A"}],"expect":{}`, "failed", "invented_call"},
		{tool + `"offline":[{"calls":[{"name":"read","arguments":{"n":1}}],"times":1},{"calls":[{"name":"read","arguments":{"n":2}}],"times":1},{"text":"A"}],"expect":{"calls":[{"name":"read"}]}`, "failed", "extra_call"},
	} {
		r := one(t, `{"scenarios":[{"id":"end","prompt":"Go.",`+c.scenario+`}]}`)
		if string(r.Outcome) != c.outcome || r.Class != c.class {
			t.Errorf("%s:\n%s %s: %s", c.scenario, r.Outcome, r.Class, r.Reason)
		}
	}
}

// Directives that are missing, others and too many are failures.
func TestDirectives(t *testing.T) {
	for want, class := range map[string]string{
		`[{"type":"open","payload":{"path":"a"}}]`: "", `[]`: "wrong_directives", `[{"type":"open","payload":{"path":"b"}}]`: "wrong_directives",
		`[{"type":"open","payload":{"path":"a"}},{"type":"open","payload":{"path":"a"}}]`: "wrong_directives",
	} {
		r := one(t, `{"scenarios":[{"id":"d","prompt":"Go.","directives":[{"type":"open","schema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}],`+
			`"offline":[{"text":"Opened.","directives":[{"type":"open","payload":{"path":"a"}}]}],"expect":{"text":{"equals":"Opened."},"directives":`+want+`}}]}`)
		if r.Class != class {
			t.Errorf("%s: %s %s %s", want, r.Outcome, r.Class, r.Reason)
		}
	}
}
