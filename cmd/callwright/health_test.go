package main

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/health"
)

// A sickLab is a provider that fails in the way that was set last: a status, or a word.
type sickLab struct {
	*httptest.Server
	way atomic.Pointer[string]
}

func newSickLab(t *testing.T) *sickLab {
	l := &sickLab{}
	l.set("")
	l.Server = httptest.NewServer(http.HandlerFunc(l.serve))
	t.Cleanup(l.Close)
	return l
}

// set has the provider fail in a way, "" for none.
func (l *sickLab) set(way string) { l.way.Store(&way) }

func (l *sickLab) serve(w http.ResponseWriter, r *http.Request) {
	const answer = `{"id":"1","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Rain."}}]}`
	way := *l.way.Load()
	_, _ = io.Copy(io.Discard, r.Body) // else the end of the connection is not seen
	h := w.Header()
	h.Set("Content-Type", "application/json")
	var status int
	switch fmt.Sscan(way, &status); {
	case status == http.StatusTooManyRequests:
		h.Set("Retry-After", "2")
		fallthrough
	case status > 0:
		w.WriteHeader(status)
		fmt.Fprint(w, `{"error":{"message":"no"}}`)
	case way == "hang up":
		if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_ = c.Close()
		}
	case way == "silent":
		<-r.Context().Done()
	case way == "cut":
		h.Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, `data: {"id":"1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Ra"}}]}`+"\n\n")
	case way == "page":
		h.Set("Content-Type", "text/html")
		fmt.Fprint(w, "<html>Welcome</html>")
	case way == "bad call":
		fmt.Fprint(w, strings.Replace(answer, `"content":"Rain."`, `"content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"get_weather","arguments":"{\"town\":1}"}}]`, 1))
	default:
		fmt.Fprint(w, answer)
	}
}

// An ailment is a way in which a gateway can be unwell.
type ailment struct {
	conf    string // LAB is the address of the provider, DIR a folder
	env     map[string]string
	flags   []string
	begin   func(p *patient) // before the requests
	way     string           // in which the provider fails
	model   string           // that is asked, three times
	body    string           // of the requests, where it is no plain question
	want    string           // a problem, with N in place of seconds
	more    string           // another problem that there may be
	broken  bool             // it is broken, not degraded
	unready bool             // and no request can be answered
	end     func(p *patient) // has it be over, with the provider
	stays   bool             // it does not end while the process runs
}

// A patient is a gateway with an ailment.
type patient struct {
	*served
	*sickLab
	dir     string
	over    bool
	browser *http.Client // nil until the overview was shown
}

const (
	plainLab   = "providers: {lab: {base_url: LAB/v1, max_retries: 0, discover: off}}\n"
	anyTimeLab = "providers: {lab: {base_url: LAB/v1, max_retries: 0, discover: off, timeouts: {first_byte: 50ms}}}\n"
	withAlias  = plainLab + "models: {fast: {model: lab/m, max_corrections: 0}}\n"
	withOther  = "providers: {lab: {base_url: LAB/v1, max_retries: 0, discover: off}, sim: {}}\nmodels: {fast: {model: lab/m, fallbacks: [sim/native]}}\n"
	needsCall  = `{"model":"fast","messages":[{"role":"user","content":"hi"}],"tool_choice":"required","tools":[{"type":"function","function":{"name":"get_weather",` +
		`"parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}]}`
	streamedAsk = `{"model":"lab/m","stream":true,"messages":[{"role":"user","content":"hi"}]}`
)

