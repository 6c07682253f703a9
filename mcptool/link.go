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
	// maxMessage bounds one message of a server. A longer one ends the connection.
	maxMessage = 16 << 20
	// protocol is the version that is asked for first. Later ones begin with another request, after which servers of
	// earlier ones may end.
	protocol = "2025-11-25"
	// relistPause is between two requests for the list of a server that says again and again that it has changed.
	relistPause = 250 * time.Millisecond
	// closeLimit bounds the wait for a process that does not read its input.
	closeLimit = 5 * time.Second
	// tellLimit bounds how long a server is told, at the end, of calls that were given up.
	tellLimit = 500 * time.Millisecond
)

// A link is one connection to a server, with its process if it has one.
type link struct {
	conf    Config
	session *mcp.ClientSession
	proc    *process // nil over HTTP
	client  *http.Client
	list    atomic.Pointer[listing] // the newest that is whole
	changed chan struct{}           // the server says that its list is another
	sent    atomic.Int64            // calls, which are numbered from 1
	asking  questions               // that nobody has answered yet
	calls   sync.Map                // of those that are under way, by number: func(agent.Progress) that is told how far one is
	given   atomic.Int64            // calls that were given up, and how many of these the server was told of
	told    atomic.Int64
	tasks   sync.WaitGroup
	once    sync.Once
	closing chan struct{} // closed when nothing more is wanted of it
	ended   chan struct{} // closed when the connection is over and the process has exited
}

// connect opens a connection, and fetches the list of tools. A server that refuses the version of the protocol is asked
// in the way of the newest one.
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
	return nil, fmt.Errorf("asked in version %s of the protocol and in %s%s: %w", protocol, newest, theirs, err)
}

// maxVersions bounds the list of a server's versions in an error.
const maxVersions = 200

// dial is connect with one version of the protocol.
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

// ownName is the name that the server gives itself, as far as it can stand in the name of a tool.
func (l *link) ownName() string {
	if info := l.session.InitializeResult().ServerInfo; info != nil && info.Name != "" {
		return cleanName(info.Name, maxServerName)
	}
	return "mcp"
}

// protocolClient is the SDK's client. It offers the server nothing but to ask for input, where somebody can be asked.
func (l *link) protocolClient() *mcp.Client {
	client := mcp.NewClient(&mcp.Implementation{Name: "callwright", Version: "1"}, &mcp.ClientOptions{
		Capabilities:       &mcp.ClientCapabilities{},
		MultiRoundTrip:     &mcp.MultiRoundTripOptions{Disabled: true}, // of the SDK, which does not see our calls
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

// explain says why connecting failed.
func (l *link) explain(ctx context.Context, err error) error {
	late := context.Cause(ctx)
	if late != nil {
		err = late
	}
	if l.proc == nil {
		return err
	}
	if late == nil {
		l.proc.exitsWithin(endByItself) // it is about to, where its output has ended
	}
	return fmt.Errorf("%w: %s", err, l.proc.state())
}

// watch waits for the end of the connection, and ends the process.
func (l *link) watch() {
	_ = l.session.Wait()
	if l.proc != nil {
		l.proc.stop()
	}
	close(l.ended)
}

// close ends the connection and waits until nothing is left of it.
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

// over reports whether the connection has ended.
func (l *link) over() bool {
	select {
	case <-l.ended:
		return true
	default:
		return false
	}
}

// relist fetches the list whenever it has changed. One that cannot be fetched leaves the list before it, and says so.
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

// A callParams holds the parameters of a call.
type callParams struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	// Responses and State go back to a tool that asked for input by its result.
	Responses json.RawMessage `json:"inputResponses,omitempty"`
	State     json.RawMessage `json:"requestState,omitempty"`
}

// call makes a call. It returns when ctx ends, whatever the server does.
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
	l.tasks.Go(func() { // writing to a process that does not read ends with the process
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

// callWithInput makes a call, and makes it again with the input that its result asks for.
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

// wrote registers a written message. The SDK tells a server in the background that a call was cancelled.
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
		return // it is about nothing that was asked
	}
	if tell, ok := l.calls.Load(n); ok {
		tell.(func(agent.Progress))(agent.Progress{Message: p.Message, Done: p.Progress, Total: p.Total})
	}
	if l.conf.OnProgress != nil {
		l.conf.OnProgress(tool, p.Message, p.Progress, p.Total)
	}
}
