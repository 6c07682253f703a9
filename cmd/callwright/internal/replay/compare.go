package replay

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/trace"
)

// A record holds the sent bodies of a request and its answer or error.
type record struct {
	sent    [][]byte
	resp    *callwright.Response // of an error what came before it, nil for nothing
	failed  *callwright.Error
	report  *callwright.Report // of a client
	partial bool               // the answer was not read to its end
	entries []trace.Entry      // of what was done again
}

// readRecord returns the trace's record of the request.
func (q *request) readRecord() (*record, error) {
	resp, err := q.outcome.Response()
	if err != nil {
		return nil, err
	}
	rec := &record{resp: resp, failed: q.outcome.Failure, partial: q.outcome.Partial}
	switch {
	case rec.failed != nil:
		rec.report = rec.failed.Report
	case resp != nil:
		rec.report = resp.Report
	}
	for i := range q.turns {
		if q.turns[i].Kind == trace.KindSent {
			rec.sent = append(rec.sent, q.turns[i].Data)
		}
	}
	return rec, nil
}

// askedModels are the models that were asked, each once.
func (r *record) askedModels() []callwright.ModelID {
	var out []callwright.ModelID
	if r.report == nil {
		return nil
	}
	for i := range r.report.Attempts {
		if m := r.report.Attempts[i].Model; !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

// leftEarly reports whether the client did not wait for the end of the answer: the answer is partial, or the request
// was canceled or timed out.
func (r *record) leftEarly() bool {
	return r.partial || r.failed != nil && (r.failed.Kind == callwright.KindCanceled || r.failed.Kind == callwright.KindTimeout)
}

// compare finds the places where the present result of a request differs from the recorded one.
func compare(ids ids, was, now *record) []trace.Difference {
	if was.leftEarly() {
		return ids.differences(was.beginning(), now.beginningLike(was))
	}
	return ids.differences(was.document(), now.document())
}

// A document is a record as JSON.
type document struct {
	Sent   []json.RawMessage `json:"sent"`
	Answer json.RawMessage   `json:"answer,omitempty"`
	Error  *failure          `json:"error,omitempty"`
}

// A failure is an error in a document.
type failure struct {
	Kind       callwright.Kind    `json:"kind"`
	Message    string             `json:"message,omitempty"`
	Model      callwright.ModelID `json:"model,omitempty"`
	Path       string             `json:"path,omitempty"`
	Status     int                `json:"status,omitempty"`
	Code       string             `json:"code,omitempty"`
	Feature    callwright.Feature `json:"feature,omitempty"`
	Recovered  string             `json:"recovered,omitempty"`
	Finish     callwright.Finish  `json:"finish,omitempty"`
	RetryAfter time.Duration      `json:"retry_after_ns,omitempty"`
	NoRetry    bool               `json:"no_retry,omitempty"`
	Report     *callwright.Report `json:"report,omitempty"`
}

// ofConnection are the kinds of errors about a connection, or about the key: their texts are not those of an answer.
var ofConnection = []callwright.Kind{callwright.KindUnavailable, callwright.KindTimeout, callwright.KindCanceled,
	callwright.KindTruncated, callwright.KindAuth}

// failureOf returns an error without the parts that depend on the moment and the connection.
func failureOf(e *callwright.Error) *failure {
	if e == nil {
		return nil
	}
	if slices.Contains(ofConnection, e.Kind) {
		return &failure{Kind: e.Kind, Model: e.Model, Report: stableReport(e.Report)}
	}
	return &failure{
		Kind: e.Kind, Message: e.Message, Model: e.Model, Path: e.Path, Status: e.Status, Code: e.Code, Feature: e.Feature,
		Recovered: e.Recovered,
		Finish:    e.Finish, RetryAfter: e.RetryAfter, NoRetry: e.NoRetry, Report: stableReport(e.Report),
	}
}

// stableReport returns a report without the parts that differ between two runs of the same request: ids, times, tries,
// keys, hosts, the fingerprint, the reason for the member of a group.
func stableReport(r *callwright.Report) *callwright.Report {
	if r == nil {
		return nil
	}
	out := *r
	out.ID, out.Fingerprint = "", ""
	out.Attempts = slices.Clone(r.Attempts)
	for i := range out.Attempts {
		a := &out.Attempts[i]
		a.Key, a.Host = "", ""
		if a.Duration, a.Tries = 0, 0; slices.Contains(ofConnection, a.Kind) {
			a.Error = ""
		}
	}
	out.Notes = slices.DeleteFunc(slices.Clone(r.Notes), func(n callwright.Note) bool {
		switch n.Rule {
		case "transport.retry", "transport.next_target", "transport.renewed_credentials", "plan.group": // requests to providers as they were then
			return true
		}
		return false
	})
	for i := range out.Notes {
		if strings.HasPrefix(out.Notes[i].Rule, "remedy.") {
			out.Notes[i].Why = "" // how often the remedy has helped by then
		}
	}
	return &out
}

// answerOf is an answer as JSON, nil for none.
func answerOf(resp *callwright.Response) json.RawMessage {
	if resp == nil {
		return nil
	}
	bare := *resp
	bare.Raw, bare.Report = nil, stableReport(resp.Report)
	b, err := conversation.MarshalResponse(&bare)
	if err != nil {
		return jsonx.AppendQuote(nil, err.Error())
	}
	return b
}

// document returns the record without the parts that depend on the moment.
func (r *record) document() []byte {
	d := document{Sent: []json.RawMessage{}, Answer: answerOf(r.resp), Error: failureOf(r.failed)}
	for _, body := range r.sent {
		if jsonx.Valid(body) != nil {
			body = jsonx.AppendQuote(nil, string(body))
		}
		d.Sent = append(d.Sent, body)
	}
	return marshal(d)
}

// beginning is the parts of an answer that was not waited for.
func (r *record) beginning() []byte {
	var parts []callwright.Part
	if r.resp != nil {
		parts = r.resp.Parts
	}
	return marshal(document{Answer: answerOf(&callwright.Response{Parts: parts})})
}

// beginningLike is the parts of an answer as far as they go in another, of which the last may have been cut.
func (r *record) beginningLike(was *record) []byte {
	var parts, old []callwright.Part
	if r.resp != nil {
		parts = r.resp.Parts
	}
	if was.resp != nil {
		old = was.resp.Parts
	}
	parts = slices.Clone(parts[:min(len(parts), len(old))])
	if n := len(parts); n > 0 && n == len(old) {
		parts[n-1] = cutLike(parts[n-1], old[n-1])
	}
	return marshal(document{Answer: answerOf(&callwright.Response{Parts: parts})})
}

// cutLike is a part that was cut where another ends, where it begins as that does.
func cutLike(p, like callwright.Part) callwright.Part {
	switch old := like.(type) {
	case callwright.Text:
		if now, ok := p.(callwright.Text); ok && strings.HasPrefix(now.Text, old.Text) {
			return old
		}
	case callwright.Reasoning:
		if now, ok := p.(callwright.Reasoning); ok && strings.HasPrefix(now.Text, old.Text) {
			return old
		}
	case callwright.Call:
		now, ok := p.(callwright.Call)
		if ok && now.Name == old.Name && bytes.HasPrefix(now.Arguments, old.Arguments) && strings.HasPrefix(now.Input, old.Input) {
			return old
		}
	}
	return p
}

func marshal(v any) []byte {
	b, err := jsonx.Marshal(v)
	if err != nil {
		return jsonx.AppendQuote(nil, err.Error())
	}
	return b
}
