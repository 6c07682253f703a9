package gateway_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
)

const answersPath = "/v1/responses"

// on returns a request that goes on from an earlier answer.
func on(id, text string, more string) string {
	previous := ""
	if id != "" {
		previous = `,"previous_response_id":"` + id + `"`
	}
	return `{"model":"openai/m"` + previous + more + `,"messages":[{"role":"user","content":"` + text + `"}]}`
}

// A request goes on from an earlier answer, whole or streamed, and from one that went on itself.
func TestGoingOn(t *testing.T) {
	url, sent := spoken(t, gateway.Config{})
	first := post(t, url+answersPath, on("", "a", `,"stream":true`))
	if !strings.Contains(first.body, "response.completed") {
		t.Fatalf("got %d %s", first.status, first.body)
	}
	second := post(t, url+answersPath, on("streamed", "b", ""), "Callwright-Report", "body")
	turns := `{"role":"user","content":"a"},{"role":"assistant","content":"one two"},{"role":"user","content":"b"}`
	if want := `{"model":"m","messages":[` + turns + `]}`; sent() != want {
		t.Errorf("sent %s\nwant %s", sent(), want)
	}
	if !strings.Contains(second.body, `"rule":"history.continued"`) || !strings.Contains(second.header.Get("Callwright-Report"), "untouched=false") {
		t.Errorf("nothing says that it went on: %v %s", second.header, second.body)
	}
	post(t, url+answersPath, on("whole", "c", ""))
	if want := turns + `,{"role":"assistant","content":"one two"},{"role":"user","content":"c"}`; !strings.Contains(sent(), want) {
		t.Errorf("sent %s\nwant %s", sent(), want)
	}
}

func TestKeptAnswers(t *testing.T) {
	url, sent := spoken(t, gateway.Config{Keys: []string{"mine", "theirs"}})
	mine, theirs := []string{"Authorization", "Bearer mine"}, []string{"x-api-key", "theirs"}
	notFound := func(what string, got answer) {
		t.Helper()
		if got.status != 404 || !strings.Contains(got.body, `"of":"responses"`) || !strings.Contains(got.body, "by default for an hour") {
			t.Errorf("%s: got %d %s", what, got.status, got.body)
		}
	}
	refused := func(what string, got answer) {
		t.Helper()
		if got.status != 400 || !strings.Contains(got.body, `"code":"previous_response_not_found"`) || !strings.Contains(got.body, "send the whole conversation") {
			t.Errorf("%s: got %d %s", what, got.status, got.body)
		}
	}
	post(t, url+answersPath, on("", "a", `,"store":false`), mine...)
	notFound("store false", request(t, http.MethodGet, url+answersPath+"/whole", mine...))

	made := post(t, url+answersPath, on("", "a", `,"previous_response_id":null,"conversation":null`), mine...)
	if got := request(t, http.MethodGet, url+answersPath+"/whole", mine...); got.status != 200 || got.body != made.body {
		t.Errorf("got %d %s, want %s", got.status, got.body, made.body)
	}
	notFound("of another key", request(t, http.MethodGet, url+answersPath+"/whole", theirs...))
	notFound("of another key", request(t, http.MethodDelete, url+answersPath+"/whole", theirs...))
	before := sent()
	refused("of another key", post(t, url+answersPath, on("whole", "b", ""), theirs...))
	refused("never made", post(t, url+answersPath, on("other", "b", ""), mine...))
	if got := post(t, url+answersPath, on("", "b", `,"conversation":"conv_1"`), mine...); got.status != 400 || !strings.Contains(got.body, "conversations are not stored") {
		t.Errorf("a conversation: got %d %s", got.status, got.body)
	}
	if got := post(t, url+answersPath, `{"previous_response_id":"whole","messages":[}`, mine...); got.status != 400 || !strings.Contains(got.body, "JSON") {
		t.Errorf("broken JSON: got %d %s", got.status, got.body)
	}
	if sent() != before {
		t.Errorf("something was sent: %s", sent())
	}
	if got := request(t, http.MethodDelete, url+answersPath+"/whole", mine...); got.status != 200 || got.body != `{"deleted":true,"id":"whole","object":"response"}` {
		t.Errorf("got %d %s", got.status, got.body)
	}
	refused("deleted", post(t, url+answersPath, on("whole", "b", ""), mine...))
}

// Without keys of the gateway's own, clients with other keys do not meet either.
func TestKeptAnswersWithoutKeys(t *testing.T) {
	url, _ := spoken(t, gateway.Config{})
	post(t, url+answersPath, on("", "a", ""), "Authorization", "Bearer any")
	for key, want := range map[string]int{"any": 200, "other": 404} {
		if got := request(t, http.MethodGet, url+answersPath+"/whole", "Authorization", "Bearer "+key); got.status != want {
			t.Errorf("%s: got %d %s", key, got.status, got.body)
		}
	}
	if got := request(t, http.MethodGet, url+answersPath+"/whole"); got.status != 404 {
		t.Errorf("no key: got %d %s", got.status, got.body)
	}
}

