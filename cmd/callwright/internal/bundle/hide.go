package bundle

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/casefile"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/redact"
	"github.com/callwright/callwright/internal/trace"
)

// hide finds the secrets in the input's entries and sets m.entries to the entries without them.
func (m *maker) hide() error {
	m.scan.Learn("credential in the configuration", m.in.Credentials...)
	look := change(func(text string) string {
		m.scan.Look([]byte(text))
		return text
	})
	for _, e := range m.in.Entries {
		if e.Redacted {
			return casefile.ErrContent
		}
		look.entry(e)
	}
	turn := 0
	for _, e := range m.in.Entries {
		if e.Kind == trace.KindSent {
			turn++
		}
		place := placeOf(&e, turn)
		hide := change(func(text string) string { return string(m.scan.Hide(place, []byte(text))) })
		m.entries = append(m.entries, hide.entry(e))
	}
	for i := range m.entries {
		switch e := &m.entries[i]; e.Kind {
		case trace.KindRequest:
			m.asked, m.end = e, nil
		case trace.KindAnswer, trace.KindError:
			m.end = e
		}
	}
	if m.asked == nil {
		return errors.New("the trace entries have no request")
	}
	return nil
}

// placeOf returns the name of an entry for the list of removed secrets, such as "provider/2/request". turn is the
// number of requests to providers up to the entry.
func placeOf(e *trace.Entry, turn int) string {
	switch e.Kind {
	case trace.KindRequest:
		return "client/request"
	case trace.KindSent:
		return "provider/" + strconv.Itoa(turn) + "/request"
	case trace.KindReceived:
		return "provider/" + strconv.Itoa(max(turn, 1)) + "/answer"
	case trace.KindAnswer, trace.KindError:
		return "client/answer"
	}
	return string(e.Kind)
}

// A change is a function that is applied to each text of an entry: one collects secrets, another removes them.
type change func(text string) string

// entry returns a copy of an entry with the change applied to its texts.
func (c change) entry(e trace.Entry) trace.Entry {
	e.Header = c.header(e.Header)
	e.Key, e.Group, e.Session = c(e.Key), c(e.Group), c(e.Session)
	e.Body = c.json(e.Body)
	if r, err := e.ProviderAnswer(); e.Kind == trace.KindReceived && err == nil {
		c.answer(r)
		e.Data = r.Data()
	} else {
		e.Data = c.json(e.Data)
	}
	e.Notes = c.notes(e.Notes)
	e.Failure = c.failure(e.Failure)
	return e
}

// json applies the change to JSON text. If the result is not valid JSON, it is replaced by a placeholder string.
func (c change) json(text json.RawMessage) json.RawMessage {
	if text == nil {
		return nil
	}
	out := json.RawMessage(c(string(text)))
	if jsonx.Valid(text) == nil && jsonx.Valid(out) != nil {
		return jsonx.AppendQuote(nil, redact.Mark)
	}
	return out
}

// header applies the change to each header value together with its name, because the name can identify a secret.
func (c change) header(h map[string]string) map[string]string {
	if h == nil {
		return nil
	}
	out := map[string]string{}
	for name, value := range h {
		out[name] = c.field(name, value)
	}
	return out
}

func (c change) field(name, value string) string {
	line := c(name + ": " + value)
	value, ok := strings.CutPrefix(line, name+": ")
	if !ok {
		return redact.Mark
	}
	return value
}

func (c change) answer(r *trace.Received) {
	left := r.Size - int64(len(r.Body))
	r.Body = []byte(c(string(r.Body)))
	r.Size = left + int64(len(r.Body))
	r.Broken, r.Sent = c(r.Broken), c.header(r.Sent)
	for name, values := range r.Header {
		for i := range values {
			values[i] = c.field(name, values[i])
		}
	}
}

func (c change) notes(list []callwright.Note) []callwright.Note {
	var out []callwright.Note
	for _, n := range list {
		n.Was, n.Now, n.Why, n.Path = c(n.Was), c(n.Now), c(n.Why), c(n.Path)
		out = append(out, n)
	}
	return out
}

func (c change) failure(e *callwright.Error) *callwright.Error {
	if e == nil {
		return nil
	}
	out := *e
	for _, text := range []*string{&out.Message, &out.Code, &out.Path, &out.Recovered, &out.Said} {
		*text = c(*text)
	}
	out.Body = []byte(c(string(out.Body)))
	if out.Err != nil {
		out.Err = errText(c(out.Err.Error()))
	}
	out.Report = c.report(out.Report)
	return &out
}

func (c change) report(r *callwright.Report) *callwright.Report {
	if r == nil {
		return nil
	}
	out := *r
	out.Notes = c.notes(r.Notes)
	out.Attempts = slices.Clone(r.Attempts)
	for i := range out.Attempts {
		out.Attempts[i].Error = c(out.Attempts[i].Error)
	}
	out.Invalid = slices.Clone(r.Invalid)
	for i := range out.Invalid {
		call := &out.Invalid[i]
		call.Raw, call.Violations = c(call.Raw), slices.Clone(call.Violations)
		for k := range call.Violations {
			call.Violations[k].Message = c(call.Violations[k].Message)
		}
	}
	return &out
}

// An errText is an error that consists of its text.
type errText string

func (e errText) Error() string { return string(e) }
