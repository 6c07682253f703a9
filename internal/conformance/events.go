package conformance

import (
	"errors"
	"fmt"
	"strings"
)

// An event is one server-sent event, or one line of a stream of JSON lines.
type event struct {
	name, data string
	tree       tree
}

// events splits a stream into events, by the rules of https://html.spec.whatwg.org/multipage/server-sent-events.html
func (c *client) events(a *answer) []event {
	kind, want := a.header.Get("Content-Type"), "text/event-stream"
	if c.form.lines {
		want = "application/x-ndjson"
	}
	a.expect(strings.HasPrefix(kind, want), "stream_type", "the Content-Type is %q, not %s", kind, want)
	var raw []event
	if c.form.lines {
		for line := range strings.Lines(string(a.body)) {
			if line = strings.TrimSpace(line); line != "" {
				raw = append(raw, event{data: line})
			}
		}
	} else {
		raw = splitEvents(string(a.body))
	}
	var out []event
	for _, e := range raw {
		if e.data != "[DONE]" {
			t, err := parse([]byte(e.data))
			if a.expect(err == nil, "stream_frames", "an event is not JSON: %s", short(e.data)); err != nil {
				continue
			}
			e.tree = t
		}
		out = append(out, e)
	}
	if len(out) == 0 {
		a.expect(false, "stream_frames", "the stream has no event")
		a.err = errors.New("the stream has no event")
	}
	return out
}

// splitEvents parses server-sent events. It ignores events without data, and an incomplete event at the end.
func splitEvents(text string) []event {
	var out []event
	var name string
	var data []string
	end := func() {
		if data != nil {
			out = append(out, event{name: name, data: strings.Join(data, "\n")})
		}
		name, data = "", nil
	}
	for line := range strings.Lines(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)) {
		line, ended := strings.CutSuffix(line, "\n")
		if !ended {
			break
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "":
			end()
		case field == "event":
			name = value
		case field == "data":
			data = append(data, value)
		}
	}
	return out
}

// sayCount returns a number with its noun, such as "2 calls".
func sayCount(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
