package arm

import (
	"github.com/callwright/callwright/internal/bfcl"
	"github.com/callwright/callwright/test/live/internal/answer"
	"github.com/callwright/callwright/test/live/internal/question"
)

// Unrecorded is the verdict of a trial that was played again and sent more requests than were recorded.
const Unrecorded question.Verdict = "unrecorded"

// A Trial is one question, asked in one way, with its result.
type Trial struct {
	Model    string           `json:"model"`
	Arm      string           `json:"arm"`
	Question string           `json:"question"`
	Category string           `json:"category"`
	Verdict  question.Verdict `json:"verdict"`
	Calls    []Call           `json:"calls,omitempty"`
	Text     string           `json:"text,omitempty"`
	Error    string           `json:"error,omitempty"`
	// Answers are the keys of the server's answers, in order.
	Answers []string `json:"answers"`
	// Modes are those of the attempts, in order, each once. Dialect is that of an attempt in text mode.
	Modes   []string `json:"modes,omitempty"`
	Dialect string   `json:"dialect,omitempty"`
	// Invalid counts the calls that the gateway found and refused.
	Invalid int `json:"invalid,omitempty"`
	// Unread means that there is no call and that the text has the name of a declared tool.
	Unread bool `json:"unread,omitempty"`
	// Input and Output are tokens of all requests, Seconds the time in which the server worked on them.
	Input   int     `json:"input"`
	Output  int     `json:"output"`
	Seconds float64 `json:"seconds"`
}

// A Call is a call as a client got it. The arguments need not be JSON.
type Call struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// A reply is a client's answer.
type reply struct {
	calls []bfcl.Call
	text  string
	err   string // in place of an answer
}

// judged fills a Trial with a reply and its verdict.
func (t *Trial) judged(q *question.Question, r reply, used []*answer.Answer) {
	for _, c := range r.calls {
		t.Calls = append(t.Calls, Call{c.Name, string(c.Arguments)})
	}
	t.Text, t.Error = r.text, r.err
	t.Verdict = q.Judge(r.calls, r.text)
	if r.err != "" {
		t.Verdict = question.Failed
	}
	t.Unread = len(r.calls) == 0 && q.Names(r.text)
	for _, a := range used {
		t.Answers = append(t.Answers, a.Key)
		c := a.Cost()
		t.Input, t.Output, t.Seconds = t.Input+c.Input, t.Output+c.Output, t.Seconds+c.Seconds
	}
}
