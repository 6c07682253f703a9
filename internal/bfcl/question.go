package bfcl

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A Question is a line of the leaderboard's questions.
type Question struct {
	ID       string `json:"id"`
	Category string `json:"category"`
	// Text is the message of the user.
	Text string `json:"question,omitempty"`
	// Tools are tools in the form of OpenAI's Chat Completions.
	Tools json.RawMessage `json:"tools"`
	// Expect is "calls" or "none".
	Expect string `json:"expect"`
	// Truth has an accepted answer for each call: {tool: {argument: [accepted values]}}. An empty text among the values
	// means that the argument may be left out.
	Truth []json.RawMessage `json:"ground_truth,omitempty"`
	// Unwinnable means that no answer is accepted.
	Unwinnable bool `json:"unwinnable,omitempty"`

	schemas map[string]*typedSchema // by the name of a tool
	answers []accepted
}

// A Call is a call as a model made it.
type Call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// UnmarshalJSON reads a question. It fails where a tool or an accepted answer cannot be read.
func (q *Question) UnmarshalJSON(text []byte) error {
	type plain Question // without this method
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

// Accepts reports whether the calls are those that are accepted, in any order. With underscores a tool may also be
// called by its name with underscores in place of dots.
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
