package config_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
	gocmp "github.com/google/go-cmp/cmp"
)

// An upstreams is the transport of all providers. A model answers its requests in turn, the last answer again and again: "ok", or a status
// with a header "NAME=VALUE" and a body behind it, each of which may be missing.
type upstreams struct {
	mu      sync.Mutex
	answers map[string][]string
	asked   []string // the models, in the order of the requests
	counts  map[string]int
}

func (u *upstreams) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	for model, answers := range u.answers {
		if strings.Contains(string(body), `"model":"`+model+`"`) {
			answer := answers[min(u.counts[model], len(answers)-1)]
			u.counts[model]++
			u.asked = append(u.asked, model)
			return answerOf(r, answer, strings.Contains(string(body), `"stream":true`)), nil
		}
	}
	return nil, fmt.Errorf("no model for %s", body)
}

// take returns the models that were asked since the last take.
func (u *upstreams) take() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	asked := strings.Join(u.asked, " ")
	u.asked = nil
	return asked
}

// answerOf returns the answer of a script.
func answerOf(r *http.Request, script string, streamed bool) *http.Response {
	resp := &http.Response{StatusCode: 200, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Request: r, ContentLength: -1}
	resp.Header.Set("Content-Type", "application/json")
	body := `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}]}`
	switch parts := strings.SplitN(script, " ", 3); {
	case script != "ok":
		_, _ = fmt.Sscan(parts[0], &resp.StatusCode)
		body = `{"error":{"message":"no"}}`
		for _, part := range parts[1:] {
			if name, value, ok := strings.Cut(part, "="); ok && !strings.HasPrefix(part, "{") {
				resp.Header.Set(name, value)
			} else {
				body = part
			}
		}
	case streamed:
		resp.Header.Set("Content-Type", "text/event-stream")
		body = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":null}]}` + "\n\n" +
			`data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
	}
	resp.Body = io.NopCloser(strings.NewReader(body))
	return resp
}

// A waitStep is one request to the alias "m" and what becomes of it.
type waitStep struct {
	after  time.Duration // before the request
	asked  string        // the models that got a request
	waited time.Duration // at most; what is not said by a provider is shorter
	fails  string        // the kind of the error and its RetryAfter, "" for an answer
	report string        // a text in the error of the first attempt
}

// runWaits makes the requests of steps, whole and streamed, with a clock that runs only while all wait.
func runWaits(t *testing.T, settings string, answers map[string][]string, steps []waitStep) {
	for _, streamed := range []bool{false, true} {
		t.Run(map[bool]string{false: "whole", true: "streamed"}[streamed], func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				u := &upstreams{answers: answers, counts: map[string]int{}}
				r := registry(t, parse(t, "discover: off\nproviders: {lab: {base_url: 'http://lab.test/v1'}}\nmodels: {m: {model: lab/a, "+settings+"}}"),
					config.WithTransport(func(string, callwright.WireName, http.RoundTripper) http.RoundTripper { return u }))
				for i, s := range steps {
					time.Sleep(s.after)
					u.asked = nil
					began := time.Now()
					rep, err := askAlias(t.Context(), t, r, streamed)
					if d := gocmp.Diff(s.asked, strings.Join(u.asked, " ")); d != "" {
						t.Errorf("request %d: models asked: %s", i, d)
					}
					if waited := time.Since(began); waited > s.waited || waited < s.waited/2 {
						t.Errorf("request %d waited %s, expected %s", i, waited, s.waited)
					}
					fails := ""
					if err != nil {
						fails = strings.TrimSpace(fmt.Sprintf("%s %s", err.Kind, cmp.Or(err.RetryAfter, 0)))
					}
					if fails != s.fails {
						t.Errorf("request %d: expected the error %q, got %q: %v", i, s.fails, fails, err)
					}
					if !strings.Contains(rep.Attempts[0].Error, s.report) {
						t.Errorf("request %d: attempts %+v", i, rep.Attempts)
					}
				}
			})
		})
	}
}

// askAlias asks the alias and returns the report of the answer or of the error.
func askAlias(ctx context.Context, t *testing.T, r *config.Registry, streamed bool) (*callwright.Report, *callwright.Error) {
	client, err := r.Resolve("m")
	if err != nil {
		t.Fatal(err)
	}
	req := &callwright.Request{Model: "m", Messages: []callwright.Message{callwright.UserText("Hi")}}
	var resp *callwright.Response
	if streamed {
		resp, err = callwright.Collect(client.Stream(ctx, req))
	} else {
		resp, err = client.Generate(ctx, req)
	}
	if e, ok := err.(*callwright.Error); ok {
		return e.Report, e
	}
	if err != nil {
		t.Fatal(err)
	}
	return resp.Report, nil
}

// TestMaxRetryWait: a provider is waited for where it is soon, and no longer where a fallback is there.
func TestMaxRetryWait(t *testing.T) {
	limits := func(header string) map[string][]string {
		return map[string][]string{"a": {"429 " + header, "ok"}, "b": {"ok"}}
	}
	const none, fallback = "", "fallbacks: [lab/b]"
	for name, c := range map[string]struct {
		settings string
		answers  map[string][]string
		step     waitStep
	}{
		"long, with a fallback":           {fallback, limits("retry-after=60"), waitStep{asked: "a b"}},
		"short, with a fallback":          {fallback, limits("retry-after=2"), waitStep{asked: "a a", waited: 2 * time.Second}},
		"just too long, with a fallback":  {fallback, limits("retry-after-ms=2001"), waitStep{asked: "a b"}},
		"reset of requests":               {fallback, limits("x-ratelimit-reset-requests=1m0s"), waitStep{asked: "a b"}},
		"reset of tokens":                 {fallback, limits("x-ratelimit-reset-tokens=1.5s"), waitStep{asked: "a a", waited: 1500 * time.Millisecond}},
		"overloaded":                      {fallback, map[string][]string{"a": {"503 retry-after=30", "ok"}, "b": {"ok"}}, waitStep{asked: "a b"}},
		"nothing said":                    {fallback, map[string][]string{"a": {"500"}, "b": {"ok"}}, waitStep{asked: "a a a b", waited: 2 * time.Second}},
		"nothing said, many tries":        {fallback + ", max_retries: 9", map[string][]string{"a": {"500"}, "b": {"ok"}}, waitStep{asked: "a a a b", waited: 2 * time.Second}},
		"long, without a fallback":        {none, limits("retry-after=60"), waitStep{asked: "a", fails: "rate_limited 1m0s"}},
		"short, without a fallback":       {none, limits("retry-after=9"), waitStep{asked: "a a", waited: 9 * time.Second}},
		"set, with a fallback":            {fallback + ", max_retry_wait: 5s", limits("retry-after=5"), waitStep{asked: "a a", waited: 5 * time.Second}},
		"set, without a fallback":         {"max_retry_wait: 5s", limits("retry-after=6"), waitStep{asked: "a", fails: "rate_limited 6s"}},
		"set long, without a fallback":    {"max_retry_wait: 2m", limits("retry-after=90"), waitStep{asked: "a a", waited: 90 * time.Second}},
		"the fallback has none behind it": {fallback, map[string][]string{"a": {"429 retry-after=60"}, "b": {"429 retry-after=7", "ok"}}, waitStep{asked: "a b b", waited: 7 * time.Second}},
		"all limited: the shortest wait":  {fallback, map[string][]string{"a": {"429 retry-after=60"}, "b": {"429 retry-after=70"}}, waitStep{asked: "a b", fails: "rate_limited 1m0s"}},
	} {
		t.Run(name, func(t *testing.T) { runWaits(t, c.settings, c.answers, []waitStep{c.step}) })
	}
}

// TestRefusedContent: what one model refuses for its content, another may take. A request that is wrong is not sent to another.
func TestRefusedContent(t *testing.T) {
	for name, c := range map[string]struct{ code, message, fails string }{
		"content policy":    {"content_policy_violation", "refused", "content_filter 0s"},
		"content filter":    {"content_filter", "refused", "content_filter 0s"},
		"context too long":  {"context_length_exceeded", "too long", "context_length 0s"},
		"unsupported image": {"", "This model does not support image input", "unsupported 0s"},
		"too long in words": {"", "Your request exceeded model token limit: 8192 (requested: 9000)", "context_length 0s"},
	} {
		refusal := fmt.Sprintf(`400 x=1 {"error":{"message":%q,"code":%q}}`, c.message, c.code)
		t.Run(name, func(t *testing.T) {
			runWaits(t, "fallbacks: [lab/b]", map[string][]string{"a": {refusal}, "b": {"ok"}}, []waitStep{{asked: "a b"}, {asked: "a b"}})
		})
		t.Run(name+", alone", func(t *testing.T) {
			runWaits(t, "", map[string][]string{"a": {refusal}}, []waitStep{{asked: "a", fails: c.fails}})
		})
	}
	runWaits(t, "fallbacks: [lab/b]", map[string][]string{"a": {`400 x=1 {"error":{"message":"messages: expected a list"}}`}, "b": {"ok"}},
		[]waitStep{{asked: "a", fails: "invalid_request 0s"}})
}

// TestRefusedImages: a model that takes no images, or not the one that is sent, hands the request on with its images. Where no other model may take
// them, those that a model takes none of are left out, with a note.
func TestRefusedImages(t *testing.T) {
	const noImages, noForm = "Invalid content type. image_url is only supported by certain models.", "You uploaded an unsupported image."
	tools := []callwright.Tool{{Name: "look", Schema: []byte(`{"type":"object"}`)}}
	for name, c := range map[string]struct {
		refusal, settings string
		tools             []callwright.Tool
		asked, fails      string
	}{
		"no images":                      {noImages, "fallbacks: [lab/b]", nil, "a b", ""},
		"no images, tools":               {noImages, "fallbacks: [lab/b]", tools, "a b", ""},
		"no images, alone":               {noImages, "", nil, "a a", ""},
		"no images, nor of the fallback": {noImages, "fallbacks: [blind]", nil, "a a", ""},
		"a format":                       {noForm, "fallbacks: [lab/b]", nil, "a b", ""},
		"a format, tools":                {noForm, "fallbacks: [lab/b]", tools, "a b", ""},
		"a format, alone":                {noForm, "", tools, "a", "unsupported"},
	} {
		t.Run(name, func(t *testing.T) {
			u := &upstreams{answers: map[string][]string{"a": {fmt.Sprintf(`400 x=1 {"error":{"message":%q}}`, c.refusal), "ok"}, "b": {"ok"}}, counts: map[string]int{}}
			r := registry(t, parse(t, "discover: off\nproviders: {lab: {base_url: 'http://lab.test/v1'}}\nmodels: {m: {model: lab/a, "+c.settings+"}, blind: {model: lab/b, caps: {images: 'no'}}}"),
				config.WithTransport(func(string, callwright.WireName, http.RoundTripper) http.RoundTripper { return u }))
			client, err := r.Resolve("m")
			if err != nil {
				t.Fatal(err)
			}
			picture := callwright.Message{Role: callwright.RoleUser, Parts: []callwright.Part{callwright.Text{Text: "What is it?"}, callwright.Image{MediaType: "image/png", Data: "iVBORw0KGgo="}}}
			_, err = client.Generate(t.Context(), &callwright.Request{Messages: []callwright.Message{picture}, Tools: c.tools})
			if asked := u.take(); asked != c.asked || string(callwright.KindOf(err)) != c.fails {
				t.Errorf("asked %q and got %v", asked, err)
			}
		})
	}
}

// TestCooldown: a model that is limited, or that refused the key or its name, is skipped where a fallback is there, until its time.
func TestCooldown(t *testing.T) {
	const fallback = "fallbacks: [lab/b]"
	long, ok := "429 retry-after=60", []string{"ok"}
	refused := func(status string) map[string][]string {
		return map[string][]string{"a": {status, "ok"}, "b": ok}
	}
	skips := func(why string) []waitStep {
		return []waitStep{{asked: "a b"}, {after: 20 * time.Second, asked: "b", report: "skipped: " + why + ", 40 s left"}, {after: 41 * time.Second, asked: "a"}}
	}
	for name, c := range map[string]struct {
		settings string
		answers  map[string][]string
		steps    []waitStep
	}{
		"limited":         {fallback, map[string][]string{"a": {long, "ok"}, "b": ok}, skips("limited")},
		"overloaded":      {fallback, map[string][]string{"a": {"503 retry-after=60", "ok"}, "b": ok}, skips("overloaded")},
		"the key":         {fallback, refused("401"), skips("refused the key")},
		"a permission":    {fallback, refused("403"), skips("permission denied")},
		"no model":        {fallback, refused("404"), skips("no such model")},
		"no money":        {fallback, refused("402"), skips("no credit left")},
		"no quota":        {fallback, refused(`429 x=1 {"error":{"message":"no","code":"insufficient_quota"}}`), skips("no credit left")},
		"a wrong request": {fallback, refused(`400`), []waitStep{{asked: "a", fails: "invalid_request 0s"}, {asked: "a"}}},
		"limited, alone": {"", map[string][]string{"a": {long, "ok"}}, []waitStep{
			{asked: "a", fails: "rate_limited 1m0s"}, {after: 20 * time.Second, fails: "rate_limited 40s"}, {after: 41 * time.Second, asked: "a"}}},
		"limited, alone, soon over": {"", map[string][]string{"a": {long, "ok"}}, []waitStep{
			{asked: "a", fails: "rate_limited 1m0s"}, {after: 55 * time.Second, asked: "a", waited: 5 * time.Second}}},
		"limited, alone, no retries": {"max_retries: 0", map[string][]string{"a": {long, "ok"}}, []waitStep{
			{asked: "a", fails: "rate_limited 1m0s"}, {after: 55 * time.Second, fails: "rate_limited 5s"}}},
		"refused, alone": {"", refused("401"), []waitStep{{asked: "a", fails: "authentication 0s"}, {asked: "a"}}},
		"the limit of the fallback": {fallback, map[string][]string{"a": {long}, "b": {"429 retry-after=30", "ok"}}, []waitStep{
			{asked: "a b", fails: "rate_limited 30s"}, {after: 10 * time.Second, fails: "rate_limited 20s"}, {after: 21 * time.Second, asked: "b"}}},
		"refused, and the fallback limited": {fallback, map[string][]string{"a": {"403", "ok"}, "b": {long}}, []waitStep{
			{asked: "a b", fails: "rate_limited 1m0s"}, {asked: "a"}}},
		"both refused: the last one is asked": {fallback, map[string][]string{"a": {"403"}, "b": {"403", "ok"}}, []waitStep{
			{asked: "a b", fails: "permission 0s"}, {asked: "b"}, {asked: "b"}}},
	} {
		t.Run(name, func(t *testing.T) { runWaits(t, c.settings, c.answers, c.steps) })
	}
}

// TestCooldownShared: aliases of one model with settings of their own skip it together. A configuration that is loaded again skips what the provider
// limits, and nothing that it refused.
func TestCooldownShared(t *testing.T) {
	for answer, last := range map[string]string{"429 retry-after=60": "b", "401": "a b", "403": "a b", "404": "a b"} {
		synctest.Test(t, func(t *testing.T) { cooldownShared(t, answer, []string{"a b", "b", last}) })
	}
}

func cooldownShared(t *testing.T, answer string, asked []string) {
	u := &upstreams{answers: map[string][]string{"a": {answer}, "b": {"ok"}}, counts: map[string]int{}}
	c := parse(t, `discover: off
providers: {lab: {base_url: 'http://lab.test/v1'}}
models: {first: {model: lab/a, fallbacks: [lab/b]}, m: {model: lab/a, fallbacks: [lab/b], max_retries: 1, params: {temperature: 0.5}}}
`)
	live, err := config.NewLive(c, config.WithTransport(func(string, callwright.WireName, http.RoundTripper) http.RoundTripper { return u }))
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	for i, want := range asked {
		if i == 2 {
			if err := live.Replace(c); err != nil {
				t.Fatal(err)
			}
		}
		u.asked = nil
		client, err := live.Resolve([]string{"first", "m", "m"}[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Generate(t.Context(), &callwright.Request{Messages: []callwright.Message{callwright.UserText("Hi")}}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(u.asked, " "); got != want {
			t.Errorf("%s, request %d: asked %q, expected %q", answer, i, got, want)
		}
	}
}

// TestCooldownTrial: when a cooldown is over, one request asks the model, and others take the fallback until its answer is there.
func TestCooldownTrial(t *testing.T) {
	for name, c := range map[string]struct {
		answer string // to the request that asks, after 5 s
		leaves bool   // its client does not wait
		later  string // the models asked by the next request
	}{
		"answered":        {answer: "ok", later: "a"},
		"limited again":   {answer: "429 retry-after=60", later: "b"},
		"a wrong request": {answer: "400", later: "a"},
		"left":            {answer: "ok", leaves: true, later: "a"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				u := &upstreams{answers: map[string][]string{"a": {"429 retry-after=60", c.answer, "ok"}, "b": {"ok"}}, counts: map[string]int{}}
				slow := roundTripper(func(r *http.Request) (*http.Response, error) {
					resp, err := u.RoundTrip(r)
					u.mu.Lock()
					second := u.counts["a"] == 2 && u.asked[len(u.asked)-1] == "a"
					u.mu.Unlock()
					if second {
						select {
						case <-time.After(5 * time.Second):
						case <-r.Context().Done():
							return nil, r.Context().Err()
						}
					}
					return resp, err
				})
				r := registry(t, parse(t, "discover: off\nproviders: {lab: {base_url: 'http://lab.test/v1'}}\nmodels: {m: {model: lab/a, fallbacks: [lab/b]}}"),
					config.WithTransport(func(string, callwright.WireName, http.RoundTripper) http.RoundTripper { return slow }))
				_, _ = askAlias(t.Context(), t, r, false)
				time.Sleep(61 * time.Second)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				done := make(chan struct{})
				go func() {
					defer close(done)
					_, _ = askAlias(ctx, t, r, false)
				}()
				synctest.Wait()
				for range 3 {
					u.take()
					rep, err := askAlias(t.Context(), t, r, true)
					if err != nil || u.take() != "b" || !strings.Contains(rep.Attempts[0].Error, "skipped: limited, 10 s left") {
						t.Errorf("beside the trial: %+v, %v", rep.Attempts, err)
					}
				}
				if c.leaves {
					cancel()
				}
				<-done
				u.take()
				if _, err := askAlias(t.Context(), t, r, false); err != nil || u.take() != c.later {
					t.Errorf("after the trial: %v", err)
				}
			})
		})
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