var ailments = map[string]ailment{
	"key refused":         {conf: plainLab, way: "401", model: "lab/m", want: "lab/m: 3 of 3 refused: key not accepted", broken: true},
	"no credit":           {conf: plainLab, way: "402", model: "lab/m", want: "lab/m: 3 of 3 refused: no credit left", broken: true},
	"permission denied":   {conf: plainLab, way: "403", model: "lab/m", want: "lab/m: 3 of 3 refused: permission denied", broken: true},
	"no such model":       {conf: withAlias, way: "404", model: "fast", want: "lab/m: 3 of 3 refused: no such model", broken: true},
	"rate limit":          {conf: plainLab, way: "429", model: "lab/m", want: "lab/m: 3 of 3 refused: rate limit reached; skipped for N s", broken: true},
	"server error":        {conf: plainLab, way: "500", model: "lab/m", want: "lab/m: 3 of 3 failed: error of the provider", broken: true},
	"overloaded":          {conf: plainLab, way: "529", model: "lab/m", want: "lab/m: 3 of 3 failed: provider overloaded", broken: true},
	"connection closed":   {conf: plainLab, way: "hang up", model: "lab/m", want: "lab/m: 3 of 3 failed: provider not reachable or not available", broken: true},
	"silent":              {conf: anyTimeLab, way: "silent", model: "lab/m", want: "lab/m: 3 of 3 failed: no answer in time", broken: true},
	"stream cut":          {conf: plainLab, way: "cut", model: "lab/m", body: streamedAsk, want: "lab/m: 3 of 3 failed: answer broken off", broken: true},
	"a page":              {conf: plainLab, way: "page", model: "lab/m", want: "lab/m: 3 of 3 failed: invalid answer", broken: true},
	"no call":             {conf: withAlias, model: "fast", body: needsCall, want: "lab/m: 3 of 3 failed: no tool call although one was required", broken: true},
	"invalid call":        {conf: withAlias, way: "bad call", model: "fast", body: needsCall, want: "lab/m: 3 of 3 failed: no usable answer after all corrections", broken: true},
	"only bad requests":   {conf: plainLab, way: "400", model: "lab/m", want: "lab/m: 3 of 3 refused: invalid request"},
	"always replaced":     {conf: withOther, way: "500", model: "fast", want: "lab/m: asked 3 times, answered 0, sim/native answers instead: 3 failed: error of the provider"},
	"skipped for its key": {conf: withOther, way: "401", model: "fast", want: "lab/m: asked 3 times, answered 0, sim/native answers instead: 3 refused: key not accepted; skipped for N s", end: newConfiguration},
	"open breaker": {conf: plainLab, way: "500", model: "lab/m", begin: func(p *patient) {
		for range 17 {
			p.ask("lab/m", "")
		}
	}, want: "lab/m: the circuit breaker is open: at least half of the last tries failed, the last one with 500 provider_error; N s left",
		more: "lab/m: 20 of 20 failed: error of the provider", broken: true, end: newConfiguration},
	"configuration refused": {conf: "providers: {sim: {}}\n", model: "sim/native", begin: func(p *patient) {
		p.fetch("/healthz", "") // its files are looked at from then on
		p.write(p.config, "providers: {sim: {}}\nmodels:\n  a: {modal: sim/native}\n")
		p.until("stays in use")
	}, want: "configuration: CONF:3:7: models.a.modal: unknown key \"modal\": did you mean model?; rejected Ns ago, the previous configuration stays in use", end: newConfiguration},
	"no key of a provider": {conf: "providers: {sim: {}, groq: {}}\n", model: "sim/native", want: "provider groq: credentials missing: providers.groq.api_key: GROQ_API_KEY is not set",
		end: func(p *patient) {
			p.write(p.config, "providers: {sim: {}}\n")
			p.until("configuration was reloaded")
		}},
	"no provider": {conf: "providers: {groq: {}}\n", want: "provider groq: credentials missing: providers.groq.api_key: GROQ_API_KEY is not set", unready: true, end: func(p *patient) {
		p.write(p.config, "providers: {sim: {}}\n")
		p.until("configuration was reloaded")
	}},
	"no file of a secret": {conf: "providers: {sim: {}, lab: {base_url: LAB/v1, api_key: \"file:DIR/none\", discover: off}}\n", model: "sim/native",
		want: "provider lab: credentials missing: providers.lab.api_key: the file DIR/none cannot be used: ", end: func(p *patient) { p.write(filepath.Join(p.dir, "none"), "sk-1") }},
	"no answer of a key's program": {conf: "providers: {lab: {base_url: LAB/v1, api_key: {command: [cat, DIR/token]}, max_retries: 0, discover: off}}\n", model: "lab/m",
		want: "provider lab: credentials missing: ", more: "lab/m: 3 of 3 not sent: credentials missing", broken: true, end: func(p *patient) { p.write(filepath.Join(p.dir, "token"), "sk-1") }},
	"no metadata service": {conf: "providers: {vertex: {auth: {google: {project: p, location: global}}, max_retries: 0, discover: off}}\n", env: map[string]string{"GCE_METADATA_HOST": "127.0.0.1:1"}, model: "vertex/gemini-2.5-pro",
		want: "provider vertex: credentials missing: ", more: "vertex/gemini-2.5-pro: 3 of 3 not sent: credentials missing", broken: true, stays: true},
	"damaged keys": {conf: "keys: [sesame]\nkeys_file: DIR/keys.yaml\nproviders: {sim: {}}\n", model: "sim/native", begin: func(p *patient) { p.write(filepath.Join(p.dir, "keys.yaml"), "keys: [") },
		want: "keys_file: DIR/keys.yaml cannot be used, the previous keys stay in use: ", end: func(p *patient) { p.write(filepath.Join(p.dir, "keys.yaml"), "keys: []\n") }},
	"secret that is gone": {conf: "providers: {lab: {base_url: LAB/v1, api_key: \"file:DIR/secret\", max_retries: 0, discover: off}}\n", model: "lab/m", begin: func(p *patient) {
		p.ask("lab/m", "")
		_ = os.Remove(filepath.Join(p.dir, "secret"))
	}, want: "secret: the file DIR/secret cannot be read: no such file or directory; the previous secret is used", end: func(p *patient) { p.write(filepath.Join(p.dir, "secret"), "sk-2") }},
	"damaged facts": {conf: "state: {dir: DIR}\n" + plainLab, model: "lab/m", begin: func(p *patient) { p.write(filepath.Join(p.dir, "facts", "lab%2Fm.json"), `{"model":`) },
		want: "state: DIR/facts/lab%2Fm.json cannot be read: ", end: func(p *patient) { _ = os.Remove(filepath.Join(p.dir, "facts", "lab%2Fm.json")) }},
	"trace on a full disk": {conf: "providers: {sim: {}}\n", flags: []string{"--trace", "/dev/full"}, model: "sim/native", want: "trace: write /dev/full: no space left on device", stays: true},
}

