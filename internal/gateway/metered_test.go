package gateway_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/gateway"
)

// A provider of Chat Completions streams an answer, and its usage where that is known to it and asked for.
func streamsWithUsage(usage string, asked *[]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		*asked = append(*asked, string(raw))
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, streamHead+"data: {\"id\":\"s\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"own\":1}\n\n")
		if usage != "" && strings.Contains(string(raw), `"include_usage":true`) {
			_, _ = io.WriteString(w, "data: {\"id\":\"s\",\"choices\":[],\"usage\":"+usage+"}\n\n")
		}
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	})
}

const streamHead = "data: {\"id\":\"s\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"The lighthouse has stood there for a hundred years.\"}}]}\n\n"

// Where limits need it a stream has its usage asked for, which a client that did not ask for it is not shown; what no provider says is counted here.
func TestUsageOfStreams(t *testing.T) {
	const whole = streamHead + "data: {\"id\":\"s\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"own\":1}\n\n"
	for _, c := range []struct {
		about, says, options string
		limited              bool
		tokens               [2]int64 // from, to
		asked, shown, noted  bool
	}{
		{about: "limits", says: `{"prompt_tokens":70,"completion_tokens":7}`, limited: true, tokens: [2]int64{77, 77}, asked: true, noted: true},
		{about: "limits, and the client asks", says: `{"prompt_tokens":70,"completion_tokens":7}`, options: `,"stream_options":{"include_usage":true}`, limited: true,
			tokens: [2]int64{77, 77}, asked: true, shown: true},
		{about: "the provider does not say", limited: true, tokens: [2]int64{15, 40}, asked: true},
		{about: "no limits", says: `{"prompt_tokens":70,"completion_tokens":7}`},
	} {
		var asked []string
		key := access.Key{Name: "k"}
		if c.limited {
			key.Limits.Tokens = 100_000
		}
		srv := serve(t, gateway.Config{Models: models(t, streamsWithUsage(c.says, &asked)), Access: gate(t, access.Config{Keys: []access.Key{key}})})
		got := post(t, srv.URL+chat, `{"model":"openai/m","stream":true`+c.options+`,"messages":[{"role":"user","content":"How old is the lighthouse?"}]}`, "x-api-key", "-k")
		want := whole + "data: [DONE]\n\n"
		if c.shown {
			want = whole + "data: {\"id\":\"s\",\"choices\":[],\"usage\":" + c.says + "}\n\ndata: [DONE]\n\n"
		}
		if got.status != 200 || got.body != want {
			t.Errorf("%s: got %d %s", c.about, got.status, got.body)
		}
		if len(asked) != 1 || strings.Contains(asked[0], `"include_usage":true`) != c.asked {
			t.Errorf("%s: asked %q", c.about, asked)
		}
		u := usage(t, srv.URL, "-k")
		if n := u.Total.InputTokens + u.Total.OutputTokens; n < c.tokens[0] || n > c.tokens[1] || c.limited && u.Limits[0].Used != float64(n) {
			t.Errorf("%s: %+v", c.about, u)
		}
		report := get(t, srv.URL+"/callwright/reports/"+reportID(got), "x-api-key", "-k")
		if strings.Contains(report.body, `"response.usage"`) != c.noted {
			t.Errorf("%s: %s", c.about, report.body)
		}
	}
}

// A stream that its client leaves counts by what it has said.
func TestUsageOfStreamsThatAreLeft(t *testing.T) {
	gone := make(chan bool)
	upstream := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range 20 {
			_, _ = io.WriteString(w, streamHead)
		}
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(gone)
	})
	srv := serve(t, gateway.Config{Models: models(t, upstream), Access: gate(t, access.Config{Keys: []access.Key{{Name: "k", Limits: access.Limits{Tokens: 100_000}}}})})
	ctx, leave := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, srv.URL+chat, strings.NewReader(`{"model":"openai/m","stream":true,"messages":[{"role":"user","content":"How old is the lighthouse?"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", "-k")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadFull(resp.Body, make([]byte, 20*len(streamHead))); err != nil {
		t.Fatal(err)
	}
	leave()
	<-gone
	u := usage(t, srv.URL, "-k")
	for u.Total.OutputTokens == 0 || u.Limits[0].Used != float64(u.Total.InputTokens+u.Total.OutputTokens) { // it is counted when its handler ends
		u = usage(t, srv.URL, "-k")
	}
	if u.Total.OutputTokens < 150 || u.Total.OutputTokens > 400 {
		t.Errorf("got %+v", u)
	}
}

// An image that a model made counts the same whole and streamed, where no provider says what it comes to.
func TestUsageOfImagesInAnswers(t *testing.T) {
	const answered = `{"candidates":[{"content":{"role":"model","parts":[{"inlineData":{"mimeType":"image/png","data":"aGk="}}]},"finishReason":"STOP"}]}`
	upstream := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "stream") {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: "+answered+"\n\n")
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answered)
	})
	said := map[string]int64{}
	for _, stream := range []string{"false", "true"} {
		key := access.Key{Name: "k", Limits: access.Limits{Tokens: 100_000}}
		srv := serve(t, gateway.Config{Models: models(t, upstream), Access: gate(t, access.Config{Keys: []access.Key{key}})})
		if got := post(t, srv.URL+"/api/chat", `{"model":"gemini/m","stream":`+stream+`,"messages":[{"role":"user","content":"Draw a lighthouse."}]}`, "x-api-key", "-k"); got.status != 200 {
			t.Fatalf("stream %s: %d %s", stream, got.status, got.body)
		}
		said[stream] = usage(t, srv.URL, "-k").Total.OutputTokens
	}
	if said["true"] < 100 || said["true"] != said["false"] {
		t.Errorf("%d tokens streamed, %d whole", said["true"], said["false"])
	}
}
