// Package question has the questions that models are asked, and holds answers against the accepted ones.
package question

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/bfcl"
)

// Categories are in the order of tables. The questions of turns have a call and its result before the answer that is
// judged.
var Categories = []string{"simple", "multiple", "parallel", "parallel_multiple", "none", "turns"}

// expectAnswer in Expect means that a text is wanted and no call.
const expectAnswer = "answer"

// A Question is a conversation whose next answer is judged.
type Question struct {
	bfcl.Question
	Messages []Message
	// Answer has, where Expect is "answer", texts that the answer has to hold: of each list one, in any case.
	Answer [][]string
}

// A Message is a message of the conversation.
type Message struct {
	Role    string      // user, assistant or tool
	Content string      // of a user or of a tool
	Calls   []bfcl.Call // of an assistant
	Call    int         // of a tool: the index of the call in the assistant's message
}

// UnmarshalJSON reads a line of a file of questions.
func (q *Question) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &q.Question); err != nil {
		return err
	}
	var more struct {
		Messages []Message
		Answer   [][]string
	}
	if err := json.Unmarshal(text, &more); err != nil {
		return fmt.Errorf("%s: %w", q.ID, err)
	}
	q.Messages, q.Answer = more.Messages, more.Answer
	if len(q.Messages) == 0 {
		q.Messages = []Message{{Role: "user", Content: q.Text}}
	}
	return nil
}

// ToolNames are the names of the declared tools.
func (q *Question) ToolNames() []string {
	var tools []struct{ Function struct{ Name string } }
	_ = json.Unmarshal(q.Tools, &tools) // reading the question has decoded them before
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].Function.Name
	}
	return names
}

// A Verdict is the judgement of one answer.
type Verdict string

// The verdicts.
const (
	Right   Verdict = "right"
	Wrong   Verdict = "wrong"   // other calls than the accepted ones
	Called  Verdict = "called"  // a call, where none was wanted
	Missing Verdict = "missing" // no call, where one was wanted
	Unsaid  Verdict = "unsaid"  // the text lacks what the result of a tool said
	Broken  Verdict = "broken"  // the arguments of a call are not a JSON object
	Failed  Verdict = "failed"  // an error came in place of an answer
)

// Judge holds an answer against the accepted ones. The calls are those that a client got, the text is the visible one.
func (q *Question) Judge(calls []bfcl.Call, text string) Verdict {
	for _, c := range calls {
		var object map[string]json.RawMessage
		if json.Unmarshal(c.Arguments, &object) != nil || object == nil {
			return Broken
		}
	}
	switch {
	case q.Expect != "calls" && len(calls) > 0:
		return Called
	case q.Expect == expectAnswer && !q.isSaid(text):
		return Unsaid
	case q.Expect != "calls":
		return Right
	case len(calls) == 0:
		return Missing
	case !q.Accepts(calls, false):
		return Wrong
	}
	return Right
}

// isSaid reports whether a text has the words that the answer has to hold.
func (q *Question) isSaid(text string) bool {
	text = strings.ToLower(text)
	return !slices.ContainsFunc(q.Answer, func(any []string) bool {
		return !slices.ContainsFunc(any, func(s string) bool { return strings.Contains(text, strings.ToLower(s)) })
	})
}

// Names reports whether a text has the name of a declared tool. A text without calls that does may have a call that
// nobody read.
func (q *Question) Names(text string) bool {
	return slices.ContainsFunc(q.ToolNames(), func(name string) bool { return strings.Contains(text, name) })
}

// Read reads the files *.jsonl and *.jsonl.gz of questions in a folder, which have the names bfcl and turns.
func Read(dir string) ([]Question, error) {
	var all []Question
	for _, name := range []string{"bfcl.jsonl.gz", "turns.jsonl"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(name, ".gz") {
			zip, err := gzip.NewReader(bytes.NewReader(text))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			if text, err = io.ReadAll(zip); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, 1<<22)
		for lines.Scan() {
			var q Question
			if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			all = append(all, q)
		}
		if err := lines.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return all, nil
}

// Sample returns the first questions of each category, per of them or all where per is 0, in the order of Categories.
func Sample(all []Question, per int) []Question {
	var out []Question
	for _, category := range Categories {
		n := 0
		for _, q := range all {
			if q.Category == category && (per == 0 || n < per) {
				out = append(out, q)
				n++
			}
		}
	}
	return out
}
