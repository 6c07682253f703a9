package mcptool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/mcptool"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// transports are the ways in which the suite reaches a fixture. Each fills in a configuration.
var transports = map[string]func(t *testing.T, f fixture, c *mcptool.Config){
	"stdio": stdio,
	"http": func(t *testing.T, f fixture, c *mcptool.Config) {
		c.URL = serveHTTP(t, f.server(), &mcp.StreamableHTTPOptions{Stateless: f.stateless()}).URL
	},
	"http json": func(t *testing.T, f fixture, c *mcptool.Config) {
		c.URL = serveHTTP(t, f.server(), &mcp.StreamableHTTPOptions{JSONResponse: true, Stateless: f.stateless()}).URL
	},
}

// stateless reports whether it has no sessions, as later versions of the protocol want it over HTTP.
func (f fixture) stateless() bool { return len(f.Versions) == 1 && f.Versions[0] > "2026" }

func stdio(t *testing.T, f fixture, c *mcptool.Config) {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	c.Command = []string{own}
	c.Env = append(c.Env, fixtureVariable+"="+string(text))
}

func serveHTTP(t *testing.T, s *mcp.Server, o *mcp.StreamableHTTPOptions) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, o))
	t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
	})
	return srv
}

// each runs a test over every transport.
func each(t *testing.T, test func(t *testing.T, open func(f fixture, c mcptool.Config) *mcptool.Server)) {
	for name, connect := range transports {
		t.Run(name, func(t *testing.T) {
			test(t, func(f fixture, c mcptool.Config) *mcptool.Server {
				connect(t, f, &c)
				return open(t, c)
			})
		})
	}
}

func open(t *testing.T, c mcptool.Config) *mcptool.Server {
	t.Helper()
	s, err := mcptool.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func tools(t *testing.T, s *mcptool.Server) []agent.Tool {
	t.Helper()
	got, err := s.Tools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func names(tools []agent.Tool) []string {
	var out []string
	for _, t := range tools {
		out = append(out, t.Name)
	}
	return out
}

// call calls a tool by the end of its name.
func call(ctx context.Context, t *testing.T, s *mcptool.Server, tool, arguments string) (agent.Output, error) {
	t.Helper()
	all := tools(t, s)
	i := slices.IndexFunc(all, func(x agent.Tool) bool { return strings.HasSuffix(x.Name, ":"+tool) })
	if i < 0 {
		t.Fatalf("no tool %s among %v", tool, names(all))
	}
	return all[i].Run(ctx, json.RawMessage(arguments))
}

// said is the text that a call gives.
func said(t *testing.T, s *mcptool.Server, tool, arguments string) string {
	t.Helper()
	got, err := call(t.Context(), t, s, tool, arguments)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	var text string
	if err := json.Unmarshal(got.Data, &text); err != nil {
		t.Fatalf("%s: expected a text, got %s", tool, got.Data)
	}
	return text
}

func codeOf(err error) agent.Code {
	if e, ok := errors.AsType[*agent.ToolError](err); ok {
		return e.Code
	}
	return ""
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("not within 10 seconds: %s", what)
}

// The list is whole although it comes in pages, in the server's order, with schemas byte for byte but for white space.
func TestList(t *testing.T) {
	each(t, func(t *testing.T, open func(fixture, mcptool.Config) *mcptool.Server) {
		s := open(fixture{}, mcptool.Config{Name: "one"})
		got := tools(t, s)
		want := "[one:cancelled one:change one:crash one:echo one:environment one:pid one:progress one:raw one:wait]"
		if fmt.Sprint(names(got)) != want || s.Name() != "one" {
			t.Errorf("got %v, want %s", names(got), want)
		}
		effects := []agent.Effects{agent.EffectsNone, agent.EffectsIdempotent, agent.EffectsUnknown, agent.EffectsUnknown, agent.EffectsUnknown,
			agent.EffectsUnknown, agent.EffectsDestructive, agent.EffectsUnknown, agent.EffectsUnknown}
		for i, tool := range got {
			if tool.Effects != effects[i] {
				t.Errorf("%s: effects %d, want %d", tool.Name, tool.Effects, effects[i])
			}
			if string(tool.Schema) != `{"type":"object","z":1,"a":12345678901234567890}` {
				t.Errorf("%s: schema %s", tool.Name, tool.Schema)
			}
			if _, own, _ := strings.Cut(tool.Name, ":"); tool.Description != "title of "+own {
				t.Errorf("%s: description %q", tool.Name, tool.Description)
			}
		}
		if p := s.Problems(); len(p) > 0 {
			t.Error(p)
		}
	})
}

// Arguments reach the server as they are: in their order, with large numbers.
func TestCall(t *testing.T) {
	each(t, func(t *testing.T, open func(fixture, mcptool.Config) *mcptool.Server) {
		s := open(fixture{}, mcptool.Config{})
		const arguments = `{"z":12345678901234567890,"a":"<é>"}`
		if got := said(t, s, "echo", arguments); strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(got) != arguments {
			t.Errorf("got %s", got)
		}
		if got := said(t, s, "echo", ""); got != "{}" {
			t.Errorf("without arguments: got %s", got)
		}
		if s.Name() != "fixture" {
			t.Errorf("it is called %s", s.Name())
		}
	})
}

func TestManyCallsAtOnce(t *testing.T) {
	each(t, func(t *testing.T, open func(fixture, mcptool.Config) *mcptool.Server) {
		s := open(fixture{}, mcptool.Config{})
		var calls sync.WaitGroup
		for i := range 20 {
			calls.Go(func() {
				if want := `{"n":` + strconv.Itoa(i) + `}`; said(t, s, "echo", want) != want {
					t.Errorf("call %d has another's answer", i)
				}
			})
		}
		calls.Wait()
	})
}

func TestProgress(t *testing.T) {
	each(t, func(t *testing.T, open func(fixture, mcptool.Config) *mcptool.Server) {
		var mu sync.Mutex
		var told []string
		s := open(fixture{}, mcptool.Config{OnProgress: func(tool, message string, done, total float64) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, fmt.Sprint(tool, " ", message, " ", done, " ", total))
		}})
		if strings.HasSuffix(t.Name(), "json") {
			t.Skip("an answer that is no stream has no place for progress")
		}
		said(t, s, "progress", "{}")
		want := []string{"fixture:progress step 1 3", "fixture:progress step 2 3", "fixture:progress step 3 3"}
		eventually(t, "three steps", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(told) >= 3
		})
		mu.Lock()
		defer mu.Unlock()
		if !slices.Equal(told, want) {
			t.Errorf("got %q", told)
		}
	})
}

