// Package listen has the socket of a gateway: opened, inherited from the process whose place this one takes, and handed
// over to the next.
package listen

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Variables by which a process gets a socket that listens already, as the descriptor socketFD: from systemd, which
// names the process it is meant for, or from the gateway whose place it takes, which waits for a byte on readyFD.
const (
	envHandedOver = "CALLWRIGHT_HANDED_OVER"
	envSystemd    = "LISTEN_PID"

	socketFD = 3
	readyFD  = 4
)

// A Config says where to listen, and by which certificate.
type Config struct {
	Address   string
	Cert, Key string // files; empty for no TLS
	PIDFile   string // gets the number of the process that serves; empty for none
	Version   string // of the program, told to the process whose place this one takes
	// Env finds environment variables, by which a socket is inherited.
	Env func(string) (string, bool)
	Log *slog.Logger
}

// A Listener is the socket at which a gateway listens, and its connections, by TLS where it has a certificate.
type Listener struct {
	net.Listener
	socket *net.TCPListener
	secure bool
	cfg    *Config
	taken  *os.File // told when this process serves, where it takes the place of another; else nil
}

// Open listens at an address, or at the socket that this process was given. It writes the PID file, but where the
// process is to take the place of another one: then HandOver does.
func Open(ctx context.Context, cfg Config) (*Listener, error) {
	l := &Listener{cfg: &cfg}
	if err := l.inherit(cfg.Env); err != nil {
		return nil, err
	}
	if l.socket == nil {
		ln, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.Address)
		switch {
		case errors.Is(err, syscall.EADDRINUSE):
			return nil, InUse(ctx, cfg.Address)
		case err != nil:
			return nil, err
		}
		l.socket, _ = ln.(*net.TCPListener) // of the network tcp it is one
	}
	if l.taken == nil {
		if err := l.writePID(); err != nil {
			_ = l.socket.Close()
			return nil, fmt.Errorf("the PID file: %w", err)
		}
	}
	l.Listener = l.socket
	if cfg.Cert != "" {
		c, err := openCertificate(cfg.Cert, cfg.Key, cfg.Log)
		if err != nil {
			_ = l.socket.Close()
			return nil, err
		}
		l.secure = true
		l.Listener = tls.NewListener(l.socket,
			&tls.Config{GetCertificate: c.get, NextProtos: []string{"h2", "http/1.1"}, MinVersion: tls.VersionTLS12})
	}
	return l, nil
}

// HandedOver reports whether this process takes the place of another one, until Open has taken its socket.
func HandedOver(env func(string) (string, bool)) bool {
	_, handed := env(envHandedOver)
	return handed
}

// inherit takes the socket that this process was given, if it was.
func (l *Listener) inherit(env func(string) (string, bool)) error {
	handed := HandedOver(env)
	pid, _ := env(envSystemd)
	if !handed && pid != strconv.Itoa(os.Getpid()) {
		return nil
	}
	for _, name := range []string{envHandedOver, envSystemd} { // they are not for processes that this one starts
		_ = os.Unsetenv(name)
	}
	f := os.NewFile(socketFD, "socket")
	ln, err := net.FileListener(f)
	_ = f.Close()
	if err != nil {
		return fmt.Errorf("the socket that was handed over: %w", err)
	}
	tcp, ok := ln.(*net.TCPListener)
	if !ok {
		_ = ln.Close()
		return fmt.Errorf("the socket that was handed over: expected one of TCP, got %s", ln.Addr().Network())
	}
	l.socket = tcp
	if handed {
		l.taken = os.NewFile(readyFD, "ready")
	}
	return nil
}

// URL is where clients find the gateway.
func (l *Listener) URL() string {
	if l.secure {
		return "https://" + l.Addr().String()
	}
	return "http://" + l.Addr().String()
}

// HandOver has another process take this one's place when it is told to, by SIGUSR2, until ctx ends or one has: then
// leave is called, and this one is to accept nothing any more. pid is the number of the other. A process that was given
// the socket first writes the PID file and says that it serves. The file is removed in the end, unless it has the
// number of the process that took over.
func (l *Listener) HandOver(ctx context.Context, leave func(pid int)) {
	defer l.removePID()
	if l.taken != nil {
		if err := l.writePID(); err != nil {
			l.cfg.Log.Error("the PID file cannot be written", "error", err)
		}
		_, _ = l.taken.WriteString(ready + l.cfg.Version)
		_ = l.taken.Close()
	}
	asked := takeovers(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case <-asked:
		}
		pid, version, err := l.start(ctx)
		if err != nil {
			l.cfg.Log.Error("no other process could take over: this one goes on", "error", err)
			continue
		}
		l.cfg.Log.Info("another process has taken over: this one finishes what is running", "pid", pid, "version",
			l.cfg.Version, "new_version", version)
		leave(pid)
		return
	}
}

// ready is the first byte by which a process says that it serves. Its version follows.
const ready = "\x01"

// mostVersion bounds the version that a process says, in bytes.
const mostVersion = 100

// startTime is how long another process may take until it serves.
const startTime = 30 * time.Second

// start runs the program once more, with the same arguments and the socket, and waits until it serves.
func (l *Listener) start(ctx context.Context) (pid int, version string, err error) {
	program, err := os.Executable()
	if err != nil {
		return 0, "", err
	}
	socket, err := duplicate(l.socket)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = socket.Close() }()
	says, told, err := os.Pipe()
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = says.Close() }()
	// It outlives this process: no context ends it.
	next := &exec.Cmd{Path: program, Args: os.Args, Env: append(os.Environ(), envHandedOver+"=1"), Stdin: os.Stdin,
		Stdout: os.Stdout, Stderr: os.Stderr,
		ExtraFiles: []*os.File{socket, told}}
	err = next.Start()
	_ = told.Close()
	if err != nil {
		return 0, "", err
	}
	stop := context.AfterFunc(ctx, func() { _ = says.SetReadDeadline(time.Now()) })
	defer stop()
	_ = says.SetReadDeadline(time.Now().Add(startTime))
	said, err := io.ReadAll(io.LimitReader(says, mostVersion))
	if err == nil && !strings.HasPrefix(string(said), ready) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		_ = next.Process.Kill()
		if ended := next.Wait(); ended != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return 0, "", fmt.Errorf("it ended: %w", ended)
		}
		return 0, "", fmt.Errorf("it did not serve within %s: %w", startTime, err)
	}
	pid = next.Process.Pid
	return pid, string(said[len(ready):]), next.Process.Release()
}
