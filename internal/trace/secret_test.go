package trace_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"iter"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// chunks is a stream of Chat Completions with the pieces of a text.
func chunks(pieces ...string) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(`data: {"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":"` + p + `"},"finish_reason":null}]}` + "\n\n")
	}
	return b.String() + `data: {"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
}

// TestSplitKey: a key that a stream brings in pieces, as it is or in base64, is neither in the entries nor in what the recorded bytes come to.
func TestSplitKey(t *testing.T) {
	code := base64.StdEncoding.EncodeToString([]byte("user:" + key))
	for _, said := range []string{key, code} {
		for cut := 1; cut < len(said); cut++ {
			var file bytes.Buffer
			w := trace.NewWriter(&file)
			model := func(through http.RoundTripper) callwright.Model {
				m, err := provider.Open("lab/m", provider.Config{Wire: callwright.WireOpenAI, BaseURL: "http://lab.test/v1", APIKey: provider.NewSecret(key), Transport: through})
				if err != nil {
					t.Fatal(err)
				}
				return m
			}
			stream := answers(200, strings.NewReader(chunks("it is ", said[:cut], said[cut:], ".")), "Content-Type", "text/event-stream")
			if got := textOf(t, trace.Record(model(w.Transport(stream, trace.Endpoint{Provider: "lab", Wire: callwright.WireOpenAI})), w)); got != "it is "+said+"." {
				t.Fatalf("the client got %q", got)
			}
			bytesOf := transport(t, file.Bytes())
			read := textOf(t, model(bytesOf))
			for name, text := range map[string]string{"the entries": file.String(), "the bytes": read, "the answer": textOf(t, player(t, file.Bytes()))} {
				if strings.Contains(text, key) || strings.Contains(text, code[8:len(code)-4]) {
					t.Fatalf("cut at %d: %s show it: %s", cut, name, text)
				}
			}
			if !strings.HasPrefix(read, "it is ") || !strings.Contains(read, "[redacted]") || !strings.HasSuffix(read, ".") {
				t.Fatalf("cut at %d: the bytes come to %q", cut, read)
			}
		}
	}
}

func textOf(t *testing.T, m callwright.Model) string {
	t.Helper()
	var c callwright.Collector
	for ev, err := range m.Stream(t.Context(), ask()) {
		if err != nil {
			t.Fatal(err)
		}
		c.Add(ev)
	}
	return c.Response().Text()
}

// A repeater is a model that sends a request's bytes as they came, and whose answer, whole and streamed, repeats a text.
type repeater struct {
	says string
	fail bool
}

func (r repeater) Generate(_ context.Context, req *callwright.Request) (*callwright.Response, error) {
	c := companion.Of(req)
	c.OnSend(c.Bytes())
	if r.fail {
		report := &callwright.Report{Notes: []callwright.Note{{Was: r.says}}, Attempts: []callwright.Attempt{{Error: r.says}}}
		return nil, &callwright.Error{Kind: callwright.KindInvalid, Message: r.says, Body: []byte(r.says), Err: errors.New(r.says), Report: report}
	}
	return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: r.says}}, Report: &callwright.Report{Notes: []callwright.Note{{Now: r.says}}}}, nil
}

func (r repeater) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	resp, err := r.Generate(ctx, req)
	if err != nil {
		return func(yield func(callwright.Event, error) bool) { yield(nil, err) }
	}
	return events(append(slices.Collect(slices.Values(resp.Events())), callwright.Done{Report: resp.Report}))
}

// TestCredentialsInRequests: credentials that a request has for servers of tools are in no entry, and the request can be played.
func TestCredentialsInRequests(t *testing.T) {
	const token = "mcp-token-0123456789"
	for wire, body := range map[callwright.WireName]string{
		callwright.WireResponses: `{"model":"m","input":"my token is ` + token + `","tools":[{"type":"mcp","server_label":"a","server_url":"https://a.test","authorization":"` + token + `","headers":{"X-Short":"tok-7"}}]}`,
		callwright.WireAnthropic: `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],"mcp_servers":[{"type":"url","url":"https://a.test","name":"a","authorization_token":"` + token + `"}]}`,
		callwright.WireOpenAI:    `{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"mcp","headers":{"Authorization":"Bearer ` + token + `"}}]}`,
	} {
		codec, _ := codecs.Of(wire)
		for _, m := range []repeater{{"it is " + token, false}, {"it is " + base64.RawURLEncoding.EncodeToString([]byte(token)), false}, {"it is " + token, true}} {
			var file bytes.Buffer
			w := trace.NewWriter(&file)
			req, err := codec.DecodeRequest([]byte(body))
			if err != nil {
				t.Fatal(err)
			}
			recorded := trace.Record(m, w)
			_, _ = recorded.Generate(t.Context(), req)
			for _, err := range recorded.Stream(t.Context(), req) {
				_ = err // it is recorded
			}
			text := file.String()
			if w.Err() != nil || strings.Contains(text, token) || strings.Contains(text, "tok-7") || strings.Contains(text, base64.RawURLEncoding.EncodeToString([]byte(token))) || strings.Count(text, "[redacted]") < 6 {
				t.Errorf("%s, %v: %v\n%s", wire, m, w.Err(), text)
			}
			p := player(t, file.Bytes())
			if _, err := p.Generate(t.Context(), req); (err != nil) != m.fail || m.fail && callwright.KindOf(err) != callwright.KindInvalid {
				t.Errorf("%s: played: %v", wire, err)
			}
		}
	}
}
