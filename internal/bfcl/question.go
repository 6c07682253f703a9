package bfcl

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A Question is one test case of BFCL.
type Question struct {
	ID       string `json:"id"`
	Category string `json:"category"`
	// Text is the user message.
	Text string `json:"question,omitempty"`
	// Tools is a JSON array of tools in the format of OpenAI's Chat Completions API.
	Tools json.RawMessage `json:"tools"`
	// Expect is "calls", or "none" if the model must not call a tool.
	Expect string `json:"expect"`
	// Truth has one accepted answer for each expected call: {tool: {argument: [accepted values]}}. The value "" means that
	// the argument is optional.
	Truth []json.RawMessage `json:"ground_truth,omitempty"`
	// Unwinnable is set if no answer is accepted.
	Unwinnable bool `json:"unwinnable,omitempty"`

	schemas map[string]*typedSchema // by tool name
	answers []accepted
}

// A Call is a tool call of a model.
type Call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// UnmarshalJSON decodes a question. It returns an error if a tool or an accepted answer is malformed.
func (q *Question) UnmarshalJSON(text []byte) error {
	type plain Question // has no UnmarshalJSON method
	if err := json.Unmarshal(text, (*plain)(q)); err != nil {
		return err
	}
	var tools []struct {
		Function struct {
			Name       string
			Parameters *typedSchema
		}
	}
	if err := json.Unmarshal(q.Tools, &tools); err != nil {
		return fmt.Errorf("%s: %w", q.ID, err)
	}
	q.schemas, q.answers = map[string]*typedSchema{}, nil
	for _, t := range tools {
		if t.Function.Parameters == nil {
			t.Function.Parameters = new(typedSchema)
		}
		q.schemas[t.Function.Name] = t.Function.Parameters
	}
	for _, text := range q.Truth {
		answer, err := readAccepted(text)
		if err != nil {
			return fmt.Errorf("%s: %w", q.ID, err)
		}
		for name := range answer {
			if q.schemas[name] == nil {
				return fmt.Errorf("%s: the accepted tool %s is not declared", q.ID, name)
			}
		}
		q.answers = append(q.answers, answer)
	}
	return nil
}

// Accepts reports whether calls match the accepted answers, in any order. With underscores, a call may use a tool name
// with "_" in place of ".".
func (q *Question) Accepts(calls []Call, underscores bool) bool {
	if q.Expect == "none" {
		return len(calls) == 0
	}
	if q.Unwinnable || len(calls) != len(q.answers) {
		return false
	}
	left := slices.Clone(calls)
	for _, answer := range q.answers {
		for name, options := range answer {
			i := slices.IndexFunc(left, func(c Call) bool {
				same := c.Name == name || underscores && c.Name == strings.ReplaceAll(name, ".", "_")
				return same && hasArguments(c.Arguments, q.schemas[name], options)
			})
			if i < 0 {
				return false
			}
			left = slices.Delete(left, i, i+1)
		}
	}
	return true
}
