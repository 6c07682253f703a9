package mcptool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxMessage is the maximum size of a server's message in bytes. A larger one ends the connection.
	maxMessage = 16 << 20
	// protocol is the first protocol version that the client requests. Later versions begin with a different request, at
	// which older servers may exit.
	protocol = "2025-11-25"
	// relistPause is the minimum time between two requests for the list of a server that keeps reporting changes.
	relistPause = 250 * time.Millisecond
	// closeLimit is the maximum wait for a process that does not read its input, before it is killed.
	closeLimit = 5 * time.Second
	// tellLimit is the maximum wait, on close, until the server is notified of canceled calls.
	tellLimit = 500 * time.Millisecond
)

// A link is one connection to a server, and the server's process if it has one.
type link struct {
	conf    Config
	session *mcp.ClientSession
	proc    *process // nil over HTTP
	client  *http.Client
	list    atomic.Pointer[listing] // the last complete list of tools
	changed chan struct{}           // has a value after the server reported a changed list
	sent    atomic.Int64            // number of calls; the calls are numbered from 1
	asking  questions               // input requests that wait for a person
	calls   sync.Map                // running calls: number -> func(agent.Progress)
	given   atomic.Int64            // given counts canceled calls, told the sent notifications/cancelled
	told    atomic.Int64
	tasks   sync.WaitGroup
	once    sync.Once
	closing chan struct{} // closed by close
	ended   chan struct{} // closed when the connection has ended and the process has exited
}

// connect opens a connection and fetches the list of tools. If the server rejects the protocol version, connect retries
// with the newest version.
func connect(ctx context.Context, c Config) (*link, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout(), fmt.Errorf("it was not ready within %v", c.timeout()))
	defer cancel()
	l, err := dial(ctx, c, protocol)
	if err == nil || ctx.Err() != nil || !isServerAnswer(err) {
		return l, err
	}
	newest := mcp.SupportedProtocolVersions()[0]
	l, again := dial(ctx, c, newest)
	if again == nil {
		return l, nil
	}
	theirs := ""
	if list := cmp.Or(versionsIn(err), versionsIn(again)); list != "" {
		theirs = " (the server speaks " + jsonx.Clip(list, maxVersions) + ")"
	}
	return nil, fmt.Errorf("tried the protocol versions %s and %s%s: %w", protocol, newest, theirs, err)
}

// maxVersions is the maximum length in bytes of a server's protocol versions in an error message.
const maxVersions = 200

// dial opens a connection like connect, with one version of the MCP protocol.
func dial(ctx context.Context, c Config, version string) (*link, error) {
	l := &link{conf: c, changed: make(chan struct{}, 1), closing: make(chan struct{}), ended: make(chan struct{})}
	transport, err := l.transport()
	if err != nil {
		return nil, err
	}
	l.session, err = l.protocolClient().Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		err = l.explain(ctx, handshakeError{err})
		if l.proc != nil {
			l.proc.stop()
		}
		l.closeIdle()
		return nil, err
	}
	if l.conf.Name == "" {
		l.conf.Name = l.ownName()
	}
	l.tasks.Go(l.watch)
	list, err := l.fetch(ctx)
	if err != nil {
		err = l.explain(ctx, err)
		l.close()
		return nil, err
	}
	l.list.Store(list)
	l.tasks.Go(l.relist)
	return l, nil
}

func (l *link) transport() (mcp.Transport, error) {
	if l.conf.URL == "" {
		var err error
		if l.proc, err = startProcess(l.conf); err != nil {
			return nil, err
		}
		return l.proc.transport(l.wrote), nil
	}
	server, err := url.Parse(l.conf.URL)
	if err != nil {
		return nil, err
	}
	client := http.Client{}
	if l.conf.Client != nil {
		client = *l.conf.Client
	}
	base := client.Transport
	if base == nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		l.client, base = &http.Client{Transport: own}, own
	}
	client.Transport = tripper{base: base, server: server, header: l.conf.Header,
		patience: min(l.conf.timeout()/2, maxPatience), wrote: l.wrote}
	return &mcp.StreamableClientTransport{Endpoint: l.conf.URL, HTTPClient: &client, MaxEventSize: maxMessage}, nil
}

// ownName returns the server's own name, with characters that tool names permit; "mcp" if it has none.
func (l *link) ownName() string {
	if info := l.session.InitializeResult().ServerInfo; info != nil && info.Name != "" {
		return cleanName(info.Name, maxServerName)
	}
	return "mcp"
}

// protocolClient returns the SDK's client. It declares no capabilities except elicitation, if Config.Elicit is set.
func (l *link) protocolClient() *mcp.Client {
	client := mcp.NewClient(&mcp.Implementation{Name: "callwright", Version: "1"}, &mcp.ClientOptions{
		Capabilities:       &mcp.ClientCapabilities{},
		MultiRoundTrip:     &mcp.MultiRoundTripOptions{Disabled: true}, // the SDK's, which does not see calls of callRaw
		ElicitationHandler: l.elicitHandler(),
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			select {
			case l.changed <- struct{}{}:
			default:
			}
		},
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) { l.progress(req.Params) },
	})
	allowRaw(client)
	return client
}