// A call that is given up is cancelled at the server, and others go on.
func TestCancel(t *testing.T) {
	each(t, func(t *testing.T, open func(fixture, mcptool.Config) *mcptool.Server) {
		s := open(fixture{}, mcptool.Config{})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := call(ctx, t, s, "wait", "{}")
			done <- err
		}()
		eventually(t, "the call waits", func() bool { return said(t, s, "cancelled", "") == "1 waiting, 0 cancelled" })
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		eventually(t, "the server knows", func() bool { return said(t, s, "cancelled", "") == "1 waiting, 1 cancelled" })
	})
}

// A list that changes is there at one of the next steps.
func TestListChanges(t *testing.T) {
	each(t, func(t *testing.T, open func(fixture, mcptool.Config) *mcptool.Server) {
		s := open(fixture{}, mcptool.Config{})
		said(t, s, "change", "{}")
		eventually(t, "another list", func() bool {
			got := names(tools(t, s))
			return slices.Contains(got, "fixture:new") && !slices.Contains(got, "fixture:crash")
		})
	})
}

// Close ends calls that are under way, and everything after it fails.
func TestClose(t *testing.T) {
	each(t, func(t *testing.T, open func(fixture, mcptool.Config) *mcptool.Server) {
		s := open(fixture{}, mcptool.Config{})
		all := tools(t, s)
		wait := all[len(all)-1]
		done := make(chan error, 1)
		go func() {
			_, err := wait.Run(t.Context(), nil)
			done <- err
		}()
		eventually(t, "the call waits", func() bool { return said(t, s, "cancelled", "") == "1 waiting, 0 cancelled" })
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-done; codeOf(err) != agent.CodeInterrupted {
			t.Errorf("got %v", err)
		}
		if _, err := wait.Run(t.Context(), nil); codeOf(err) != agent.CodeToolFailed || !strings.Contains(err.Error(), "it is closed") {
			t.Errorf("after the end: %v", err)
		}
		if _, err := s.Tools(t.Context()); err == nil {
			t.Error("it has tools after its end")
		}
		if p := s.Problems(); p != nil {
			t.Error(p)
		}
	})
}
