package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/store/natstest"
	"github.com/callwright/callwright/internal/testcert"
)

// A gateway says who it is to NATS by a password, a file of credentials or a certificate. One that is refused does not start, and says what to look at.
func TestServeWithAGuardedNATS(t *testing.T) {
	needsLong(t)
	operator, good, expired := natstest.Operator(t)
	var made [3]natstest.Certificate
	for i := range made {
		made[i].Cert, made[i].Key = testcert.Write(t, t.TempDir(), "host", time.Now())
	}
	server, client, stranger := made[0], made[1], made[2]
	password, credentials := natstest.Start(t, natstest.Password("gateway", "sesame")).ClientURL(), natstest.Start(t, operator).ClientURL()
	certificate := natstest.Start(t, natstest.TLS(t, server, client)).ClientURL()
	env := map[string]string{"NATS_PASSWORD": "sesame", "OLD_PASSWORD": "open"}
	files := func(ca, cert natstest.Certificate) string {
		return fmt.Sprintf(`tls: {ca: %q, cert: %q, key: %q}`, ca.Cert, cert.Cert, cert.Key)
	}
	for name, c := range map[string]struct{ url, who, says string }{
		"a password":               {url: password, who: "user: gateway, password: env:NATS_PASSWORD"},
		"an old password":          {password, "user: gateway, password: env:OLD_PASSWORD", "state.nats.password"},
		"nobody":                   {password, `space: lab`, "state.nats.user"},
		"credentials":              {url: credentials, who: fmt.Sprintf("credentials: %q", good)},
		"expired credentials":      {credentials, fmt.Sprintf("credentials: %q", expired), "state.nats.credentials"},
		"a certificate":            {url: certificate, who: files(server, client)},
		"an unknown certificate":   {certificate, files(server, stranger), "state.nats.tls.cert"},
		"a server that is unknown": {certificate, files(stranger, client), "state.nats.tls.ca"},
	} {
		t.Run(name, func(t *testing.T) {
			conf := fmt.Sprintf("providers: {sim: {}}\nstate: {nats: {url: %q, %s}}\n", c.url, c.who)
			if c.says != "" {
				m := newMachine(t, conf)
				m.env = env
				status, _, said := m.do(t.Context(), "serve", "--listen", "127.0.0.1:0")
				if status != exitFailed || !strings.Contains(said, c.says) || strings.Contains(said, "sesame") {
					t.Errorf("status %d: %s", status, said)
				}
				return
			}
			s := serve(t, conf, env)
			if status, body := s.ask("sim/native", ""); status != http.StatusOK {
				t.Errorf("got %d %s", status, body)
			}
			if status, ready := s.fetch("/readyz", ""); status != http.StatusOK || strings.Contains(ready, "state") {
				t.Errorf("got %d %s", status, ready)
			}
			s.stop()
			if code := s.rest(); code != exitDone {
				t.Errorf("it ended with %d: %s", code, s.said)
			}
		})
	}
}
