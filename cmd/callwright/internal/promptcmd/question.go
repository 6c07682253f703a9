package promptcmd

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/bfcl"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/interop"
)

// ownQuestions are the default questions.
//
//go:embed questions.jsonl
var ownQuestions []byte

// maxLine is the maximum length in bytes of a line in a questions file.
const maxLine = 1 << 20

// A Question is a line of a questions file: a question of the Berkeley Function Calling Leaderboard, or one with a
// conversation instead of a user message.
type Question struct {
	bfcl     *bfcl.Question
	messages []callwright.Message
	tools    []callwright.Tool
}

// readQuestions parses a questions file of JSON lines. An error contains the line number.
func readQuestions(text []byte) ([]Question, error) {
	var out []Question
	seen := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		q, err := readQuestion(line)
		if err == nil && seen[q.bfcl.ID] {
			err = fmt.Errorf("the id %q is used twice", q.bfcl.ID)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		seen[q.bfcl.ID] = true
		out = append(out, q)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("a line has more than %d bytes: %w", maxLine, err)
	}
	if len(out) == 0 {
		return nil, errors.New("the file has no questions")
	}
	return out, nil
}

func readQuestion(line []byte) (Question, error) {
	q := Question{bfcl: new(bfcl.Question)}
	if err := json.Unmarshal(line, q.bfcl); err != nil {
		return q, err
	}
	var err error
	if q.tools, err = interop.ReadTools(q.bfcl.Tools); err != nil {
		return q, err
	}
	if talk, ok := jsonx.Find(line, "messages"); ok {
		q.messages, err = readTalk(talk)
	} else if q.bfcl.Text != "" {
		q.messages = []callwright.Message{callwright.UserText(q.bfcl.Text)}
	}
	switch b := q.bfcl; {
	case err != nil:
		return q, err
	case b.ID == "" || b.Category == "":
		return q, errors.New("expected a question with id and category")
	case len(q.messages) == 0:
		return q, errors.New("expected a question with the member question or messages")
	case len(q.tools) == 0:
		return q, errors.New("expected a question with tools")
	case b.Expect != "calls" && b.Expect != "none":
		return q, fmt.Errorf("expect: expected calls or none, got %q", b.Expect)
	case b.Expect == "calls" && len(b.Truth) == 0:
		return q, errors.New("a question that expects calls needs ground_truth")
	}
	return q, nil
}

// readTalk parses messages in the format of OpenAI's Chat Completions.
func readTalk(text []byte) ([]callwright.Message, error) {
	codec, _ := codecs.Of(callwright.WireOpenAI)
	body := append([]byte(`{"model":"m","messages":`), text...)
	req, err := codec.DecodeRequest(append(body, '}'))
	if err != nil {
		return nil, err
	}
	return req.History()
}

// perCategory returns the first n questions of each category; n = 0 means all.
func perCategory(all []Question, n int) []Question {
	if n == 0 {
		return all
	}
	var out []Question
	had := map[string]int{}
	for _, q := range all {
		if had[q.bfcl.Category]++; had[q.bfcl.Category] <= n {
			out = append(out, q)
		}
	}
	return out
}

// categories returns the distinct categories in the order of the questions.
func categories(all []Question) (out []string) {
	seen := map[string]bool{}
	for _, q := range all {
		if !seen[q.bfcl.Category] {
			seen[q.bfcl.Category] = true
			out = append(out, q.bfcl.Category)
		}
	}
	return out
}
