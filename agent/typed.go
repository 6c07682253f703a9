package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/repair"
	"github.com/callwright/callwright/schema"
)

// As runs the agent and decodes its answer into a T. The request contains the JSON Schema of T. If the answer does not
// satisfy it, the model is asked for a correction at most twice; then As returns an error of KindBadAnswer. If the run
// is parked, T is zero and the error nil. The Result equals that of Run.
func As[T any](ctx context.Context, a *Agent, messages ...callwright.Message) (T, *Result, error) {
	var zero T
	raw, err := schema.For[T]()
	if err != nil {
		return zero, nil, err
	}
	s, err := a.schemas.Compile(raw)
	if err != nil {
		return zero, nil, err
	}
	typed := a.With(func(o *options) {
		o.format = &callwright.AnswerFormat{Name: "answer", Schema: raw}
		o.check = func(resp *callwright.Response) string {
			found := s.Validate(document(resp.Text()))
			if len(found) == 0 {
				return ""
			}
			var b strings.Builder
			b.WriteString("The answer must be JSON that satisfies the schema, and nothing else. It does not:")
			for _, v := range found[:min(len(found), maxViolations)] {
				fmt.Fprintf(&b, "\n- %s", v.Message)
			}
			return b.String()
		}
	})
	res, err := typed.Run(ctx, messages...)
	if err != nil || res.Stop != StopAnswered {
		return zero, res, err
	}
	doc := document(res.Text)
	if found := s.Validate(doc); len(found) > 0 {
		return zero, res, callwright.Errorf("agent.as", callwright.KindBadAnswer, found[0].Path,
			"the answer does not satisfy the schema: %s", found[0].Message)
	}
	var out T
	if err := json.Unmarshal(doc, &out); err != nil {
		return zero, res, callwright.Errorf("agent.as", callwright.KindBadAnswer, "", "the answer cannot be decoded: %s", err)
	}
	return out, res, nil
}

// document extracts the JSON of an answer: it removes a code block and repairs broken JSON.
func document(text string) []byte {
	text = strings.TrimSpace(text)
	if inside, fenced := strings.CutPrefix(text, "```"); fenced {
		_, inside, _ = strings.Cut(inside, "\n")
		text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(inside), "```"))
	}
	if mended, err := repair.JSON(text); err == nil {
		return []byte(mended.JSON)
	}
	return []byte(text)
}
