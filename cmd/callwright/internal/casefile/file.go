package casefile

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/finding"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/trace"
)

// Magic is the first line of a case file. The number is the version of the format.
const Magic = "callwright case 1"

// Names of the sections of a case file. Each section is followed by an additional line break. Content that cannot be
// stored as text has the suffix ".base64".
const (
	foundSection        = "finding.json"
	settingsSection     = "callwright.yaml"
	knownSection        = "known.json"
	headSection         = "request/head.json"
	bodySection         = "request/body"
	conversationSection = "request/conversation.json"
	endedSection        = "answer.json"
	sentPart            = "sent"
	receivedPart        = "head.json"
	bodyPart            = "body"
	encoded             = ".base64"
)

// found is the JSON of section finding.json in a case file.
type found struct {
	finding.Finding
	Side string `json:"side,omitempty"`
}

// received is the JSON of a response's metadata in a case file.
type received struct {
	Provider string              `json:"provider,omitempty"`
	Wire     callwright.WireName `json:"wire,omitempty"`
	Status   int                 `json:"status,omitempty"`
	Sent     map[string]string   `json:"sent_header,omitempty"`
	Header   map[string]string   `json:"header,omitempty"`
	Size     int64               `json:"size,omitempty"`
	Broken   string              `json:"broken,omitempty"`
	Late     bool                `json:"late,omitempty"`
	Withheld bool                `json:"withheld,omitempty"`
	Skipped  time.Duration       `json:"skipped_ns,omitempty"`
	Kind     callwright.Kind     `json:"kind,omitempty"`
}

// Append appends the case as a file in the txtar format (https://pkg.go.dev/golang.org/x/tools/txtar). Equal cases have
// equal bytes.
func (c *Case) Append(dst []byte) []byte {
	dst = append(dst, Magic+"\n"...)
	for line := range strings.SplitSeq(strings.TrimRight(c.Says, "\n"), "\n") {
		if line = "  " + line; isMarker([]byte(line)) {
			line = " " + line
		}
		dst = append(append(dst, strings.TrimRight(line, " ")...), '\n')
	}
	dst = section(dst, foundSection, marshal(found{c.Finding, c.Side}))
	dst = section(dst, settingsSection, c.Settings)
	dst = section(dst, knownSection, c.Known)
	dst = section(dst, headSection, marshal(c.Head))
	dst = section(dst, bodySection, c.Body)
	dst = section(dst, conversationSection, c.Conversation)
	for i, t := range c.Turns {
		at := "provider/" + strconv.Itoa(i+1) + "/"
		dst = section(dst, at+sentPart, t.Sent)
		if r := t.Received; r != nil {
			head := received{Provider: r.Provider, Wire: r.Wire, Status: r.Status, Sent: r.Sent, Broken: r.Broken, Late: r.Late,
				Withheld: r.Withheld, Skipped: r.Skipped, Kind: r.Kind}
			for name, values := range r.Header {
				if head.Header == nil {
					head.Header = map[string]string{}
				}
				head.Header[name] = strings.Join(values, ", ")
			}
			if r.Size > int64(len(r.Body)) {
				head.Size = r.Size
			}
			dst = section(dst, at+receivedPart, marshal(head))
			dst = section(dst, at+bodyPart, r.Body)
		}
	}
	return section(dst, endedSection, c.Ended)
}

// section appends a section of a case file, unless content is empty.
func section(dst []byte, name string, content []byte) []byte {
	if len(content) == 0 {
		return dst
	}
	if !isText(content) {
		name, content = name+encoded, []byte(base64.StdEncoding.EncodeToString(content))
	}
	dst = append(dst, "-- "+name+" --\n"...)
	return append(append(dst, content...), '\n')
}

// isText reports whether content can be stored as text: it is valid UTF-8 without carriage returns, NUL bytes and
// section markers.
func isText(content []byte) bool {
	if !utf8.Valid(content) || bytes.ContainsAny(content, "\r\x00") {
		return false
	}
	for line := range bytes.Lines(content) {
		if isMarker(line) {
			return false
		}
	}
	return true
}

