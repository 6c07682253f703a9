package gateway

import (
	"container/list"
	"encoding/json"
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

// appendReportLine adds the report to lines of JSON as a line of its own, after the last one.
func appendReportLine(dst []byte, rep *callwright.Report) []byte {
	return append(append(dst, withReport([]byte("{}"), rep)...), '\n')
}

// appendReportComment adds the report to a stream as a comment, which every client skips.
func appendReportComment(dst []byte, rep *callwright.Report) []byte {
	text, err := json.Marshal(rep)
	if err != nil {
		return dst
	}
	return sse.AppendComment(dst, "callwright "+string(text))
}

// What is kept of reports, the newest ones: how many, and about how many bytes of them.
const (
	reportsKept = 1000
	reportBytes = 8 << 20
)

// A reportKey is a report's id for the one who asked: nobody else reads it.
type reportKey struct {
	owner owner
	id    string
}

type keptReport struct {
	key    reportKey
	report *callwright.Report
	size   int
}

// reports keeps the newest reports. It is safe for concurrent use.
type reports struct {
	mu    sync.Mutex
	byKey map[reportKey]*list.Element
	order *list.List // the reports as *keptReport, the oldest first
	bytes int
}

func newReports() *reports { return &reports{byKey: map[reportKey]*list.Element{}, order: list.New()} }

func (r *reports) keep(o owner, rep *callwright.Report) {
	if rep == nil {
		return
	}
	k := &keptReport{reportKey{o, rep.ID}, rep, reportSize(rep)}
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.byKey[k.key]; e != nil {
		r.drop(e)
	}
	r.byKey[k.key] = r.order.PushBack(k)
	for r.bytes += k.size; r.bytes > reportBytes || r.order.Len() > reportsKept; {
		r.drop(r.order.Front())
	}
}

func (r *reports) drop(e *list.Element) {
	k := r.order.Remove(e).(*keptReport)
	delete(r.byKey, k.key)
	r.bytes -= k.size
}

func (r *reports) find(o owner, id string) *callwright.Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.byKey[reportKey{o, id}]; e != nil {
		return e.Value.(*keptReport).report
	}
	return nil
}

// reportSize returns about how many bytes a report holds.
func reportSize(rep *callwright.Report) int {
	n := 512 + len(rep.ID) + len(rep.Model)
	for i := range rep.Notes {
		t := &rep.Notes[i]
		n += 160 + len(t.Call) + len(t.Path) + len(t.Was) + len(t.Now) + len(t.Why)
	}
	for i := range rep.Attempts {
		n += 256 + len(rep.Attempts[i].Error) + len(rep.Attempts[i].Usage.Extra.JSON)
	}
	for i := range rep.Invalid {
		c := &rep.Invalid[i]
		n += 96 + len(c.Name) + len(c.ID) + len(c.Raw)
		for _, v := range c.Violations {
			n += 48 + len(v.Path) + len(v.Keyword) + len(v.Message)
		}
	}
	return n
}

func (s *Server) showReport(_ wire.Codec, w http.ResponseWriter, r *http.Request) error {
	rep := s.reports.find(s.reader(r), r.PathValue("id"))
	if rep == nil {
		return &callwright.Error{Kind: callwright.KindNotFound, Message: "no report " + strconv.Quote(r.PathValue("id")) + " is kept for this key"}
	}
	body, err := json.MarshalIndent(rep, "", "  ")
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(append(body, '\n'))
	return nil
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
