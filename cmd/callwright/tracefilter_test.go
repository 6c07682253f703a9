package main

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/dashboard"
	"github.com/callwright/callwright/internal/trace"
)

// A generated request is one of a folder of traces, with what it is asked for by.
type generated struct {
	id, key, session, said string
	tools                  []string
	kind                   callwright.Kind
	ended                  bool
}

// generateFolder writes requests in which the values of all filters are combined, and gives the folder with them, the latest first.
func generateFolder(t *testing.T) (dir string, all []generated) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "traces")
	log, err := trace.OpenFolder(dir, nil, trace.LogLimits{})
	if err != nil {
		t.Fatal(err)
	}
	put := func(e trace.Entry) {
		if err := log.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	began := time.Now().Add(-time.Hour).UTC()
	for i := range 2 * 3 * 4 * 5 {
		g := generated{
			id: fmt.Sprintf("rep_%03d", i), key: []string{"ada", "ben"}[i%2], session: []string{"", "s 1", "s2"}[i%3], ended: i%11 != 0,
			said: "Weather in " + []string{"Oslo", "Bergen", `"New" York`, "Østerås"}[i%4], kind: []callwright.Kind{"", "", callwright.KindTimeout, "", callwright.KindServer}[i%5],
			tools: [][]string{{"get_weather"}, {"get_weather", "look_up"}, nil, {"look_up"}}[i/2%4],
		}
		at := began.Add(time.Duration(i) * time.Second)
		asked, err := json.Marshal(map[string]any{"messages": []any{map[string]any{"role": "user", "parts": []any{map[string]any{"type": "text", "text": g.said}}}}})
		if err != nil {
			t.Fatal(err)
		}
		put(trace.Entry{Kind: trace.KindRequest, ID: g.id, Time: at, Model: "lab/one", Key: g.key, Session: g.session, Data: asked})
		switch {
		case !g.ended:
			g.tools, g.kind = nil, ""
		case g.kind != "":
			rep := &callwright.Report{ID: g.id}
			for _, name := range g.tools {
				rep.Invalid = append(rep.Invalid, callwright.InvalidCall{Name: name, Why: callwright.InvalidArguments})
			}
			put(trace.Entry{Kind: trace.KindError, ID: g.id, Time: at, Failure: &callwright.Error{Kind: g.kind, Message: "no luck", Report: rep}})
			g.said += "\nno luck\n" + strings.Join(g.tools, "\n")
		default:
			var parts []string
			for _, name := range g.tools {
				parts = append(parts, `{"type":"call","id":"c","name":"`+name+`","arguments":{"unit":"kelvin"}}`)
			}
			put(trace.Entry{Kind: trace.KindAnswer, ID: g.id, Time: at, Data: json.RawMessage(`{"parts":[` + strings.Join(parts, ",") + `],"report":{"untouched":true}}`)})
			if g.said += "\n" + strings.Join(g.tools, "\n"); len(g.tools) > 0 {
				g.said += "\nkelvin"
			}
		}
		all = append(all, g)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(all)
	return dir, all
}

// isAsked reports whether a form asks for the request.
func (g *generated) isAsked(form url.Values) bool {
	one := func(name, has string) bool { return form.Get(name) == "" || form.Get(name) == has }
	return one("key", g.key) && one("session", g.session) && one("error", string(g.kind)) &&
		!slices.ContainsFunc(form["tool"], func(name string) bool { return !slices.Contains(g.tools, name) }) &&
		!slices.ContainsFunc(form["text"], func(text string) bool {
			return !strings.Contains(strings.ToLower(g.said), strings.ToLower(strings.Trim(text, `"`)))
		})
}

var traceLink = regexp.MustCompile(`href="/ui/traces/(rep_\d+)\?`)

// TestTraceFilters: the list page and the command give the same requests for the same filters, and these are those that have what is asked for.
func TestTraceFilters(t *testing.T) {
	dir, all := generateFolder(t)
	pages := dashboard.New(dashboard.Config{Traces: trace.NewFolderReader(dir, nil, trace.LogLimits{})})
	empty := 0
	for _, form := range []url.Values{
		{}, {"key": {"ada"}}, {"key": {"Ada"}}, {"session": {"s 1"}}, {"session": {"s"}}, {"error": {"timeout"}}, {"error": {"provider_error"}, "key": {"ben"}},
		{"tool": {"get_weather"}}, {"tool": {"get_weather", "look_up"}}, {"tool": {"weather"}}, {"tool": {"look_up"}, "error": {"timeout"}},
		{"text": {"oslo"}}, {"text": {"WEATHER", "bergen"}}, {"text": {"oslo", "bergen"}}, {"text": {`"in oslo"`}}, {"text": {`"in bergen oslo"`}}, {"text": {"østerÅS"}}, {"text": {"luck"}}, {"text": {"kelvin"}},
		{"text": {"luck"}, "session": {"s2"}, "key": {"ada"}}, {"text": {"look_up"}}, {"text": {"user"}},
		{"key": {"ben"}, "session": {"s2"}, "tool": {"get_weather"}, "text": {"bergen"}}, {"key": {"ben"}, "tool": {"look_up"}, "text": {"kelvin"}},
	} {
		var want []string
		for _, g := range all {
			if g.isAsked(form) {
				want = append(want, g.id)
			}
		}
		if len(want) == 0 {
			empty++
		}
		flags := []string{"--limit", "1000"}
		for name, values := range form {
			for _, v := range values {
				flags = append(flags, "--"+name, v)
			}
		}
		var command []string
		for _, s := range listRequests(t, dir, flags...) {
			command = append(command, s.ID)
		}
		if !slices.Equal(command, want) {
			t.Errorf("%v: the command lists %v, expected %v", form, command, want)
		}
		if page := listedOnPages(t, pages, form); !slices.Equal(page, want) {
			t.Errorf("%v: the pages list %v, expected %v", form, page, want)
		}
	}
	if empty > 6 {
		t.Errorf("%d filters find nothing", empty)
	}
}

// listedOnPages are the requests on all pages of a list: each leads to the next one with the same filter.
func listedOnPages(t *testing.T, pages http.Handler, form url.Values) (ids []string) {
	t.Helper()
	for path := "/ui/traces?" + form.Encode(); path != ""; {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
		r.Host = "localhost:8787"
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, r)
		body := w.Body.String()
		if w.Code != http.StatusOK {
			t.Fatalf("%s: status %d, %s", path, w.Code, body)
		}
		for _, link := range traceLink.FindAllStringSubmatch(body, -1) {
			ids = append(ids, link[1])
		}
		before, _, more := strings.Cut(body, `" rel="next"`)
		if path = ""; more {
			path = html.UnescapeString(before[strings.LastIndex(before, `"`)+1:])
		}
	}
	return ids
}
