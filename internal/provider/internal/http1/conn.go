package http1

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/callwright/callwright/internal/pool"
)

const (
	// bufferSize is the size in bytes of one read, unless the caller's buffer is larger.
	bufferSize = 16 << 10
	// lineSize is the maximum length of a chunk's size line, as in net/http.
	lineSize = 4 << 10
	// maxHead is the maximum size in bytes of a response header, including informational responses before it.
	maxHead = 1 << 20
	// maxInline is the maximum size in bytes of a body that is written before the response is read. The kernel buffers of
	// a connection can hold as much, so that a server may respond without reading the body.
	maxInline = 64 << 10
	// afterAnswer is how long a concurrent write of the body may take to finish after the complete response has arrived.
	afterAnswer = 50 * time.Millisecond
	// afterRefusal is the wait for a response after the request could not be written. Some servers refuse a body by
	// responding and closing the connection.
	afterRefusal = 50 * time.Millisecond
)

var (
	errHeadTooLong = errors.New("the headers of the answer are longer than the limit")
	errSwitched    = errors.New("expected an HTTP answer, got another protocol")
	errLength      = errors.New("the body of the request does not have its declared length")
)

// A conn is a connection. It is used by one request at a time.
type conn struct {
	t     *Transport
	host  string
	net   *net.TCPConn
	ahead *readAhead
	in    *bufio.Reader
	head  []byte
	parts [2][]byte
	vec   net.Buffers
	abort func()      // closes net
	left  int64       // number of bytes that may be read
	wrote chan error  // receives the result of a concurrent write; nil if there is none
	fault error       // the result of a write before the response is read
	stop  func() bool // detaches from the request's context; returns false if that has closed net
	since time.Time   // when it became idle
}

func newConn(t *Transport, host string, dialed net.Conn) (*conn, error) {
	nc, ok := dialed.(*net.TCPConn)
	if !ok {
		_ = dialed.Close()
		return nil, fmt.Errorf("expected a TCP connection, got a %T", dialed)
	}
	ahead, err := newReadAhead(nc)
	if err != nil {
		_ = nc.Close()
		return nil, err
	}
	c := &conn{t: t, host: host, net: nc, ahead: ahead}
	c.in = bufio.NewReaderSize(c, lineSize)
	c.abort = func() { _ = nc.Close() }
	return c, nil
}

// Read reads from the connection, at most c.left bytes in total.
func (c *conn) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errHeadTooLong
	}
	p = p[:min(int64(len(p)), c.left)]
	var n int
	var err error
	if len(p) < bufferSize || c.ahead.holds() {
		n, err = c.ahead.read(p)
	} else {
		n, err = c.net.Read(p)
	}
	c.left -= int64(n)
	return n, err
}

// wait waits until data is available or the connection has ended, without a buffer.
func (c *conn) wait() {
	if c.in.Buffered() == 0 {
		_ = c.ahead.wait()
	}
}

// ask sends a request on an idle connection and waits for the response. If the server has closed the connection or has
// sent data, ask closes the connection and returns false without sending.
func (c *conn) ask(req *http.Request, body Body) bool {
	c.stop = afterFunc(req.Context(), c.abort)
	if c.ahead.ask(func() { c.send(req, body) }) {
		return true
	}
	c.stop()
	_ = c.net.Close()
	return false
}

// afterFunc is context.AfterFunc, but uses the AfterFunc method of ctx directly if there is one.
func afterFunc(ctx context.Context, f func()) (stop func() bool) {
	if own, ok := ctx.(interface{ AfterFunc(f func()) func() bool }); ok {
		return own.AfterFunc(f)
	}
	return context.AfterFunc(ctx, f)
}

// readResponse returns the response to the request that was sent. After an error it closes the connection.
func (c *conn) readResponse(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	resp, err := c.receive(req)
	if err != nil {
		fault := c.close()
		switch {
		case ctx.Err() != nil:
			err = context.Cause(ctx)
		case fault != nil && !errors.Is(fault, net.ErrClosed):
			err = fault
		}
		return nil, err
	}
	a := &responseBody{c: c, ctx: ctx, in: resp.Body, last: resp.Close}
	if resp.Body == http.NoBody {
		a.end(true)
	}
	resp.Body = a
	return resp, nil
}

