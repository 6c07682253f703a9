package mcptool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
)

// fixtureVariable has the fixture that this program is when it is started as a server.
const fixtureVariable = "MCPTOOL_FIXTURE"

func TestMain(m *testing.M) {
	if text, ok := os.LookupEnv(fixtureVariable); ok {
		serveFixture(text)
		return
	}
	// A fixture that was unreachable when its client ended keeps the session.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/modelcontextprotocol/go-sdk/mcp.(*streamableServerConn).Read"))
}

// A fixture is a server for tests.
type fixture struct {
	Start string   // what it does at its start: "exit", "hang", "deaf", or "" for nothing
	Pages []string // results of tools/list, where they are not those of its own tools
	Crash bool     // it exits at its first call
	Asks  bool     // it has tools that ask its client's person

	Versions []string          // of the protocol that it speaks; nil: all of the SDK
	Refuse   map[string]string // JSON errors by the methods that it refuses with them
	Answer   map[string]string // JSON results by the methods that it answers with them
}

func serveFixture(text string) {
	var f fixture
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		panic(err)
	}
	switch f.Start {
	case "exit":
		fmt.Fprintln(os.Stderr, "no such licence")
		os.Exit(3)
	case "hang": // and nothing ends it but a signal that cannot be caught
		ignoreSignals()
		time.Sleep(time.Hour)
	case "deaf": // it reads until it is ready
		f.Crash = false
		server := f.server()
		_ = server.Run(context.Background(), &mcp.IOTransport{Reader: &deaf{File: os.Stdin}, Writer: os.Stdout})
		time.Sleep(time.Hour)
	}
	_ = f.server().Run(context.Background(), &mcp.StdioTransport{})
}

// A deaf is an input that stays silent after a number of reads.
type deaf struct {
	*os.File
	reads int
}

func (d *deaf) Read(p []byte) (int, error) {
	if d.reads++; d.reads > 3 { // initialize, initialized, the list
		time.Sleep(time.Hour)
	}
	return d.File.Read(p)
}

// server returns a server with the fixture's behaviour.
func (f fixture) server() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, &mcp.ServerOptions{PageSize: 3, SupportedProtocolVersions: f.Versions})
	state := &fixtureState{server: s}
	yes, no := true, false
	for _, t := range []struct {
		name  string
		hints *mcp.ToolAnnotations
		run   mcp.ToolHandler
	}{
		{"cancelled", &mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &yes}, state.count},
		{"change", &mcp.ToolAnnotations{IdempotentHint: true}, state.change},
		{"crash", nil, crash},
		{"echo", &mcp.ToolAnnotations{DestructiveHint: &no}, echo},
		{"environment", nil, environment},
		{"pid", nil, pid},
		{"progress", &mcp.ToolAnnotations{DestructiveHint: &yes, IdempotentHint: true}, progress},
		{"raw", nil, nil}, // see below
		{"wait", nil, state.wait},
	} {
		s.AddTool(&mcp.Tool{Name: t.name, Title: "title of " + t.name, InputSchema: json.RawMessage(`{"type": "object", "z": 1, "a": 12345678901234567890}`), Annotations: t.hints}, t.run)
	}
	if f.Asks {
		s.AddTool(&mcp.Tool{Name: "ask", InputSchema: json.RawMessage(`{"type": "object"}`)}, ask)
		s.AddTool(&mcp.Tool{Name: "asklater", InputSchema: json.RawMessage(`{"type": "object"}`)}, askLater)
	}
	s.AddReceivingMiddleware(f.middleware)
	return s
}

// A literal is a result as it is.
type literal struct {
	mcp.ResultBase
	text string
}

func (l *literal) MarshalJSON() ([]byte, error) { return []byte(l.text), nil }

// middleware answers with results that the SDK would not make: pages of a list, and what raw is told to.
func (f fixture) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if text, ok := f.Refuse[method]; ok {
			var e jsonrpc.Error
			if err := json.Unmarshal([]byte(text), &e); err != nil {
				return nil, err
			}
			return nil, &e
		}
		if text, ok := f.Answer[method]; ok {
			return &literal{text: text}, nil
		}
		switch p := req.GetParams().(type) {
		case *mcp.ListToolsParams:
			if f.Pages != nil {
				n, _ := strconv.Atoi(p.Cursor)
				return &literal{text: f.Pages[min(n, len(f.Pages)-1)]}, nil
			}
		case *mcp.CallToolParamsRaw:
			if f.Crash {
				os.Exit(4)
			}
			if p.Name == "raw" {
				var told struct{ Result json.RawMessage }
				if err := json.Unmarshal(p.Arguments, &told); err != nil {
					return nil, err
				}
				return &literal{text: strings.ReplaceAll(string(told.Result), "FILL", strings.Repeat("x", 9<<20))}, nil
			}
		}
		return next(ctx, method, req)
	}
}

type fixtureState struct {
	server    *mcp.Server
	cancelled atomic.Int64
	waiting   atomic.Int64
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

func (s *fixtureState) count(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return text(fmt.Sprintf("%d waiting, %d cancelled", s.waiting.Load(), s.cancelled.Load())), nil
}

func (s *fixtureState) wait(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	s.waiting.Add(1)
	select {
	case <-ctx.Done():
		s.cancelled.Add(1)
	case <-time.After(time.Minute):
	}
	return text("waited"), nil
}

func (s *fixtureState) change(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	s.server.RemoveTools("crash")
	s.server.AddTool(&mcp.Tool{Name: "new", InputSchema: json.RawMessage(`{"type": "object"}`)}, echo)
	return text("changed"), nil
}

func crash(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	fmt.Fprintln(os.Stderr, "out of cheese\x1b[31m")
	os.Exit(5)
	return nil, nil
}

// ask asks the client's person in the middle of a call, and says what came of it.
func ask(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	p := &mcp.ElicitParams{}
	if err := json.Unmarshal(req.Params.Arguments, p); err != nil {
		return nil, err
	}
	got, err := req.Session.Elicit(ctx, p)
	if err != nil {
		return text("error: " + err.Error()), nil //nolint:nilerr // it is what came of it
	}
	return isServerAnswer(got)
}

// askLater asks the client's person by its result, as many times as its arguments say.
func askLater(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in struct {
		mcp.ElicitParams
		Times int
	}
	if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
		return nil, err
	}
	times, _ := strconv.Atoi(req.Params.RequestState)
	if got, ok := req.Params.InputResponses["who"].(*mcp.ElicitResult); ok && times >= in.Times {
		return isServerAnswer(got)
	}
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"who": &in.ElicitParams}, RequestState: strconv.Itoa(times + 1)}, nil
}

func isServerAnswer(r *mcp.ElicitResult) (*mcp.CallToolResult, error) {
	content, err := json.Marshal(r.Content)
	return text(r.Action + " " + string(content)), err
}

func echo(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return text(string(req.Params.Arguments)), nil
}

func environment(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return text(strings.Join(os.Environ(), "\n")), nil
}

func pid(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return text(strconv.Itoa(os.Getpid())), nil
}

func progress(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	for i := range 3 {
		if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: req.Params.GetProgressToken(),
			Message: "step", Progress: float64(i + 1), Total: 3}); err != nil {
			return nil, err
		}
	}
	// of calls that nobody made
	for _, token := range []any{"1000 other", "nothing", 7} {
		if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: 1}); err != nil {
			return nil, err
		}
	}
	return text("done"), nil
}