// newConfiguration has the provider do well and the configuration read again.
func newConfiguration(p *patient) {
	text, err := os.ReadFile(p.config)
	if err != nil || strings.Contains(string(text), "modal") {
		text = []byte("providers: {sim: {}}\n")
	}
	p.write(p.config, string(text)+"# again\n")
	p.until("configuration was reloaded")
}

func (p *patient) write(file, text string) {
	p.t.Helper()
	if err := os.WriteFile(file+".new", []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		p.t.Fatal(err)
	}
}

var seconds = regexp.MustCompile(`\b\d+( s left|s ago| s$| s\b)`)

// said returns the lines of /readyz, the status, the command and the overview. Seconds are replaced by N.
func (p *patient) said() (ready, status, page, printed string) {
	p.t.Helper()
	var in struct {
		Status  string
		Reasons []string
	}
	code, text := p.fetch("/readyz", "sesame")
	if err := json.Unmarshal([]byte(text), &in); err != nil || (code == http.StatusOK) == (in.Status == "not ready") {
		p.t.Fatalf("got %d %s", code, text)
	}
	var s health.Status
	if _, text = p.fetch("/callwright/status", "sesame"); json.Unmarshal([]byte(text), &s) != nil {
		p.t.Fatalf("got %s", text)
	}
	page = p.overview()
	exit, printed, errs := command(p.t, "", "status", "--url", p.url, "--key", "sesame")
	if problems := strings.Contains(printed, "remedy: "); exit != exitDone && exit != exitFailed || problems != (exit == exitFailed) {
		p.t.Errorf("exit status %d: %s%s", exit, printed, errs)
	}
	if exit, _, errs := command(p.t, "", "status", "--ready", "--url", p.url); (exit == exitDone) != (code == http.StatusOK) || exit == exitMisused {
		p.t.Errorf("/readyz answers %d, and status --ready has the exit status %d: %s", code, exit, errs)
	}
	clean := func(text string) string {
		text = strings.NewReplacer(p.dir, "DIR", p.config, "CONF").Replace(text)
		return seconds.ReplaceAllString(text, "N$1")
	}
	return in.Status + "\n" + clean(strings.Join(in.Reasons, "\n")), clean(strings.Join(health.Lines(s.Problems), "\n")), clean(html.UnescapeString(page)), clean(printed)
}