// isMarker reports whether a line is the start of a section, such as "-- name --".
func isMarker(line []byte) bool {
	line = bytes.TrimRight(line, "\r\n")
	return bytes.HasPrefix(line, []byte("-- ")) && bytes.HasSuffix(line, []byte(" --")) && len(line) > len("--  --")
}

func marshal(v any) []byte {
	b, _ := jsonx.Marshal(v) // contains only texts and numbers
	return b
}

// Is reports whether a text begins like a case file of any version.
func Is(text []byte) bool { return bytes.HasPrefix(text, []byte("callwright case ")) }

// Parse parses a case file, see Append.
func Parse(text []byte) (*Case, error) {
	if !bytes.HasPrefix(text, []byte(Magic+"\n")) {
		line, _, _ := bytes.Cut(text, []byte("\n"))
		return nil, fmt.Errorf("expected %q in the first line, got %q", Magic, callwright.Excerpt(string(line)))
	}
	said, sections, err := split(text[len(Magic)+1:])
	if err != nil {
		return nil, err
	}
	c := &Case{Says: said}
	var f found
	for _, s := range []struct {
		name string
		into any
	}{{foundSection, &f}, {headSection, &c.Head}} {
		if sections[s.name] == nil {
			return nil, fmt.Errorf("the section %s is missing", s.name)
		}
		if err := json.Unmarshal(sections[s.name], s.into); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	c.Finding, c.Side = f.Finding, f.Side
	c.Settings, c.Body = sections[settingsSection], sections[bodySection]
	c.Known, c.Conversation, c.Ended = sections[knownSection], sections[conversationSection], sections[endedSection]
	if c.Body == nil && c.Conversation == nil {
		return nil, fmt.Errorf("the section %s is missing", bodySection)
	}
	for i := 1; ; i++ {
		t, ok, err := turnOf(sections, "provider/"+strconv.Itoa(i)+"/")
		if err != nil || !ok {
			return c, err
		}
		c.Turns = append(c.Turns, t)
	}
}

// turnOf parses the sections of a turn, whose names begin with at. ok is false if there are none.
func turnOf(sections map[string][]byte, at string) (t Turn, ok bool, err error) {
	t.Sent = sections[at+sentPart]
	text := sections[at+receivedPart]
	if text == nil {
		return t, t.Sent != nil, nil
	}
	var head received
	if err := json.Unmarshal(text, &head); err != nil {
		return t, false, fmt.Errorf("%s%s: %w", at, receivedPart, err)
	}
	t.Received = &trace.Received{Provider: head.Provider, Wire: head.Wire, Status: head.Status, Sent: head.Sent,
		Header: http.Header{}, Body: sections[at+bodyPart], Broken: head.Broken, Late: head.Late,
		Withheld: head.Withheld, Skipped: head.Skipped, Kind: head.Kind}
	for name, value := range head.Header {
		t.Received.Header.Set(name, value)
	}
	t.Received.Size = max(head.Size, int64(len(t.Received.Body)))
	return t, true, nil
}

// split returns the text in front of the sections, and the sections by name.
func split(text []byte) (said string, sections map[string][]byte, err error) {
	sections = map[string][]byte{}
	name, content, before := "", []byte(nil), []byte(nil)
	end := func() error {
		if name == "" {
			return nil
		}
		content = bytes.TrimSuffix(content, []byte("\n"))
		if plain, ok := strings.CutSuffix(name, encoded); ok {
			decoded, err := base64.StdEncoding.DecodeString(string(content))
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			name, content = plain, decoded
		}
		if sections[name] != nil {
			return fmt.Errorf("the section %s occurs twice", name)
		}
		sections[name] = content
		return nil
	}
	for line := range bytes.Lines(text) {
		if !isMarker(line) {
			if name == "" {
				before = append(before, bytes.TrimPrefix(line, []byte("  "))...)
			} else {
				content = append(content, line...)
			}
			continue
		}
		if err := end(); err != nil {
			return "", nil, err
		}
		line = bytes.TrimRight(line, "\r\n")
		name, content = string(line[3:len(line)-3]), []byte{}
	}
	if err := end(); err != nil {
		return "", nil, err
	}
	if len(sections) == 0 {
		return "", nil, errors.New("there are no sections")
	}
	return strings.TrimRight(string(before), "\n"), sections, nil
}
