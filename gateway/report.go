package gateway

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"strconv"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/sse"
	"github.com/callwright/callwright/wire"
)

// reportHeader names an answer's report; on a request, the value "body" asks for the report itself.
const reportHeader = "Callwright-Report"

func headerOf(rep *callwright.Report) string {
	return "id=" + rep.ID + "; attempts=" + strconv.Itoa(len(rep.Attempts)) + "; notes=" + strconv.Itoa(len(rep.Notes)) +
		"; mode=" + string(rep.Mode) + "; untouched=" + strconv.FormatBool(rep.Untouched)
}

// withReport puts the report into a JSON object as its last member, callwright.
func withReport(body []byte, rep *callwright.Report) []byte {
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

// appendReportComment adds the report to a stream as a comment, which every client skips.
func appendReportComment(dst []byte, rep *callwright.Report) []byte {
	text, err := json.Marshal(rep)
	if err != nil {
		return dst
	}
	return sse.AppendComment(dst, "callwright "+string(text))
}

// reportsKept is how many reports are kept, the newest ones.
const reportsKept = 1000

// reports keeps the newest reports by id.
type reports struct {
	mu   sync.Mutex
	byID map[string]*callwright.Report
	ring []string
	next int
}

func newReports() *reports {
	return &reports{byID: make(map[string]*callwright.Report), ring: make([]string, reportsKept)}
}

func (r *reports) keep(rep *callwright.Report) {
	if rep == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.byID, r.ring[r.next])
	r.ring[r.next], r.byID[rep.ID] = rep.ID, rep
	r.next = (r.next + 1) % len(r.ring)
}

func (r *reports) find(id string) *callwright.Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.byID[id]
}

func (s *Server) showReport(_ wire.Codec, w http.ResponseWriter, r *http.Request) error {
	rep := s.reports.find(r.PathValue("id"))
	if rep == nil {
		return &callwright.Error{Kind: callwright.KindNotFound, Message: "no report " + strconv.Quote(r.PathValue("id")) + " is kept"}
	}
	return writeJSON(w, rep)
}

func writeJSON(w http.ResponseWriter, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body)
	return nil
}

// logAnswer logs an answer that was changed; others only at debug level.
func (s *Server) logAnswer(r *http.Request, rep *callwright.Report) {
	level := slog.LevelInfo
	if rep.Untouched {
		level = slog.LevelDebug
	}
	if !s.cfg.Logger.Enabled(r.Context(), level) {
		return
	}
	rules := make([]string, 0, len(rep.Notes))
	for _, n := range rep.Notes {
		rules = append(rules, n.Rule)
	}
	s.cfg.Logger.LogAttrs(r.Context(), level, "answered", slog.String("path", r.URL.Path), slog.String("model", string(rep.Model)),
		slog.String("report", rep.ID), slog.Int("attempts", len(rep.Attempts)), slog.String("mode", string(rep.Mode)),
		slog.Bool("untouched", rep.Untouched), slog.Any("rules", rules))
}

func levelOf(status int) slog.Level {
	if status >= 500 {
		return slog.LevelError
	}
	return slog.LevelWarn
}

func failedAttrs(r *http.Request, e *callwright.Error, status int) []slog.Attr {
	out := []slog.Attr{slog.String("path", r.URL.Path), slog.Int("status", status), slog.String("kind", string(e.Kind))}
	if e.Model != "" {
		out = append(out, slog.String("model", string(e.Model)))
	}
	out = append(out, slog.String("error", e.Error()))
	if e.Report != nil {
		out = append(out, slog.String("report", e.Report.ID), slog.Int("attempts", len(e.Report.Attempts)))
	}
	return out
}
