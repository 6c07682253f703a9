package mcptool_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/mcptool"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The header goes to the server, and to nobody else that it sends requests to.
func TestHeader(t *testing.T) {
	var leaked atomic.Bool
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Key") != "" {
			leaked.Store(true)
		}
		http.Error(w, "no", http.StatusTeapot)
	}))
	defer other.Close()
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return fixture{}.server() }, nil)
	var away atomic.Bool
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case away.Load():
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		case r.Header.Get("X-Key") != "secret":
			http.Error(w, "no key", http.StatusUnauthorized)
		default:
			inner.ServeHTTP(w, r)
		}
	}))
	defer srv.Close()
	defer srv.CloseClientConnections()
	c := mcptool.Config{URL: srv.URL, Header: http.Header{"x-key": {"secret"}}}
	s := open(t, c)
	said(t, s, "echo", "{}")
	away.Store(true)
	if _, err := call(t.Context(), t, s, "echo", "{}"); err == nil || leaked.Load() {
		t.Errorf("got %v, leaked %t", err, leaked.Load())
	}
	away.Store(false)
	c.Header = nil
	if _, err := mcptool.Open(t.Context(), c); kindOf(err) != callwright.KindAuth || !strings.Contains(err.Error(), "Unauthorized") {
		t.Errorf("without the key: %v", err)
	}
	s.Close()
}

// A server that has lost its sessions, as after a restart of its own, is connected to again without the call failing.
func TestSessionLost(t *testing.T) {
	handler := func() http.Handler {
		s := fixture{}.server()
		return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{JSONResponse: true})
	}
	var now atomic.Value
	now.Store(handler())
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { now.Load().(http.Handler).ServeHTTP(w, r) }))
	t.Cleanup(func() { // after the client's end
		srv.CloseClientConnections()
		srv.Close()
	})
	s := open(t, mcptool.Config{URL: srv.URL})
	now.Store(handler())
	if got := said(t, s, "echo", `{"a":1}`); got != `{"a":1}` {
		t.Errorf("got %s", got)
	}
}

// A connection that breaks during a call leaves open whether it had an effect; one that cannot be made does not.
func TestConnectionBreaks(t *testing.T) {
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return fixture{}.server() }, &mcp.StreamableHTTPOptions{JSONResponse: true, Stateless: true})
	var broken atomic.Bool
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken.Load() {
			panic(http.ErrAbortHandler)
		}
		inner.ServeHTTP(w, r)
	}))
	s := open(t, mcptool.Config{URL: srv.URL})
	echo := tools(t, s)[3]
	broken.Store(true)
	if _, err := echo.Run(t.Context(), nil); codeOf(err) != agent.CodeInterrupted {
		t.Errorf("broken: got %v", err)
	}
	broken.Store(false)
	if _, err := echo.Run(t.Context(), nil); err != nil {
		t.Errorf("whole again: got %v", err)
	}
	srv.CloseClientConnections()
	srv.Close()
	echo.Run(t.Context(), nil) // over the connection that was there, which may have taken it
	if _, err := echo.Run(t.Context(), nil); codeOf(err) != agent.CodeToolFailed || !strings.Contains(err.Error(), "refused") {
		t.Errorf("gone: got %v", err)
	}
}

// A server that does not begin a stream of notices when it is asked for one is used without.
func TestSilentStream(t *testing.T) {
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return fixture{}.server() }, &mcp.StreamableHTTPOptions{JSONResponse: true})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			<-r.Context().Done()
			return
		}
		inner.ServeHTTP(w, r)
	}))
	defer srv.Close()
	s := open(t, mcptool.Config{URL: srv.URL, Timeout: 400 * time.Millisecond})
	said(t, s, "echo", "{}")
	s.Close()
}

// A handlerTripper answers requests without a network.
type handlerTripper struct{ http.Handler }

func (h handlerTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result(), nil
}

// A server that was left alone is tried again after a minute.
func TestRestartsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return fixture{}.server() }, &mcp.StreamableHTTPOptions{JSONResponse: true, Stateless: true})
		down := false
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if down {
				http.Error(w, "down", http.StatusNotFound)
				return
			}
			inner.ServeHTTP(w, r)
		})
		s, err := mcptool.Open(t.Context(), mcptool.Config{URL: "http://example.com/mcp", Client: &http.Client{Transport: handlerTripper{handler}}})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		echo := tools(t, s)[3]
		down = true
		began := time.Now()
		for range 5 {
			echo.Run(t.Context(), nil)
		}
		if took := time.Since(began); took != 1750*time.Millisecond {
			t.Errorf("the pauses are %v", took)
		}
		down = false
		if _, err := echo.Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "left alone for 58s") {
			t.Errorf("got %v", err)
		}
		time.Sleep(time.Minute)
		if _, err := echo.Run(t.Context(), nil); err != nil {
			t.Errorf("after a minute: %v", err)
		}
	})
}