// send writes the request and closes its body. It writes a body larger than maxInline concurrently, since a server may
// respond before it has read the body.
func (c *conn) send(req *http.Request, body Body) {
	c.head, c.fault, c.wrote = appendHead(c.head[:0], req), nil, nil
	if body == nil {
		_, c.fault = c.net.Write(c.head)
		c.limitWait(c.fault)
		return
	}
	if req.ContentLength <= maxInline {
		c.fault = c.write(body, req.ContentLength)
		c.limitWait(c.fault)
		return
	}
	wrote := make(chan error, 1)
	c.wrote = wrote
	go func() {
		err := c.write(body, req.ContentLength)
		c.limitWait(err)
		wrote <- err
	}()
}

// limitWait limits the wait for the response if the request could not be written, that is, err is not nil.
func (c *conn) limitWait(err error) {
	if err != nil {
		_ = c.net.SetReadDeadline(time.Now().Add(afterRefusal))
	}
}

// write writes the header and the body together, without copying.
func (c *conn) write(body Body, length int64) error {
	defer func() { _ = body.Close() }()
	_, err := body.Use(func(rest []byte) (int, error) {
		if int64(len(rest)) != length {
			return 0, errLength
		}
		// The race detector recognises a write as the cause of the read at the other end, but not a write of several buffers
		// (internal/poll).
		if pool.Poisons {
			if _, err := c.net.Write(c.head); err != nil {
				return 0, err
			}
			return c.net.Write(rest)
		}
		c.parts = [2][]byte{c.head, rest}
		c.vec = c.parts[:]
		n, err := c.vec.WriteTo(c.net)
		c.parts = [2][]byte{}
		return max(int(n)-len(c.head), 0), err
	})
	return err
}

// appendHead appends the request line and the header of a request.
func appendHead(b []byte, req *http.Request) []byte {
	host := req.Host
	if host == "" {
		host = req.URL.Host
	}
	b = append(b, req.Method...)
	b = append(b, ' ')
	b = append(b, req.URL.RequestURI()...)
	b = append(b, " HTTP/1.1\r\nHost: "...)
	b = append(b, host...)
	for name, values := range req.Header {
		for _, v := range values {
			b = append(b, "\r\n"...)
			b = append(b, name...)
			b = append(b, ": "...)
			b = append(b, v...)
		}
	}
	if req.Method == http.MethodPost || req.ContentLength > 0 {
		b = append(b, "\r\nContent-Length: "...)
		b = strconv.AppendInt(b, req.ContentLength, 10)
	}
	return append(b, "\r\n\r\n"...)
}

// receive reads the header of the response. It skips informational responses (status 1xx).
func (c *conn) receive(req *http.Request) (*http.Response, error) {
	c.left = maxHead
	for {
		resp, err := http.ReadResponse(c.in, req)
		switch {
		case err != nil:
			return nil, err
		case resp.StatusCode == http.StatusSwitchingProtocols:
			return nil, errSwitched
		case resp.StatusCode/100 != 1:
			c.left = math.MaxInt64
			return resp, nil
		}
	}
}

// close closes the connection. It returns the error of writing the request, if any.
func (c *conn) close() error {
	c.stop()
	_ = c.net.Close()
	if c.wrote != nil {
		c.fault, c.wrote = <-c.wrote, nil
	}
	return c.fault
}

// isRequestWritten reports whether the whole request was written. It waits up to afterAnswer for a concurrent write.
func (c *conn) isRequestWritten() bool {
	if c.wrote != nil {
		timer := time.NewTimer(afterAnswer)
		defer timer.Stop()
		select {
		case c.fault = <-c.wrote:
			c.wrote = nil
		case <-timer.C:
			return false
		}
	}
	return c.fault == nil
}

// release makes the connection idle for another request if request and response are complete, and closes it otherwise.
func (c *conn) release() {
	if !c.isRequestWritten() || c.in.Buffered() > 0 || c.ahead.holds() || !c.stop() {
		_ = c.close()
		return
	}
	c.stop = nil // the function references the context
	c.t.put(c)
}
