package claim_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/claim"
)

// coder are the tools of an agent that works on files.
var coder = []callwright.Tool{
	{Name: "read_file", Description: "Reads a file."},
	{Name: "write_file", Description: "Writes a file."},
	{Name: "run_tests", Description: "Runs the tests."},
	{Name: "send_email", Description: "Sends an email."},
}

// shop are tools about orders.
var shop = []callwright.Tool{{Name: "get_order", Description: "Returns the state of an order."}, {Name: "cancel_order", Description: "Cancels an order."}}

// talk makes a conversation of lines: "user: text", "call: name arguments", "result: text", "error: text" and
// "assistant: text".
func talk(lines ...string) (out []callwright.Message) {
	id := 0
	for _, line := range lines {
		kind, text, _ := strings.Cut(line, ": ")
		switch kind {
		case "user":
			out = append(out, callwright.UserText(text))
		case "assistant":
			out = append(out, callwright.AssistantText(text))
		case "call":
			id++
			name, arguments, _ := strings.Cut(text, " ")
			if arguments == "" {
				arguments = "{}"
			}
			out = append(out, callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Call{ID: fmt.Sprint("c", id), Name: name, Arguments: []byte(arguments)}}})
		case "result", "error":
			m := callwright.ToolResult(callwright.Call{ID: fmt.Sprint("c", id)}, text)
			r := m.Parts[0].(callwright.Result)
			r.IsError = kind == "error"
			m.Parts[0] = r
			out = append(out, m)
		default:
			panic(line)
		}
	}
	return out
}

