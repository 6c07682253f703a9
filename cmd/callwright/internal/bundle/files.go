package bundle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/finding"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// CaseName is the name of the file in a bundle that callwright replay accepts.
const CaseName = "case.txtar"

// files sets b.Files and b.Removed. No file contains a secret: the content of a file that would is replaced by a
// message.
func (m *maker) files(b *Bundle) {
	add := func(name string, data []byte) {
		if len(data) > 0 {
			b.Files = append(b.Files, File{name, data})
		}
	}
	m.hideSummary(b)
	if b.Case != nil {
		b.Case.Says = b.caseText()
		text := b.Case.Append(nil)
		if m.scan.Leaks(text) {
			b.Case, b.Replay = nil, Replayed{Why: "a secret could not be separated from the rest of the case"}
		} else {
			add(CaseName, text)
		}
	}
	add("versions.json", marshalIndent(m.versions()))
	add("model.json", marshalIndent(m.model()))
	add("settings.yaml", lineEnded(m.settings))
	m.client(add)
	m.providers(add)
	if m.end != nil {
		if rep, _ := finding.Report(m.end); rep != nil {
			add("report.json", marshalIndent(rep))
		}
	}
	var lines []byte
	for i := range m.entries {
		if line, err := m.entries[i].Line(); err == nil {
			lines = append(lines, line...)
		}
	}
	add("trace.jsonl", lines)
	for i := range b.Files {
		f := &b.Files[i]
		if m.scan.Leaks(f.Data) {
			f.Data = []byte("This file is left out: a secret could not be separated from the rest of it.\n")
		}
	}
	b.Removed = m.scan.ListRemoved()
	add("secrets.json", marshalIndent(map[string]any{"removed": b.Removed}))
	summary := b.Summary()
	if m.scan.Leaks(marshalIndent(summary)) { // e.g. a name in it equals a secret
		summary = Summary{Finding: finding.Finding{Outcome: b.Finding.Outcome}, Case: summary.Case}
	}
	add(summaryName, marshalIndent(summary))
	b.Files = append([]File{{"issue.md", []byte(m.scan.Text(m.issue(b)))}}, b.Files...)
}

// hideSummary removes secrets from the texts of the bundle's summary.
func (m *maker) hideSummary(b *Bundle) {
	b.ID, b.Replay.Why = m.scan.Text(b.ID), m.scan.Text(b.Replay.Why)
	b.Verdict.Reasons = slices.Clone(b.Verdict.Reasons)
	for i := range b.Verdict.Reasons {
		b.Verdict.Reasons[i].Says = m.scan.Text(b.Verdict.Reasons[i].Says)
	}
}

// headersEnding is the suffix of files in a bundle that contain HTTP headers.
const headersEnding = ".headers"

// client adds the files with the client's request and the response to it.
func (m *maker) client(add func(string, []byte)) {
	add("client/request"+headersEnding, headerLines(m.asked.Header))
	if m.asked.Body != nil {
		add("client/request.json", lineEnded(m.asked.Body))
	} else {
		add("client/request.conversation.json", lineEnded(m.asked.Data))
	}
	if m.end == nil {
		return
	}
	if body, ext := m.clientAnswer(); body != nil {
		add("client/answer."+ext, body)
	}
}

// clientAnswer returns the response in the client's API and the extension for its file; body is nil if there is none.
// The bytes sent to the client are not recorded, so the response is encoded again, except for a stream that was passed
// through unchanged.
func (m *maker) clientAnswer() (body []byte, ext string) {
	codec, ok := codecs.Of(m.asked.Wire)
	if !ok {
		return nil, ""
	}
	if m.end.Failure != nil {
		_, _, body := codec.EncodeError(m.end.Failure)
		return lineEnded(m.stable(body)), "json"
	}
	rep, resp := finding.Report(m.end)
	if resp == nil {
		return nil, ""
	}
	req, _ := codec.DecodeRequest(m.asked.Body)
	if !m.end.Streamed {
		body, _, err := codec.EncodeResponse(req, resp)
		if err != nil {
			return nil, ""
		}
		return lineEnded(m.stable(body)), "json"
	}
	if last := m.lastReceived(); rep != nil && rep.Untouched && last != nil && last.Wire == m.asked.Wire {
		return last.Body, "stream"
	}
	if req == nil {
		req = &callwright.Request{}
	}
	enc := codec.NewStreamEncoder(req)
	return m.stable(enc.Encode(nil, callwright.Batch{Events: resp.Events()})), "stream"
}

// Patterns of values that codecs generate for a response: ids, times and durations.
var (
	madeID       = regexp.MustCompile(`([a-z]+[_-])([A-Z2-7]{26}|[a-z2-7]{26})\b`)
	madeTime     = regexp.MustCompile(`"(created|created_at|completed_at)":(?:\d+|"[^"]*")`)
	madeDuration = regexp.MustCompile(`"([a-z_]*duration)":\d+`)
)

