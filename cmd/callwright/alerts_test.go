package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/alert"
)

// alertSecret is base64 of 24 bytes behind the prefix of Standard Webhooks.
const alertSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// A hook is a receiver of alerts. It refuses its first message, and checks signatures by their specification.
type hook struct {
	*httptest.Server
	events chan alert.Event
	wrong  chan string
	first  bool
	last   string // the id of the last message
}

func newHook(t *testing.T, signed bool) *hook {
	h := &hook{events: make(chan alert.Event, 100), wrong: make(chan string, 100), first: true}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if h.first || err != nil { // requests come one after another
			h.first = false
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		if got, want := r.Header.Get("Webhook-Signature"), signatureOf(t, r.Header, body, signed); got != want {
			h.wrong <- fmt.Sprintf("signature %q, want %q", got, want)
		}
		var e alert.Event
		if err := json.Unmarshal(body, &e); err != nil {
			h.wrong <- err.Error()
		}
		if id := r.Header.Get("Webhook-Id"); id != h.last { // a message may come twice, such as one on the way when the gateway ends
			h.last = id
			h.events <- e
		}
	}))
	t.Cleanup(h.Close)
	return h
}

// signatureOf is the signature of a message by https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md.
func signatureOf(t *testing.T, header http.Header, body []byte, signed bool) string {
	if !signed {
		return ""
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(alertSecret, "whsec_"))
	if err != nil {
		t.Error(err)
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", header.Get("Webhook-Id"), header.Get("Webhook-Timestamp"), body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// next returns the next event as a line.
func (h *hook) next(t *testing.T) string {
	t.Helper()
	select {
	case e := <-h.events:
		return e.Type + " " + e.Data.Subject + ": " + e.Data.Cause + " (" + e.Data.Remedy + ")"
	case text := <-h.wrong:
		t.Fatal(text)
	case <-t.Context().Done():
		t.Fatal("no event")
	}
	return ""
}

// A gateway tells a webhook when a provider refuses its key and when it accepts it again, and that a configuration is refused and another one used. Messages are
// signed where there is a secret, a message that was not taken is sent again, and events are left out that are not asked for. Neither the secret nor the
// token of the address is in the log.
func TestServeAlerts(t *testing.T) {
	for name, tt := range map[string]struct {
		conf   string
		signed bool
		want   []string
	}{
		"all, signed": {"secret: env:ALERT_SECRET, repeat_after: 5m", true, []string{
			"provider_key.refused lab/m: 3 of 3 refused: key not accepted", "provider_key.accepted lab/m: 3 of 3 refused",
			"configuration.refused configuration: ", "configuration.accepted configuration: "}},
		"some, not signed": {"events: [configuration, state]", false, []string{"configuration.refused configuration: ", "configuration.accepted configuration: "}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, lab := newHook(t, tt.signed), newSickLab(t)
			conf := "providers: {lab: {base_url: " + lab.URL + "/v1, max_retries: 0, discover: off}}\nalerts: {url: env:ALERT_URL, " + tt.conf + "}\n"
			s := serve(t, conf, map[string]string{"ALERT_URL": h.URL + "/canary-token", "ALERT_SECRET": alertSecret})
			p := &patient{served: s, sickLab: lab}
			lab.set("401")
			for range 3 {
				s.ask("lab/m", "")
			}
			expect := func(n int) {
				if got := h.next(t); !strings.HasPrefix(got, tt.want[n]) {
					t.Errorf("event %d: got %q, want %q", n, got, tt.want[n])
				}
			}
			at := 0
			if len(tt.want) > 2 {
				expect(0)
				lab.set("")
				s.ask("lab/m", "")
				expect(1)
				at = 2
			}
			p.write(s.config, "providers: {\n")
			p.until("stays in use")
			expect(at)
			p.write(s.config, conf)
			p.until("configuration was reloaded")
			expect(at + 1)
			s.stop()
			if code := s.rest(); code != exitDone {
				t.Errorf("exit status %d", code)
			}
			for _, canary := range []string{"canary-token", strings.TrimPrefix(alertSecret, "whsec_")} {
				if strings.Contains(s.said, canary) {
					t.Errorf("the log has %s:\n%s", canary, s.said)
				}
			}
			if !strings.Contains(s.said, "was not delivered") {
				t.Errorf("the log does not tell of the failed delivery:\n%s", s.said)
			}
		})
	}
}

// A gateway tells a webhook when a key has used up its budget, once.
func TestServeBudgetAlert(t *testing.T) {
	h, lab, dir := newHook(t, false), newPaidLab(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "prices.yaml"), []byte("lab/m: {input: 1000, output: 0}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serve(t, "keys: [{name: ci, key: sesame, spend: {usd: 1, per: day}}]\nprices_file: "+dir+"/prices.yaml\nproviders: {lab: {base_url: "+lab.URL+"/v1, discover: off}}\n"+
		"alerts: {url: "+h.URL+", events: [budget]}\n", nil)
	for range 3 {
		s.ask("lab/m", "sesame")
	}
	if got := h.next(t); !strings.HasPrefix(got, "budget.reached key ci: 100 % of a budget is used: 1 of 1 USD a day (raise the limit, or wait until ") {
		t.Errorf("got %q", got)
	}
	s.stop()
	s.rest()
	if len(h.events) > 0 {
		t.Errorf("a further event: %v", <-h.events)
	}
}