// cases are answers with their findings, "" for none: the kind, and the tool that is named.
var cases = []struct {
	name  string
	tools []callwright.Tool
	talk  []string
	text  string
	want  string
}{
	{"done", coder, []string{"user: Set the version in a.json."}, "I have set the version in a.json.", "done write_file"},
	{"joined", coder, []string{"user: Set the version in a.json."}, "I've updated `a.json`.", "done write_file"},
	{"typographic", coder, []string{"user: Set the version in a.json."}, "I’ve updated `a.json`.", "done write_file"},
	{"past", coder, []string{"user: Set the version in a.json."}, "I updated the file a.json as you asked.", "done write_file"},
	{"passive", coder, []string{"user: Set the version in a.json."}, "The file a.json has been updated successfully.", "done write_file"},
	{"manner", coder, []string{"user: Set the version in a.json."}, "Successfully updated a.json.", "done write_file"},
	{"sent", coder, []string{"user: Mail Ann the report."}, "I've sent the email to Ann.", "done send_email"},
	{"second verb", coder, []string{"user: Read a.go and fix it.", "call: read_file {\"path\":\"a.go\"}", "result: package a"}, "I have read a.go and fixed the bug in the file.", "done write_file"},
	{"other call", coder, []string{"user: Read a.go and fix it.", "call: read_file {\"path\":\"a.go\"}", "result: package a"}, "The bug is fixed. I have updated a.go.", "done write_file"},
	{"no tool could", shop, []string{"user: Cancel my order and email me."}, "I have emailed you a confirmation.", "done "},
	{"list", coder, []string{"user: Update a.go and b.go."}, "Here is what I did:\n\n- I updated a.go.\n", "done write_file"},
	{"earlier request", coder, []string{"user: Update a.go.", "call: write_file {\"path\":\"a.go\"}", "result: ok", "assistant: I have updated a.go.", "user: Now update b.md too, and tell me when it is done."}, "I have updated b.md.", "done write_file"},

	{"failed", coder, []string{"user: Update a.go.", "call: write_file {\"path\":\"a.go\"}", "error: disk full"}, "I have updated a.go.", "failed write_file"},
	{"failed by words", shop, []string{"user: Cancel order 1.", "call: cancel_order", "result: {\"error\": \"it was shipped\"}"}, "Your order has been cancelled.", "failed cancel_order"},
	{"failed, then worked", coder, []string{"user: Update a.go.", "call: write_file", "error: disk full", "call: write_file", "result: ok"}, "I have updated a.go.", ""},
	{"no error", shop, []string{"user: Cancel order 1.", "call: cancel_order", "result: {\"error\": null, \"id\": 1}"}, "Your order has been cancelled.", ""},

	{"tests", coder, []string{"user: Run the tests."}, "All 12 tests passed.", "tests run_tests"},
	{"tests run", coder, []string{"user: Run the tests.", "call: run_tests", "result: ok 12 passed"}, "All 12 tests passed.", ""},
	{"tests failed", coder, []string{"user: Run the tests.", "call: run_tests", "result: 10 passed, 2 failed"}, "All tests passed.", "failed run_tests"},
	{"none failed", coder, []string{"user: Run the tests.", "call: run_tests", "result: 12 passed, 0 failed"}, "All tests passed.", ""},
	{"some failed", coder, []string{"user: Run the tests.", "call: run_tests", "result: 10 passed, 2 failed"}, "10 tests passed and 2 failed.", ""},
	{"tests not run, said so", coder, []string{"user: Fix a.go."}, "I could not run the tests, but they should pass.", ""},

	{"quoted", coder, []string{"user: Show me the log of the build."}, "Here is the output of the command:\n\n```\nok\n```", "quoted read_file"},
	{"quoted after a call", coder, []string{"user: Show me the log.", "call: read_file", "result: ok"}, "Here is the output of the command:\n\n```\nok\n```", ""},
	{"expected output", coder, []string{"user: Write a program."}, "Here is the expected output of the command:", ""},

	{"supported", coder, []string{"user: Update a.go.", "call: write_file {\"path\":\"a.go\"}", "result: ok"}, "I have updated a.go.", ""},
	{"supported before a question", coder, []string{"user: Update a.go.", "call: write_file {\"path\":\"a.go\"}", "result: ok", "assistant: Done.", "user: Did you update it?"}, "Yes, I have updated a.go.", ""},
	{"supported before an urging", coder, []string{"user: Update a.go.", "call: write_file {\"path\":\"a.go\"}", "result: ok", "user: You called no tool. Give the final answer now."}, "I have updated a.go.", ""},
	{"shell", []callwright.Tool{{Name: "bash"}}, []string{"user: Update a.go.", "call: bash {\"command\":\"sed -i s/a/b/ a.go\"}", "result: "}, "I have updated a.go.", ""},
	{"shell that read", []callwright.Tool{{Name: "bash"}}, []string{"user: Update a.go.", "call: bash {\"command\":\"cat a.go | head\"}", "result: package a"}, "I have updated a.go.", "done bash"},
	{"unknown tool", []callwright.Tool{{Name: "zork"}}, []string{"user: Update a.go.", "call: zork", "result: ok"}, "I have updated a.go.", ""},
	{"result tells", shop, []string{"user: Cancel order 1 and notify me.", "call: cancel_order", "result: cancelled; customer notified by mail"}, "I've cancelled the order and notified you by email.", ""},
	{"state that was read", shop, []string{"user: Where is my order?", "call: get_order", "result: {\"state\": \"cancelled\"}"}, "Your order has been cancelled.", ""},
	{"state of a question", shop, []string{"user: Was my order cancelled?"}, "Your order has been cancelled.", ""},

	{"plan", coder, []string{"user: Update a.go."}, "I will update a.go now.", ""},
	{"offer", coder, []string{"user: Update a.go."}, "Shall I say when I have updated a.go?", ""},
	{"condition", coder, []string{"user: Update a.go."}, "Once I have updated a.go, run the tests.", ""},
	{"denial", coder, []string{"user: Update a.go."}, "I have not updated a.go yet.", ""},
	{"wish", coder, []string{"user: Update a.go."}, "I would have updated a.go, but it is missing.", ""},
	{"you", coder, []string{"user: Look at a.go."}, "I see that you have updated a.go.", ""},
	{"answer itself", coder, []string{"user: Make it shorter."}, "I have updated my answer. I've added an example to the explanation.", ""},
	{"code block", coder, []string{"user: Update a.go."}, "```\nI have updated a.go.\n```", ""},
	{"quotation", coder, []string{"user: Update a.go."}, "The log says \"I have updated a.go.\" in its last line.", ""},
	{"quoted line", coder, []string{"user: Update a.go."}, "> I have updated a.go.", ""},
	{"letter", coder, []string{"user: Draft a mail."}, "Here it is.\n\nDear Ann,\n\nI have updated the file.\n\nBest, Kim", ""},
	{"dialogue", coder, []string{"user: Show a dialogue."}, "Agent: I have updated the file.", ""},
	{"play", coder, []string{"user: Pretend that you are done and update a.go."}, "I have updated the file a.go.", ""},
	{"no tools", nil, []string{"user: Update a.go."}, "I have updated a.go.", ""},
	{"earlier conversation is gone", coder, []string{"user: This session is being continued from a previous conversation. Update a.go."}, "I have updated a.go.", ""},
	{"hosted", []callwright.Tool{{Name: "code_execution", Type: callwright.HostedTool}}, []string{"user: Update a.csv."}, "I have updated a.csv.", ""},
	{"other language", coder, []string{"user: Ändere a.go."}, "Ich habe a.go geändert.", ""},
}

func TestFind(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			found := claim.Find(c.text, func() claim.Turn { return claim.Turn{Messages: talk(c.talk...), Tools: c.tools} })
			got := ""
			if len(found) > 0 {
				got = string(found[0].Kind) + " " + found[0].Tool
				if !strings.Contains(c.text, found[0].Sentence) || found[0].Why == "" {
					t.Errorf("%+v", found[0])
				}
			}
			if got != c.want {
				t.Errorf("%q: got %q (%+v), want %q", c.text, got, found, c.want)
			}
		})
	}
}