// stable replaces values that differ for each encoding of a response: ids that are not in the trace are numbered, and
// times become 0.
func (m *maker) stable(body []byte) []byte {
	numbers := map[string]string{}
	body = madeID.ReplaceAllFunc(body, func(id []byte) []byte {
		text := string(id)
		if m.isRecorded(text) {
			return id
		}
		if numbers[text] == "" {
			numbers[text] = madeID.FindStringSubmatch(text)[1] + "made" + strconv.Itoa(len(numbers)+1)
		}
		return []byte(numbers[text])
	})
	body = madeTime.ReplaceAllFunc(body, func(member []byte) []byte {
		if m.isRecorded(string(member)) {
			return member
		}
		return madeTime.ReplaceAll(member, []byte(`"$1":0`))
	})
	return madeDuration.ReplaceAll(body, []byte(`"$1":0`))
}

// isRecorded reports whether the text occurs in the trace entries.
func (m *maker) isRecorded(text string) bool {
	for i := range m.entries {
		e := &m.entries[i]
		if bytes.Contains(e.Data, []byte(text)) || bytes.Contains(e.Body, []byte(text)) {
			return true
		}
		if r, err := e.ProviderAnswer(); e.Kind == trace.KindReceived && err == nil && bytes.Contains(r.Body, []byte(text)) {
			return true
		}
	}
	return false
}

// lastReceived returns the last response of a provider, nil if there is none.
func (m *maker) lastReceived() (last *trace.Received) {
	for i := range m.entries {
		if e := &m.entries[i]; e.Kind == trace.KindReceived {
			if r, err := e.ProviderAnswer(); err == nil && r.Skipped == 0 {
				last = r
			}
		}
	}
	return last
}

// providers adds the request and response bodies of each provider, for all attempts.
func (m *maker) providers(add func(string, []byte)) {
	n, try := 0, 0
	for i := range m.entries {
		e := &m.entries[i]
		switch e.Kind {
		case trace.KindSent:
			n, try = n+1, 0
			add("provider/"+strconv.Itoa(n)+"/request.json", lineEnded(e.Data))
		case trace.KindReceived:
			r, err := e.ProviderAnswer()
			if err != nil {
				continue
			}
			at := "provider/" + strconv.Itoa(max(n, 1)) + "/"
			if try++; try > 1 {
				at += "try-" + strconv.Itoa(try) + "-"
			}
			add(at+"request"+headersEnding, headerLines(r.Sent))
			add(at+"answer"+headersEnding, answerLines(r))
			add(at+"answer.body", r.Body)
		}
	}
}

// headerLines returns a header as sorted lines "Name: value".
func headerLines(h map[string]string) []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(h)) {
		fmt.Fprintf(&b, "%s: %s\n", name, h[name])
	}
	return b.Bytes()
}

// answerLines returns the status and the headers of a response as lines, and how it ended.
func answerLines(r *trace.Received) []byte {
	flat := map[string]string{}
	for name, values := range r.Header {
		flat[name] = strings.Join(values, ", ")
	}
	var b bytes.Buffer
	switch {
	case r.Skipped > 0:
		fmt.Fprintf(&b, "# not sent for %v, because an earlier request failed: %s\n", r.Skipped, r.Kind)
	case r.Status == 0:
		fmt.Fprintf(&b, "# no answer\n")
	default:
		fmt.Fprintf(&b, "# provider %s, API %s\nHTTP %d\n", r.Provider, r.Wire, r.Status)
	}
	b.Write(headerLines(flat))
	if r.Withheld {
		b.WriteString("# the body concerns the key, and was not recorded\n")
	}
	if r.Broken != "" {
		fmt.Fprintf(&b, "# ended by: %s\n", r.Broken)
	}
	if r.Size > int64(len(r.Body)) {
		fmt.Fprintf(&b, "# %d of %d bytes were recorded\n", len(r.Body), r.Size)
	}
	return b.Bytes()
}

// marshalIndent returns a value as indented JSON with a final newline, nil on error.
func marshalIndent(v any) []byte {
	text, err := jsonx.Marshal(v)
	if err != nil {
		return nil
	}
	var out bytes.Buffer
	if json.Indent(&out, text, "", "  ") != nil {
		return nil
	}
	return lineEnded(out.Bytes())
}

// lineEnded returns text with a newline at the end, unless text is empty or already has one.
func lineEnded(text []byte) []byte {
	if len(text) == 0 || text[len(text)-1] == '\n' {
		return text
	}
	return append(bytes.Clone(text), '\n')
}
