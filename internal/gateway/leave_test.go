package gateway_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright/internal/gateway"
)

// pipes is a listener whose connections are made in memory.
type pipes struct {
	come   chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes { return &pipes{come: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.come:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{} }

// A talker is a connection of a client that it keeps.
type talker struct {
	net.Conn
	r *bufio.Reader
}

func (p *pipes) dial() *talker {
	near, far := net.Pipe()
	p.come <- far
	return &talker{near, bufio.NewReader(near)}
}

// ask asks for a path and gives the answer, and whether the connection is to be closed.
func (c *talker) ask(path string) (body string, last bool, err error) {
	if _, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path); err != nil {
		return "", false, err
	}
	resp, err := http.ReadResponse(c.r, nil)
	if err != nil {
		return "", false, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return string(text), resp.Close, err
}

// A gateway that leaves answers what comes over connections that are there, asks clients to come back over others, and waits for what runs.
func TestLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		slow := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			<-release
			_, _ = io.WriteString(w, "done")
		})
		srv := gateway.New(gateway.Config{Models: directory{}, Handlers: map[string]http.Handler{"/slow": slow}})
		ln, ended := newPipes(), make(chan error, 1)
		go func() { ended <- srv.Serve(context.Background(), ln) }()
		used, idle, running := ln.dial(), ln.dial(), ln.dial()
		for _, c := range []*talker{used, idle} {
			if body, last, err := c.ask("/healthz"); body != "ok\n" || last || err != nil {
				t.Errorf("got %q, %v, %v", body, last, err)
			}
		}
		answer := make(chan string, 1)
		go func() {
			body, _, _ := running.ask("/slow")
			answer <- body
		}()
		synctest.Wait()
		srv.Leave()
		srv.Leave()
		synctest.Wait()
		if body, last, err := used.ask("/healthz"); body != "ok\n" || !last || err != nil {
			t.Errorf("over a connection that was there: %q, %v, %v", body, last, err)
		}
		time.Sleep(6 * time.Second)
		if _, err := idle.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("a connection that nobody used: %v", err)
		}
		select {
		case err := <-ended:
			t.Fatalf("it ended before what runs: %v", err)
		default:
		}
		close(release)
		if got := <-answer; got != "done" {
			t.Errorf("what was running: %q", got)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// What takes longer than the time to finish is ended, and told of.
func TestLeaveInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		srv := gateway.New(gateway.Config{Models: directory{}, DrainTime: time.Minute, Handlers: map[string]http.Handler{"/hangs": hangs}})
		ln, ended := newPipes(), make(chan error, 1)
		go func() { ended <- srv.Serve(context.Background(), ln) }()
		c := ln.dial()
		go func() { _, _, _ = c.ask("/hangs") }()
		synctest.Wait()
		began := time.Now()
		srv.Leave()
		if err := <-ended; !errors.Is(err, gateway.ErrDrained) || time.Since(began) != time.Minute {
			t.Errorf("got %v after %s", err, time.Since(began))
		}
	})
}

// Connections beyond the limit are closed: first those on which nothing is asked, then new ones.
func TestConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		slow := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			<-release
			_, _ = io.WriteString(w, "done")
		})
		srv := gateway.New(gateway.Config{Models: directory{}, Connections: 2, Handlers: map[string]http.Handler{"/slow": slow}})
		ctx, stop := context.WithCancel(context.Background())
		ln, ended := newPipes(), make(chan error, 1)
		go func() { ended <- srv.Serve(ctx, ln) }()
		idle, answers := ln.dial(), make(chan string, 2)
		for range 2 {
			c := ln.dial()
			go func() {
				body, _, _ := c.ask("/slow")
				answers <- body
			}()
			synctest.Wait()
		}
		if _, err := idle.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("the connection that waited: %v", err)
		}
		if _, _, err := ln.dial().ask("/healthz"); err == nil {
			t.Error("a third connection was served")
		}
		close(release)
		for range 2 {
			if got := <-answers; got != "done" {
				t.Errorf("what was running: %q", got)
			}
		}
		synctest.Wait()
		if body, _, err := ln.dial().ask("/healthz"); body != "ok\n" || err != nil {
			t.Errorf("when there is room again: %q, %v", body, err)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
