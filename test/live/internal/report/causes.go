package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/callwright/callwright/test/live/internal/arm"
	"github.com/callwright/callwright/test/live/internal/question"
)

// CauseNames are the causes of wrong answers: the model cannot do it; the prompt misleads it; its text was read
// wrongly; the server changed or refused the answer.
var CauseNames = []string{"model", "prompt", "reading", "engine"}

// A cause is a person's finding about one answer, which several arms may have got.
type cause struct {
	model, question, verdict, answer string
	arms                             []string
	cause, note                      string
}

// Causes are the causes by answer. They are kept in a file with a line each, with tabs between columns.
type Causes struct{ rows []*cause }

// causeHead is the first line of the file.
const causeHead = "model\tquestion\tverdict\tanswer\tarms\tcause\tnote"

// ReadCauses reads a file of causes. One that does not exist has none.
func ReadCauses(name string) (*Causes, error) {
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	out := &Causes{}
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if i == 0 {
			continue
		}
		c := strings.Split(line, "\t")
		if len(c) != 7 || c[5] != "" && !slices.Contains(CauseNames, c[5]) {
			return nil, fmt.Errorf("%s:%d: expected 7 columns with a cause out of %s", name, i+1, strings.Join(CauseNames, ", "))
		}
		out.rows = append(out.rows, &cause{c[0], c[1], c[2], c[3], strings.Split(c[4], ","), c[5], c[6]})
	}
	return out, nil
}

// find is the row of a trial, nil where there is none.
func (c *Causes) find(t *arm.Trial) *cause {
	for _, r := range c.rows {
		if r.model == t.Model && r.question == t.Question && r.verdict == string(t.Verdict) && r.answer == answerOf(t) {
			return r
		}
	}
	return nil
}

// answerOf identifies the last answer of a trial.
func answerOf(t *arm.Trial) string {
	if len(t.Answers) == 0 {
		return ""
	}
	return t.Answers[len(t.Answers)-1][:12]
}

// Of is the cause of a wrong answer, empty while nobody has looked at it.
func (c *Causes) Of(t *arm.Trial) string {
	if r := c.find(t); r != nil {
		return r.cause
	}
	return ""
}

// With returns the rows of all wrong answers among trials, with the causes that are known of them.
func (c *Causes) With(trials []arm.Trial) *Causes {
	out := &Causes{}
	for _, t := range trials {
		if t.Verdict == question.Right {
			continue
		}
		r := out.find(&t)
		if r == nil {
			r = &cause{model: t.Model, question: t.Question, verdict: string(t.Verdict), answer: answerOf(&t)}
			if known := c.find(&t); known != nil {
				r.cause, r.note = known.cause, known.note
			}
			out.rows = append(out.rows, r)
		}
		r.arms = append(r.arms, t.Arm)
	}
	return out
}

// Write writes the file.
func (c *Causes) Write(name string) error {
	var b strings.Builder
	b.WriteString(causeHead + "\n")
	for _, r := range c.rows {
		fmt.Fprintln(&b, strings.Join([]string{r.model, r.question, r.verdict, r.answer, strings.Join(r.arms, ","), r.cause, r.note}, "\t"))
	}
	return os.WriteFile(name, []byte(b.String()), 0o600)
}