// A roundTrip answers requests in memory.
type roundTrip func(r *http.Request) string

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) {
	body := f(r)
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}, nil
}

// Answers are kept for an hour, as long as there is room.
func TestKeptAnswersEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		transport := roundTrip(func(*http.Request) string {
			n++
			return fmt.Sprintf(`{"id":"r%d","choices":[{"index":0,"message":{"role":"assistant","content":"yes"},"finish_reason":"stop"}]}`, n)
		})
		p, err := provider.New(provider.Config{Name: "openai", Wire: callwright.WireOpenAI, BaseURL: "http://upstream/v1", APIKey: provider.NewSecret("k"), Transport: transport})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		s := gateway.New(gateway.Config{Reuse: gateway.Reuse{Bodies: true}, Models: directory{"openai": p}, Codecs: pretended()})
		do := func(method, path, body string) int {
			r := httptest.NewRequest(method, path, strings.NewReader(body))
			r.Host = "localhost"
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			return w.Code
		}
		do(http.MethodPost, answersPath, on("", "a", ""))
		time.Sleep(time.Hour - time.Second)
		if got := do(http.MethodPost, answersPath, on("r1", "b", "")); got != 200 {
			t.Errorf("within the hour: got %d", got)
		}
		time.Sleep(2 * time.Second)
		if got := do(http.MethodPost, answersPath, on("r1", "c", "")); got != 400 {
			t.Errorf("after the hour: got %d", got)
		}
		// What went on from it has all it needs.
		if got := do(http.MethodPost, answersPath, on("r2", "c", "")); got != 200 {
			t.Errorf("the next one: got %d", got)
		}
		large := strings.Repeat("x", 6<<20)
		for range 3 {
			if got := do(http.MethodPost, answersPath, on("", large, "")); got != 200 {
				t.Errorf("a large one: got %d", got)
			}
		}
		for id, want := range map[string]int{"r2": 404, "r4": 404, "r5": 200, "r6": 200} {
			if got := do(http.MethodGet, answersPath+"/"+id, ""); got != want {
				t.Errorf("%s: got %d, want %d", id, got, want)
			}
		}
		// One conversation of many turns is kept once, not once for each of its turns.
		id := "r6"
		for range 20 {
			if got := do(http.MethodPost, answersPath, on(id, "more", "")); got != 200 {
				t.Fatalf("after %s: got %d", id, got)
			}
			id = fmt.Sprintf("r%d", n)
		}
		if got := do(http.MethodGet, answersPath+"/r5", ""); got != 200 {
			t.Errorf("the other conversation: got %d", got)
		}
	})
}

var (
	answerID = regexp.MustCompile(`"id":"(resp_[^"]+)"`)
	callID   = regexp.MustCompile(`"call_id":"([^"]+)"`)
)

// nativeModels returns models that call tools natively, one behind each wire.
func nativeModels() []string {
	var out []string
	for _, c := range codecs.All() {
		out = append(out, string(c.Name())+"/native")
	}
	return out
}

// Over the codecs that let requests go on, a result alone is enough of a second request, whatever model it is for.
func TestGoingOnToEveryWire(t *testing.T) {
	srv := simulated(t)
	for _, c := range codecs.All() {
		if _, ok := c.(wire.Continuer); !ok {
			continue
		}
		a := askers[c.Name()]
		for _, model := range append(nativeModels(), "openai/hermes") {
			for _, stream := range []bool{false, true} {
				path, body := a.ask(model, stream)
				first := post(t, srv.URL+path, body)
				id, call := answerID.FindStringSubmatch(first.body), callID.FindStringSubmatch(first.body)
				if id == nil || call == nil {
					t.Fatalf("%s: got %d %s", model, first.status, first.body)
				}
				second := post(t, srv.URL+path, `{"model":"`+model+`","previous_response_id":"`+id[1]+
					`","input":[{"type":"function_call_output","call_id":"`+call[1]+`","output":"3 degrees"}]`+body[strings.Index(body, `,"tools"`):])
				if second.status != 200 || !strings.Contains(second.body, "It is 3 degrees") {
					t.Errorf("%s: got %d %s", model, second.status, second.body)
				}
				if repeated := `"previous_response_id":"` + id[1] + `"`; !strings.HasPrefix(model, string(c.Name())) && !strings.Contains(second.body, repeated) {
					t.Errorf("%s: %s is missing in %s", model, repeated, second.body)
				}
				if kept := request(t, http.MethodGet, srv.URL+path+"/"+id[1]); kept.status != 200 || !strings.Contains(kept.body, call[1]) {
					t.Errorf("%s: kept %d %s", model, kept.status, kept.body)
				}
			}
		}
	}
}
