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

// CaseName is the name of the file that callwright replay reads.
const CaseName = "case.txtar"

// files fills in the files, and the list of removed secrets. None of the files has a secret: one that would is left
// out, with a line that says so.
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
			b.Case, b.Replay = nil, Replayed{Why: "a secret could not be told from the rest of the case"}
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
			f.Data = []byte("This file is left out: a secret could not be told from the rest of it.\n")
		}
	}
	b.Removed = m.scan.ListRemoved()
	add("secrets.json", marshalIndent(map[string]any{"removed": b.Removed}))
	summary := b.Summary()
	if m.scan.Leaks(marshalIndent(summary)) { // a name in it is a secret
		summary = Summary{Finding: finding.Finding{Outcome: b.Finding.Outcome}, Case: summary.Case}
	}
	add(summaryName, marshalIndent(summary))
	b.Files = append([]File{{"issue.md", []byte(m.scan.Text(m.issue(b)))}}, b.Files...)
}

// hideSummary takes secrets out of the texts of the summary.
func (m *maker) hideSummary(b *Bundle) {
	b.ID, b.Replay.Why = m.scan.Text(b.ID), m.scan.Text(b.Replay.Why)
	b.Verdict.Reasons = slices.Clone(b.Verdict.Reasons)
	for i := range b.Verdict.Reasons {
		b.Verdict.Reasons[i].Says = m.scan.Text(b.Verdict.Reasons[i].Says)
	}
}

// headersEnding ends the names of files with the fields of a header.
const headersEnding = ".headers"

// client adds the client's request and its answer.
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

// clientAnswer is the answer as the client's API has it. The bytes that left are not recorded: they are written anew,
// but for a stream that went to the client as it came from the provider.
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

// Values that codecs make for an answer: ids, times and durations.
var (
	madeID       = regexp.MustCompile(`([a-z]+[_-])([A-Z2-7]{26}|[a-z2-7]{26})\b`)
	madeTime     = regexp.MustCompile(`"(created|created_at|completed_at)":(?:\d+|"[^"]*")`)
	madeDuration = regexp.MustCompile(`"([a-z_]*duration)":\d+`)
)

// stable is an encoded answer without the parts that differ each time: ids that are not in the record have numbers,
// times are 0.
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

// isRecorded reports whether a text stands in the record.
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

// lastReceived is the last answer of a provider, nil for none.
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

// providers adds the bodies that each provider was sent and sent back, all tries included.
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

// headerLines are fields of a header, sorted.
func headerLines(h map[string]string) []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(h)) {
		fmt.Fprintf(&b, "%s: %s\n", name, h[name])
	}
	return b.Bytes()
}

// answerLines are the status, the fields of the header and the end of an answer.
func answerLines(r *trace.Received) []byte {
	flat := map[string]string{}
	for name, values := range r.Header {
		flat[name] = strings.Join(values, ", ")
	}
	var b bytes.Buffer
	switch {
	case r.Skipped > 0:
		fmt.Fprintf(&b, "# not asked for %v, as an earlier request failed: %s\n", r.Skipped, r.Kind)
	case r.Status == 0:
		fmt.Fprintf(&b, "# no answer\n")
	default:
		fmt.Fprintf(&b, "# provider %s, API %s\nHTTP %d\n", r.Provider, r.Wire, r.Status)
	}
	b.Write(headerLines(flat))
	if r.Withheld {
		b.WriteString("# the body is about the key, and was not recorded\n")
	}
	if r.Broken != "" {
		fmt.Fprintf(&b, "# ended by: %s\n", r.Broken)
	}
	if r.Size > int64(len(r.Body)) {
		fmt.Fprintf(&b, "# %d of %d bytes were recorded\n", len(r.Body), r.Size)
	}
	return b.Bytes()
}

// marshalIndent is a value as JSON for people.
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

// lineEnded is a text that ends its last line.
func lineEnded(text []byte) []byte {
	if len(text) == 0 || text[len(text)-1] == '\n' {
		return text
	}
	return append(bytes.Clone(text), '\n')
}
