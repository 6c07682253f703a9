package bundle

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/bundle/internal/secretscan"
	"github.com/callwright/callwright/cmd/callwright/internal/casefile"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/trace"
)

// hide finds the secrets of the entries and takes them out.
func (m *maker) hide() error {
	m.scan.Learn("credential of the configuration", m.in.Credentials...)
	for i := range m.in.Entries {
		e := &m.in.Entries[i]
		if e.Redacted {
			return casefile.ErrContent
		}
		look(m.scan, e)
	}
	turn := 0
	for i := range m.in.Entries {
		if m.in.Entries[i].Kind == trace.KindSent {
			turn++
		}
		m.entries = append(m.entries, m.hideEntrySecrets(m.in.Entries[i], turn))
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
		return errors.New("the entries have no request")
	}
	return nil
}

// look finds the secrets of an entry.
func look(s *secretscan.Scan, e *trace.Entry) {
	s.Look(e.Data)
	s.Look(e.Body)
	for _, name := range []string{e.Key, e.Group, e.Session} {
		s.Look([]byte(name))
	}
	lookAtHeader(s, e.Header)
	if e.Kind == trace.KindReceived {
		if r, err := e.ProviderAnswer(); err == nil {
			s.Look(r.Body)
			s.Look([]byte(r.Broken))
			lookAtHeader(s, r.Sent)
			for name, values := range r.Header {
				s.Look([]byte(name + ": " + strings.Join(values, ", ")))
			}
		}
	}
	lookAtNotes(s, e.Notes)
	if f := e.Failure; f != nil {
		for _, text := range []string{f.Message, f.Code, f.Path, f.Recovered, f.Said, string(f.Body)} {
			s.Look([]byte(text))
		}
		if f.Err != nil {
			s.Look([]byte(f.Err.Error()))
		}
		if f.Report != nil {
			lookAtReport(s, f.Report)
		}
	}
}

func lookAtHeader(s *secretscan.Scan, h map[string]string) {
	for name, value := range h {
		s.Look([]byte(name + ": " + value))
	}
}

func lookAtNotes(s *secretscan.Scan, notes []callwright.Note) {
	for i := range notes {
		for _, text := range []string{notes[i].Was, notes[i].Now, notes[i].Why, notes[i].Path} {
			s.Look([]byte(text))
		}
	}
}

func lookAtReport(s *secretscan.Scan, r *callwright.Report) {
	lookAtNotes(s, r.Notes)
	for i := range r.Attempts {
		s.Look([]byte(r.Attempts[i].Error))
	}
	for i := range r.Invalid {
		s.Look([]byte(r.Invalid[i].Raw))
		for _, v := range r.Invalid[i].Violations {
			s.Look([]byte(v.Message))
		}
	}
}

// hideEntrySecrets is an entry without secrets.
func (m *maker) hideEntrySecrets(e trace.Entry, turn int) trace.Entry {
	place := placeOf(&e, turn)
	e.Header = m.hiddenHeader(place, e.Header)
	e.Key, e.Group, e.Session = m.text(place, e.Key), m.text(place, e.Group), m.text(place, e.Session)
	e.Body = m.json(place, e.Body)
	if e.Kind == trace.KindReceived {
		if r, err := e.ProviderAnswer(); err == nil {
			m.hideReceived(place, r)
			e.Data = r.Data()
		}
	} else {
		e.Data = m.json(place, e.Data)
	}
	e.Notes = m.notes(place, e.Notes)
	e.Failure = m.failure(place, e.Failure)
	return e
}

// placeOf names an entry as the list of removed secrets has it.
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

// json is a JSON text without secrets. One that is none any more is hidden whole.
func (m *maker) json(place string, text json.RawMessage) json.RawMessage {
	if text == nil {
		return nil
	}
	out := m.scan.Hide(place, text)
	if jsonx.Valid(text) == nil && jsonx.Valid(out) != nil {
		return jsonx.AppendQuote(nil, "[redacted]")
	}
	return out
}

// text is a text without secrets, which are counted as those of a place.
func (m *maker) text(place, text string) string { return string(m.scan.Hide(place, []byte(text))) }

func (m *maker) hiddenHeader(place string, h map[string]string) map[string]string {
	if h == nil {
		return nil
	}
	out := map[string]string{}
	for name, value := range h {
		out[name] = m.text(place, value)
	}
	return out
}

func (m *maker) hideReceived(place string, r *trace.Received) {
	left := r.Size - int64(len(r.Body))
	r.Body = m.scan.Hide(place, r.Body)
	r.Size = left + int64(len(r.Body))
	r.Broken, r.Sent = m.text(place, r.Broken), m.hiddenHeader(place, r.Sent)
	for name, values := range r.Header {
		for i := range values {
			values[i] = m.text(place, values[i])
		}
		r.Header[name] = values
	}
}

func (m *maker) notes(place string, list []callwright.Note) []callwright.Note {
	var out []callwright.Note
	for _, n := range list {
		n.Was, n.Now, n.Why, n.Path = m.text(place, n.Was), m.text(place, n.Now), m.text(place, n.Why), m.text(place, n.Path)
		out = append(out, n)
	}
	return out
}

// failure is an error without secrets. Its report is taken apart by its form in JSON.
func (m *maker) failure(place string, e *callwright.Error) *callwright.Error {
	if e == nil {
		return nil
	}
	out := *e
	for _, text := range []*string{&out.Message, &out.Code, &out.Path, &out.Recovered, &out.Said} {
		*text = m.text(place, *text)
	}
	out.Body = []byte(m.text(place, string(out.Body)))
	if out.Err != nil {
		out.Err = errText(m.text(place, out.Err.Error()))
	}
	if out.Report != nil {
		rep := *out.Report
		rep.Notes = m.notes(place, rep.Notes)
		rep.Attempts = append([]callwright.Attempt(nil), rep.Attempts...)
		for i := range rep.Attempts {
			rep.Attempts[i].Error = m.text(place, rep.Attempts[i].Error)
		}
		rep.Invalid = append([]callwright.InvalidCall(nil), rep.Invalid...)
		for i := range rep.Invalid {
			c := &rep.Invalid[i]
			c.Raw = m.text(place, c.Raw)
			c.Violations = append([]callwright.Violation(nil), c.Violations...)
			for k := range c.Violations {
				c.Violations[k].Message = m.text(place, c.Violations[k].Message)
			}
		}
		out.Report = &rep
	}
	return &out
}

// An errText is an error that is a text.
type errText string

func (e errText) Error() string { return string(e) }