// explain returns the error for a failed connection: the reason why ctx ended, or err, with the state of the process.
func (l *link) explain(ctx context.Context, err error) error {
	late := context.Cause(ctx)
	if late != nil {
		err = late
	}
	if l.proc == nil {
		return err
	}
	if late == nil {
		l.proc.exitsWithin(endByItself) // its output has ended, so it is about to exit
	}
	return fmt.Errorf("%w: %s", err, l.proc.state())
}

// watch waits for the end of the connection, and then stops the process.
func (l *link) watch() {
	_ = l.session.Wait()
	if l.proc != nil {
		l.proc.stop()
	}
	close(l.ended)
}

// close ends the connection and waits until its process and all goroutines have ended.
func (l *link) close() {
	l.once.Do(func() { close(l.closing) })
	if l.proc != nil {
		stuck := time.AfterFunc(closeLimit, l.proc.kill)
		defer stuck.Stop()
	}
	for end := time.Now().Add(tellLimit); l.told.Load() < l.given.Load() && !l.over() && time.Now().Before(end); {
		pause(time.Millisecond, l.ended)
	}
	_ = l.session.Close()
	l.tasks.Wait()
	l.closeIdle()
}

func (l *link) closeIdle() {
	if l.client != nil {
		l.client.CloseIdleConnections()
	}
}

// over reports whether the connection to the MCP server has ended.
func (l *link) over() bool {
	select {
	case <-l.ended:
		return true
	default:
		return false
	}
}

// relist fetches the list of tools after each change. If that fails, the previous list stays, with a problem.
func (l *link) relist() {
	for {
		select {
		case <-l.changed:
		case <-l.closing:
			return
		case <-l.ended:
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), l.conf.timeout())
		stop := cancelOn(l.closing, cancel)
		list, err := l.fetch(ctx)
		stop()
		cancel()
		if err != nil {
			list = l.list.Load().with(fmt.Errorf("the list of tools has changed, and the new one cannot be fetched: %w", err))
		}
		l.list.Store(list)
		pause(relistPause, l.closing)
	}
}

// A callParams contains the parameters of a tools/call request.
type callParams struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	// Responses and State are returned to a tool whose result requested input.
	Responses json.RawMessage `json:"inputResponses,omitempty"`
	State     json.RawMessage `json:"requestState,omitempty"`
}

// call calls a tool and returns the raw result. It returns when ctx is done, even if the server does not respond.
func (l *link) call(ctx context.Context, t *serverTool, arguments json.RawMessage) (json.RawMessage, error) {
	p := callParams{Name: t.own, Arguments: arguments}
	if len(arguments) == 0 {
		p.Arguments = json.RawMessage("{}")
	}
	n := l.sent.Add(1)
	meta := mcp.Meta{"progressToken": strconv.FormatInt(n, 10) + " " + t.name}
	l.calls.Store(n, func(p agent.Progress) { agent.NotifyProgress(ctx, p) })
	l.asking.begin()
	defer func() {
		l.calls.Delete(n)
		l.asking.end()
	}()
	type outcome struct {
		result json.RawMessage
		err    error
	}
	done := make(chan outcome, 1)
	l.tasks.Go(func() { // if the process does not read, the goroutine ends with the process
		var sent atomic.Bool
		result, err := l.callWithInput(context.WithValue(ctx, sentKey{}, &sent), p, meta)
		if err != nil && l.proc != nil && !sent.Load() {
			err = unsentError{err}
		}
		done <- outcome{result, err}
	})
	select {
	case o := <-done:
		if o.err != nil && ctx.Err() != nil {
			l.given.Add(1)
		}
		return o.result, o.err
	case <-ctx.Done():
		l.given.Add(1)
		return nil, ctx.Err()
	}
}

// callWithInput calls a tool. While the result requests input, it repeats the call with that input.
func (l *link) callWithInput(ctx context.Context, p callParams, meta mcp.Meta) (json.RawMessage, error) {
	for range maxRounds {
		result, err := callRaw(ctx, l.session, callTool, p, meta)
		if err != nil {
			return nil, err
		}
		next, more, err := l.fulfil(ctx, p, result)
		if err != nil || !more {
			return result, err
		}
		p = next
	}
	return nil, errRounds()
}

// wrote counts the notifications of canceled calls, which the SDK sends in the background. It is called for every
// message sent.
func (l *link) wrote(msg jsonrpc.Message) {
	if req, ok := msg.(*jsonrpc.Request); ok && req.Method == "notifications/cancelled" {
		l.told.Add(1)
	}
}

func (l *link) progress(p *mcp.ProgressNotificationParams) {
	token, _ := p.ProgressToken.(string)
	number, tool, ok := strings.Cut(token, " ")
	n, err := strconv.ParseInt(number, 10, 64)
	if !ok || err != nil || n < 1 || n > l.sent.Load() {
		return // not a token of a call
	}
	if tell, ok := l.calls.Load(n); ok {
		tell.(func(agent.Progress))(agent.Progress{Message: p.Message, Done: p.Progress, Total: p.Total})
	}
	if l.conf.OnProgress != nil {
		l.conf.OnProgress(tool, p.Message, p.Progress, p.Total)
	}
}
