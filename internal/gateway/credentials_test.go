package gateway_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

// TestCredentialsOfRequests: what a request of any API has of credentials for servers of tools is in no error, report, log or trace, whichever API
// the provider speaks, and whatever it answers.
func TestCredentialsOfRequests(t *testing.T) {
	const token = "mcp-token-0123456789"
	label := strings.Repeat("a", 1200) // lists of tools that are longer than 1 KB are known when they come again
	requests := map[string]string{
		"/v1/responses": `{"model":"MODEL","input":"hi","tools":[{"type":"mcp","server_label":"` + label + `","server_url":"https://a.test","authorization":"` + token + `"}]`,
		chat:            `{"model":"MODEL","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"mcp","server_label":"` + label + `","headers":{"Authorization":"Bearer ` + token + `"}}]`,
		messages:        `{"model":"MODEL","max_tokens":9,"messages":[{"role":"user","content":"hi"}],"mcp_servers":[{"type":"url","url":"https://a.test","name":"a","authorization_token":"` + token + `"}]`,
		"/api/chat":     `{"model":"MODEL","messages":[{"role":"user","content":"hi"}],"mcp_servers":[{"authorization_token":"` + token + `"}]`,
		"/v1beta/models/MODEL:generateContent": `{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"tools":[{"mcpServers":[{"name":"` + label + `","streamableHttpTransport":{"url":"https://a.test","headers":{"X-Key":"` +
			token + `"}}}]}]`,
	}
	fake := simulate.New(func(simulate.Seen) simulate.Turn { return simulate.Turn{Text: "hello"} })
	refuses := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		said := string(jsonx.AppendQuote(nil, "cannot read "+string(body)+" "+token))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":{"message":`+said+`,"status":"INVALID_ARGUMENT","type":"invalid_request_error"}}`)
	})
	for name, upstream := range map[string]http.Handler{"answers": fake, "refuses": refuses} {
		var file bytes.Buffer
		log, w := &logged{}, trace.NewWriter(&file)
		d := models(t, upstream)
		srv := serve(t, gateway.Config{Models: d, Logger: slog.New(slog.NewJSONHandler(log, nil)), Record: func(m callwright.Model) callwright.Model { return trace.Record(m, w) }})
		for path, body := range requests {
			for _, far := range codecs.All() {
				for _, more := range []string{"}", `,"stream":true}`, `,"max_output_tokens":{"oddly":"` + token + `"},"temperature":"` + token + `"}`} {
					model := string(far.Name()) + "/native"
					got := post(t, srv.URL+strings.ReplaceAll(path, "MODEL", model), strings.ReplaceAll(body, "MODEL", model)+more, "Callwright-Report", "body")
					kept := get(t, srv.URL+"/callwright/reports/"+reportID(got))
					if kept.status != 200 || strings.Contains(kept.body, token) || strings.Contains(got.body, token) {
						t.Errorf("%s: %s to %s with %q: %d %s\nreport %d %s", name, path, far.Name(), more, got.status, got.body, kept.status, kept.body)
					}
				}
			}
		}
		srv.Close()
		if log := log.text.String(); strings.Contains(log, token) || len(log) == 0 {
			t.Errorf("%s: the log has it: %s", name, log)
		}
		if text := file.String(); w.Err() != nil || strings.Contains(text, token) || !strings.Contains(text, "[redacted]") {
			t.Errorf("%s: %v, the trace has it: %s", name, w.Err(), text)
		}
	}
}
