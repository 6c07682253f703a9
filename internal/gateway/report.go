package gateway

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/sse"
)

// reportHeader is the response header with the id and a summary of the report. In a request, the value "body" asks for
// the whole report in the response body.
const reportHeader = "Callwright-Report"

// headerOf returns the value of the report header for a response that is not streamed, or for an error.
func headerOf(rep *callwright.Report, came outcome.Outcome) string {
	return "id=" + rep.ID + "; attempts=" + strconv.Itoa(len(rep.Attempts)) + "; notes=" + strconv.Itoa(len(rep.Notes)) +
		"; mode=" + string(rep.Mode) + "; untouched=" + strconv.FormatBool(rep.Untouched) +
		"; outcome=" + string(came)
}

// A shownReport is a report for clients, with the outcome of the request and the class of the failure that was
// repaired.
type shownReport struct {
	*callwright.Report
	Outcome outcome.Outcome `json:"outcome"`
	Class   string          `json:"class,omitempty"`
}

// withOutcome returns rep with the outcome of the request, which must be decided.
func (x *exchange) withOutcome(rep *callwright.Report) shownReport {
	came, class := x.ending.Outcome()
	return shownReport{rep, came, class}
}

// withReport adds the report to a JSON object as its last member, "callwright". It returns body unchanged if it is not
// an object.
func withReport(body []byte, rep shownReport) []byte {
	doc := jsonx.Trim(body)
	text, err := json.Marshal(rep)
	if err != nil || len(doc) < 2 || doc[len(doc)-1] != '}' {
		return body
	}
	out := append([]byte(nil), doc[:len(doc)-1]...)
	if len(jsonx.Trim(doc[1:len(doc)-1])) > 0 {
		out = append(out, ',')
	}
	out = append(out, `"callwright":`...)
	return append(append(out, text...), '}')
}

// appendReportLine appends the report to a stream of JSON lines, as {"callwright":...} on one line.
func appendReportLine(dst []byte, rep shownReport) []byte {
	return append(append(dst, withReport([]byte("{}"), rep)...), '\n')
}

// appendReportComment appends the report to an event stream as a comment, which clients ignore.
func appendReportComment(dst []byte, rep shownReport) []byte {
	text, err := json.Marshal(rep)
	if err != nil {
		return dst
	}
	return sse.AppendComment(dst, "callwright "+string(text))
}

func (s *Server) showReport(_ wire.Codec, x *exchange, r *http.Request) error {
	id := x.id
	kept, err := s.cfg.Reports.Find(r.Context(), archive.Key{Owner: s.reportOwner(x, r), ID: id})
	if err != nil {
		return s.storeError(r, id, err, &callwright.Error{Kind: callwright.KindNotFound,
			Message: "no report " + strconv.Quote(callwright.Excerpt(id)) + " is kept for this key"})
	}
	shown := shownReport{Report: kept.Report, Outcome: kept.Came()}
	if shown.Outcome == outcome.Healed {
		shown.Class = outcome.Class(kept.Report)
	}
	body, err := json.MarshalIndent(shown, "", "  ")
	if err != nil {
		return err
	}
	x.Header().Set("Content-Type", "application/json")
	_, _ = x.Write(append(body, '\n'))
	return nil
}
