// Package recorded makes the simulated provider return recorded answers of models.
package recorded

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/simulate"
)

// An Answer is a recorded answer and the conditions for the requests to which it is returned.
type Answer struct {
	Prompt string `json:"prompt,omitempty"` // complete text of the last user message
	Match  string `json:"match,omitempty"`  // part of this text; if Prompt is also empty, any text matches
	Model  string `json:"model,omitempty"`  // suffix of the model name; "" matches any model

	Text      string `json:"text,omitempty"`
	Reasoning string `json:"reasoning,omitempty"`
	Calls     []Call `json:"calls,omitempty"`
	Finish    string `json:"finish,omitempty"`
	// Raw is a complete response body, as JSON or as a string, which replaces the fields above. In a streaming response,
	// the string is sent unchanged.
	Raw json.RawMessage `json:"raw,omitempty"`
}

// A Call is a recorded tool call. Arguments is a JSON value, or a string that contains the text of the arguments.
type Call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	ID        string          `json:"id,omitempty"`
}

// maxRecording is the maximum length of a line in bytes.
const maxRecording = 16 << 20

// Read reads recordings: one JSON object on each line. It skips empty lines. An error contains the line number.
func Read(r io.Reader) ([]Answer, error) {
	var out []Answer
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxRecording)
	n := 1
	for ; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var one Answer
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&one); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if rest := bytes.TrimSpace(line[d.InputOffset():]); len(rest) > 0 {
			return nil, fmt.Errorf("line %d: expected one object, got %q behind it", n, jsonx.Clip(string(rest), 40))
		}
		out = append(out, one)
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d: expected at most %d bytes", n, maxRecording)
	}
	return out, lines.Err()
}

// Script returns a script that answers with recordings. Recordings with an equal Prompt come before those with a
// matching Match. If several match, they are returned in turn each time the same conversation is requested, and the
// last one is repeated. If none matches, the response has status 404.
func Script(recordings []Answer) simulate.Script {
	exact, parts := map[string][]Answer{}, []Answer{}
	for _, r := range recordings {
		if r.Prompt != "" {
			exact[r.Prompt] = append(exact[r.Prompt], r)
			continue
		}
		parts = append(parts, r)
	}
	return func(req simulate.Seen) simulate.Turn {
		var fit []Answer
		for _, r := range exact[req.User] {
			if strings.HasSuffix(req.Model, r.Model) {
				fit = append(fit, r)
			}
		}
		for _, r := range parts {
			if strings.Contains(req.User, r.Match) && strings.HasSuffix(req.Model, r.Model) {
				fit = append(fit, r)
			}
		}
		if fit == nil {
			return simulate.Turn{Status: 404, Text: "no recorded answer for this prompt"}
		}
		return fit[min(req.Repeat, len(fit)-1)].turn()
	}
}

func (r Answer) turn() simulate.Turn {
	out := simulate.Turn{Text: r.Text, Reasoning: r.Reasoning, Finish: r.Finish, Raw: []byte(unquoteJSON(string(r.Raw)))}
	for _, c := range r.Calls {
		out.Calls = append(out.Calls, simulate.Call{Name: c.Name, Arguments: unquoteJSON(string(c.Arguments)), ID: c.ID})
	}
	return out
}

// unquoteJSON returns the value of a JSON string, or raw itself if it is not a JSON string.
func unquoteJSON(raw string) string {
	var s string
	if json.Unmarshal([]byte(raw), &s) == nil {
		return s
	}
	return raw
}
