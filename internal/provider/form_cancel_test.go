package provider_test

import (
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/callwright/callwright"
)

// A caller who leaves while a stream in place of a whole answer is read gets an error, at whatever moment that is.
func TestLeavingWhileAStreamIsReadWhole(t *testing.T) {
	m := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for range 2000 {
			_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n")
		}
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	})
	for range 100 {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		resp, err := m.Generate(ctx, &callwright.Request{Messages: []callwright.Message{callwright.UserText("Hi")}})
		if (resp == nil) == (err == nil) {
			t.Fatalf("got %v and %v", resp, err)
		}
		cancel()
	}
}
