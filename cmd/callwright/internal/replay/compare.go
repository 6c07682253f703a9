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

// A record contains the provider requests for a request, and its response or error.
type record struct {
	sent    [][]byte
	resp    *callwright.Response // the partial response in case of an error; nil for none
	failed  *callwright.Error
	report  *callwright.Report // report of a reliable client
	partial bool               // the response was not read to its end
	entries []trace.Entry      // trace entries of the replay
}

// readRecord returns the recorded provider requests and the recorded result of the request.
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

// askedModels returns the distinct models that the recorded request was sent to.
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

// leftEarly reports whether the client did not wait for the end of the response: it is partial, or the request was
// canceled or timed out.
func (r *record) leftEarly() bool {
	return r.partial || r.failed != nil && (r.failed.Kind == callwright.KindCanceled || r.failed.Kind == callwright.KindTimeout)
}

// compare returns the differences between the recorded result (was) and the result of the replay (now).
func compare(ids ids, was, now *record) []trace.Difference {
	if was.leftEarly() {
		return ids.differences(was.beginning(), now.beginningLike(was))
	}
	return ids.differences(was.document(), now.document())
}

// A document is the JSON form in which two records are compared.
type document struct {
	Sent   []json.RawMessage `json:"sent"`
	Answer json.RawMessage   `json:"answer,omitempty"`
	Error  *failure          `json:"error,omitempty"`
}

// A failure is the JSON form in which two errors are compared.
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

// ofConnection are the error kinds of connections and keys. Their messages differ between runs and are not compared.
var ofConnection = []callwright.Kind{callwright.KindUnavailable, callwright.KindTimeout, callwright.KindCanceled,
	callwright.KindTruncated, callwright.KindAuth}

// failureOf returns an error without the parts that depend on the time or the connection.
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

// stableReport returns a report without the parts that differ between two runs of a request: ids, times, retries, keys,
// hosts, the fingerprint, and the reason for the choice among a group of models.
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
			out.Notes[i].Why = "" // contains counts at that time
		}
	}
	return &out
}

// answerOf returns a response as JSON, nil if resp is nil.
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

// document returns the record as JSON without the parts that differ between runs.
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

// beginning returns the parts of an incomplete response as JSON.
func (r *record) beginning() []byte {
	var parts []callwright.Part
	if r.resp != nil {
		parts = r.resp.Parts
	}
	return marshal(document{Answer: answerOf(&callwright.Response{Parts: parts})})
}

// beginningLike returns as many parts of the response as was has. The last part is cut like that of was.
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

// cutLike returns p cut to the length of like, if like is a prefix of p; else p.
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
