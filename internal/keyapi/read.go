package keyapi

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/keyring"
	"github.com/callwright/callwright/internal/ledger"
)

// An Audit is the response with changes of keys and groups, the newest first.
type Audit struct {
	Events []keyring.Event `json:"events" jsonschema:"the changes, the newest first"`
}

// maxEvents is the maximum number of changes in a response.
const maxEvents = 1000

// maxNumber is the maximum number of a change in a query. All JSON parsers read integers up to it exactly (RFC 8259,
// section 6).
const maxNumber = 1 << 53

// invalid returns the error for an invalid query parameter.
func invalid(name, format string, args ...any) error {
	return callwright.Errorf("", callwright.KindInvalid, "", name+": "+format, args...)
}

func (a *API) showAudit(w http.ResponseWriter, r *http.Request, _ *request) error {
	q, err := auditQuery(r.URL.Query())
	if err != nil {
		return err
	}
	events, err := a.Ring.Audit(r.Context(), q)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, Audit{events})
}

// auditQuery parses the query parameters of the audit.
func auditQuery(v url.Values) (q keyring.Query, err error) {
	q = keyring.Query{Kind: keyring.Kind(v.Get("kind")), Name: v.Get("name"), Who: v.Get("who")}
	if q.Kind != "" && q.Kind != keyring.KeyKind && q.Kind != keyring.GroupKind || v.Has("kind") && q.Kind == "" {
		return q, invalid("kind", "expected key or group, got %q", callwright.Excerpt(string(q.Kind)))
	}
	for _, p := range []struct {
		name string
		to   *time.Time
	}{{"from", &q.From}, {"to", &q.To}} {
		if !v.Has(p.name) {
			continue
		}
		if *p.to, err = time.Parse(time.RFC3339, v.Get(p.name)); err != nil {
			return q, invalid(p.name, "expected a time such as 2026-03-14T12:00:00Z, got %q", callwright.Excerpt(v.Get(p.name)))
		}
	}
	if v.Has("before") {
		if q.Before, err = strconv.ParseUint(v.Get("before"), 10, 63); err != nil || q.Before == 0 || q.Before > maxNumber {
			return q, invalid("before", "expected the number of an event, got %q", callwright.Excerpt(v.Get("before")))
		}
	}
	if v.Has("limit") {
		if q.Limit, err = strconv.Atoi(v.Get("limit")); err != nil || q.Limit < 1 || q.Limit > maxEvents {
			return q, invalid("limit", "expected a number from 1 to %d, got %q", maxEvents, callwright.Excerpt(v.Get("limit")))
		}
	}
	return q, nil
}

// Usage answers with the usage of the caller. With the query parameter by, it answers with a table of usage by key,
// group, model or day, as JSON or CSV. A key without the verb admin gets only its own use.
func (a *API) Usage(w http.ResponseWriter, r *http.Request, c *access.Caller) error {
	v := r.URL.Query()
	form := v.Get("format")
	if form != "" && form != "json" && form != "csv" || v.Has("format") && form == "" {
		return invalid("format", "expected json or csv, got %q", callwright.Excerpt(form))
	}
	for _, name := range []string{"from", "to"} {
		if err := ledger.ParseDay(name, v.Get(name)); err != nil || v.Has(name) && v.Get(name) == "" {
			return invalid(name, "expected a day such as 2026-03-14, got %q", callwright.Excerpt(v.Get(name)))
		}
	}
	if !v.Has("by") {
		return answer(w, http.StatusOK, c.Usage(r.Context()))
	}
	by, err := ledger.ParseColumns(v.Get("by"))
	if err != nil {
		return err
	}
	q := ledger.Query{By: by, From: v.Get("from"), To: v.Get("to")}
	if v.Has("key") {
		key := v.Get("key")
		q.Key = &key
	}
	if !c.Can(access.Admin) {
		if q.Key != nil && *q.Key != c.Name {
			return c.May(access.Admin)
		}
		q.Key = &c.Name
	}
	t, err := a.Book.Table(r.Context(), q)
	if err != nil {
		return err
	}
	w.Header().Add("Vary", "Accept")
	if form == "csv" || form == "" && wantsCSV(r) {
		w.Header().Set("Content-Type", "text/csv; charset=utf-8; header=present")
		return t.WriteCSV(w)
	}
	return answer(w, http.StatusOK, t)
}

// wantsCSV reports whether the Accept header of a request contains text/csv and not application/json.
func wantsCSV(r *http.Request) bool {
	var types []string
	for _, list := range r.Header["Accept"] {
		for one := range strings.SplitSeq(list, ",") {
			name, _, _ := strings.Cut(one, ";")
			types = append(types, strings.ToLower(strings.TrimSpace(name)))
		}
	}
	return slices.Contains(types, "text/csv") && !slices.Contains(types, "application/json")
}