// overview returns the first page of the dashboard, for which a gateway with keys wants a login.
func (p *patient) overview() string {
	p.t.Helper()
	read := func(resp *http.Response, err error) string {
		if err != nil {
			p.t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			p.t.Fatal(err)
		}
		return string(text)
	}
	if p.browser == nil {
		jar, err := cookiejar.New(nil)
		if err != nil {
			p.t.Fatal(err)
		}
		p.browser = &http.Client{Jar: jar}
	}
	page := read(p.browser.Get(p.served.url + "/ui/"))
	if _, form, ok := strings.Cut(page, `name="token" value="`); ok && strings.Contains(page, `type="password"`) {
		token, _, _ := strings.Cut(form, `"`)
		form := url.Values{"token": {token}, "next": {"/ui/"}, "key": {"sesame"}}
		r, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, p.served.url+"/ui/login", strings.NewReader(form.Encode()))
		if err != nil {
			p.t.Fatal(err)
		}
		r.Header = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Origin": {p.served.url}, "Sec-Fetch-Site": {"same-origin"}}
		page = read(p.browser.Do(r))
	}
	return page
}

// Each ailment is told in the same words by /readyz, the status, the overview and the command, and is told no more when it is over.
func TestAilments(t *testing.T) {
	for name, a := range ailments {
		t.Run(name, func(t *testing.T) {
			defer http.DefaultClient.CloseIdleConnections()
			p := &patient{sickLab: newSickLab(t), dir: t.TempDir()}
			for named, text := range map[string]string{"keys.yaml": "keys: []\n", "secret": "sk-1"} {
				if strings.Contains(a.conf, "DIR/"+named) {
					if err := os.WriteFile(filepath.Join(p.dir, named), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			p.served = serve(t, strings.NewReplacer("LAB", p.URL, "DIR", p.dir).Replace(a.conf), a.env, a.flags...)
			p.t = t
			defer func() {
				p.stop()
				p.rest()
			}()
			p.sickLab.set(a.way)
			if a.begin != nil {
				a.begin(p)
			}
			for range 3 {
				p.question(&a)
			}
			p.expect(&a)
			if a.stays {
				return
			}
			p.over = true
			p.sickLab.set("")
			if a.end != nil {
				a.end(p)
			}
			p.expectWell(&a)
		})
	}
}

// question asks the model of an ailment.
func (p *patient) question(a *ailment) {
	if a.model == "" {
		return
	}
	body := a.body
	if body == "" || p.over {
		body = `{"model":"` + a.model + `","messages":[{"role":"user","content":"hi"}]}`
	}
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, p.served.url+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer sesame")
	if resp, err := http.DefaultClient.Do(req); err == nil {
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
	}
}

func (p *patient) expect(a *ailment) {
	p.t.Helper()
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		ready, status, page, printed := p.said()
		missing := ""
		for place, text := range map[string]string{"/readyz": ready, "the status": status, "the overview": page, "the command": printed} {
			if !strings.Contains(text, a.want) || !strings.Contains(text, a.more) {
				missing = fmt.Sprintf("%s lacks %q: %s", place, a.want, text)
			}
		}
		severity, state := "degraded  ", "degraded"
		if a.broken {
			severity = "broken    "
		}
		if a.unready {
			state = "not ready"
		}
		if missing == "" && (!strings.HasPrefix(ready, state+"\n") || !strings.Contains(printed, severity+a.want)) {
			missing = fmt.Sprintf("expected %q and %q, got %s\n%s", state, severity, ready, printed)
		}
		if missing == "" {
			return
		}
		if time.Since(begun) > 5*time.Second {
			p.t.Fatal(missing)
		}
	}
}

// expectWell asks until all is well.
func (p *patient) expectWell(a *ailment) {
	p.t.Helper()
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		p.question(a)
		ready, status, page, printed := p.said()
		if ready == "ready\n" && status == "" && (strings.Contains(page, "All is well") || strings.Contains(page, "No problem is known")) && strings.Contains(printed, ": ready, up ") {
			return
		}
		if time.Since(begun) > 30*time.Second {
			p.t.Fatalf("it is not over: %s\n%s", ready, printed)
		}
	}
}
