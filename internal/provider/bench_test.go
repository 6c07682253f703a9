package provider_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/openai"
)

// canned answers every request with the same bytes, in memory.
func canned(body string) tripper {
	return func(r *http.Request) (*http.Response, error) {
		io.Copy(io.Discard, r.Body)
		return reply{body: body}.response(r), nil
	}
}

// long returns a request of about 15 KB.
func long() *callwright.Request {
	req := ask()
	req.Messages[0].Parts = []callwright.Part{callwright.Text{Text: strings.Repeat("All the gates of the harbour. ", 500)}}
	return req
}

func BenchmarkGenerate15KB(b *testing.B) {
	m := open(b, "lab/m", withBaseURL("http://lab.test/v1"), withTransport(canned(wholeAnswer)))
	req := long()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Generate(context.Background(), req); err != nil {
			b.Fatal(err)
		}
	}
}

// A client's own bytes of the same wire, as they pass a gateway.
func BenchmarkPassThrough15KB(b *testing.B) {
	m := open(b, "lab/m", withBaseURL("http://lab.test/v1"), withTransport(canned(wholeAnswer)))
	body := []byte(`{"model":"fast","messages":[{"role":"user","content":"` + strings.Repeat("All the gates of the harbour. ", 500) + `"}]}`)
	b.ReportAllocs()
	for b.Loop() {
		req, err := (openai.Codec{}).DecodeRequest(body)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := m.Generate(context.Background(), req); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStream60(b *testing.B) {
	m := open(b, "lab/m", withBaseURL("http://lab.test/v1"),
		withTransport(canned(chunks(strings.Split(strings.Repeat("word ", 60), " ")...))))
	req := ask()
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range m.Stream(context.Background(), req) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// The same request over a loopback connection, beside httputil.ReverseProxy's own way to send one.
func BenchmarkLoopback(b *testing.B) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, wholeAnswer)
	}))
	defer srv.Close()
	b.Run("remote", func(b *testing.B) {
		m := open(b, "lab/m", withBaseURL(srv.URL+"/v1"))
		defer m.Provider().Close()
		req := long()
		b.ReportAllocs()
		for b.Loop() {
			if _, err := m.Generate(context.Background(), req); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("proxy", func(b *testing.B) {
		to, _ := url.Parse(srv.URL)
		proxy := httputil.NewSingleHostReverseProxy(to)
		transport := &http.Transport{}
		proxy.Transport = transport
		defer transport.CloseIdleConnections()
		body := []byte(strings.Repeat("All the gates of the harbour. ", 500))
		b.ReportAllocs()
		for b.Loop() {
			proxy.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/v1/chat/completions", bytes.NewReader(body)))
		}
	})
}