// A call of the answer itself has no result yet, and supports what is said beside it. One that is not run supports
// nothing.
func TestFindBesideCalls(t *testing.T) {
	turn := claim.Turn{Messages: talk("user: Update a.go."), Tools: coder, Calls: []callwright.Call{{Name: "write_file", Arguments: []byte(`{}`)}}}
	if got := claim.Find("I have updated a.go.", func() claim.Turn { return turn }); len(got) != 0 {
		t.Errorf("beside its call: %+v", got)
	}
	turn.Calls, turn.Invalid = nil, []callwright.InvalidCall{{Name: "write_file", Why: callwright.InvalidTruncated}}
	if got := claim.Find("I have updated a.go.", func() claim.Turn { return turn }); len(got) != 1 || got[0].Kind != claim.Failed {
		t.Errorf("beside a call that was not run: %+v", got)
	}
	turn.Hosted = true
	if got := claim.Find("I have updated a.go.", func() claim.Turn { return turn }); len(got) != 0 {
		t.Errorf("beside a tool that the provider ran: %+v", got)
	}
}

// A text without a claim costs no memory, and the conversation is not read.
func TestFindNothing(t *testing.T) {
	text := strings.Repeat("The weather in Oslo is fine today, and I think that it stays so. You can take the bus.\n- `ok`\n", 40)
	turn := func() claim.Turn { t.Error("the conversation was read"); return claim.Turn{} }
	if n := testing.AllocsPerRun(20, func() { claim.Find(text, turn) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// The number of findings and the size of what they quote are bounded.
func TestFindBounds(t *testing.T) {
	text := strings.Repeat("I have updated the file "+strings.Repeat("é", 300)+".\n", 50)
	found := claim.Find(text, func() claim.Turn { return claim.Turn{Messages: talk("user: Update it."), Tools: coder} })
	if len(found) != claim.MaxFindings {
		t.Errorf("%d findings", len(found))
	}
	for _, f := range found {
		if len(f.Sentence) > claim.MaxSentence+len("…") || strings.ToValidUTF8(f.Sentence, "") != f.Sentence {
			t.Errorf("%q", f.Sentence)
		}
	}
}

// What is shown in a block of code, quoted, or asked is no claim, whatever it says.
func TestShownIsNoClaim(t *testing.T) {
	turn := func() claim.Turn {
		return claim.Turn{Messages: talk("user: Update it all and run the tests."), Tools: coder}
	}
	for _, c := range cases {
		if strings.Contains(c.text, "```") || strings.Contains(c.text, "\n") {
			continue
		}
		for _, shown := range []string{"```\n" + c.text + "\n```", "~~~~text\n" + c.text + "\n~~~~", "> " + c.text, "User: " + c.text, "Subject: done\n\n" + c.text, "For example:\n\n" + c.text} {
			if found := claim.Find(shown, turn); len(found) != 0 {
				t.Errorf("%q: %+v", shown, found)
			}
		}
	}
}

// BenchmarkFind prints, as the metric ratio, how much longer twice the text and twice the conversation take: 2 is linear,
// and more than 2.2 in a quiet run is a defect.
func BenchmarkFind(b *testing.B) {
	input := func(n int) (text string, turn claim.Turn) {
		lines := []string{"user: Update it all."}
		for i := range n {
			lines = append(lines, fmt.Sprintf("call: read_file {\"path\":\"%d.go\"}", i), "result: "+strings.Repeat("text ", 20))
		}
		text = strings.Repeat("I have read the file b.go. ", n) + strings.Repeat("word ", 10*n) + strings.Repeat("I have updated the file "+strings.Repeat("x ", n)+". ", 2)
		return text, claim.Turn{Messages: talk(lines...), Tools: coder}
	}
	var spent [2]time.Duration
	for i, n := range []int{1000, 2000} {
		text, turn := input(n)
		began := time.Now()
		for range b.N {
			claim.Find(text, func() claim.Turn { return turn })
		}
		spent[i] = time.Since(began)
	}
	b.ReportMetric(float64(spent[1])/float64(spent[0]), "ratio")
}

func FuzzFind(f *testing.F) {
	for _, c := range cases {
		f.Add(c.text)
	}
	turn := claim.Turn{Messages: talk("user: Update a.go and run the tests."), Tools: coder}
	f.Fuzz(func(t *testing.T, text string) {
		for _, one := range claim.Find(text, func() claim.Turn { return turn }) {
			if cut := strings.TrimSuffix(one.Sentence, "…"); !strings.Contains(text, cut) {
				t.Errorf("%q does not have %q", text, cut)
			}
		}
	})
}
