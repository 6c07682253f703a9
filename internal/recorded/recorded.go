// Package recorded plays answers that models once gave, on the simulator.
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

// An Answer is an answer that a model once gave, and the requests that it is given to.
type Answer struct {
	Prompt string `json:"prompt,omitempty"` // the whole of the user's last text
	Match  string `json:"match,omitempty"`  // a part of it; empty beside an empty Prompt: any
	Model  string `json:"model,omitempty"`  // the end of the model's name; empty: any

	Text      string `json:"text,omitempty"`
	Reasoning string `json:"reasoning,omitempty"`
	Calls     []Call `json:"calls,omitempty"`
	Finish    string `json:"finish,omitempty"`
	// Raw is a whole body to answer with in place of all that, as JSON or as a string that holds it; for streams, the
	// string is sent as it is.
	Raw json.RawMessage `json:"raw,omitempty"`
}

// A Call is a call that the provider had read. Arguments is JSON, or a string that holds the text of the arguments.
type Call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	ID        string          `json:"id,omitempty"`
}

// maxRecording bounds a line of recordings.
const maxRecording = 16 << 20

// Read reads recordings, one JSON object a line. Empty lines are skipped.
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

// Script returns a script that answers with recordings: those of the same prompt first, then those that match a part of
// it. Of several the next is given each time that the conversation comes again, the last one from then on. A request
// that none is for is refused with 404.
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

// unquoteJSON returns the string that a JSON text holds, and any other text as it is.
func unquoteJSON(raw string) string {
	var s string
	if json.Unmarshal([]byte(raw), &s) == nil {
		return s
	}
	return raw
}
