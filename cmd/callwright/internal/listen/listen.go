// Package listen manages the listening socket of a gateway: it is opened or inherited from another process, and can be
// handed over to a process that replaces this one.
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

// Environment variables and file descriptors for an inherited listening socket. The socket comes from systemd, which
// sets envSystemd to the id of the receiving process, or from the gateway to replace, which waits for a byte on
// readyFD.
const (
	envHandedOver = "CALLWRIGHT_HANDED_OVER"
	envSystemd    = "LISTEN_PID"

	socketFD = 3
	readyFD  = 4
)

// A Config contains the address and the certificate of a listener.
type Config struct {
	Address   string
	Cert, Key string // files; empty for no TLS
	PIDFile   string // receives the id of the serving process; empty for none
	Version   string // program version, sent to the process to replace
	// Env looks up environment variables.
	Env func(string) (string, bool)
	Log *slog.Logger
}

// A Listener is the listening socket of a gateway. Its connections use TLS if it has a certificate.
type Listener struct {
	net.Listener
	socket *net.TCPListener
	secure bool
	cfg    *Config
	taken  *os.File // notified when this process serves; nil if it replaces none
}

// Open listens at cfg.Address or on an inherited socket. It writes the PID file, unless this process will replace
// another one: then HandOver writes it.
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
		l.socket, _ = ln.(*net.TCPListener) // always true for the network "tcp"
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

// HandedOver reports whether this process was started to replace another one. It must be called before Open, which
// removes the environment variable that states this.
func HandedOver(env func(string) (string, bool)) bool {
	_, handed := env(envHandedOver)
	return handed
}

// inherit uses the listening socket that this process inherited, if there is one.
func (l *Listener) inherit(env func(string) (string, bool)) error {
	handed := HandedOver(env)
	pid, _ := env(envSystemd)
	if !handed && pid != strconv.Itoa(os.Getpid()) {
		return nil
	}
	for _, name := range []string{envHandedOver, envSystemd} { // do not pass them to child processes
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
		return fmt.Errorf("the socket that was handed over: expected a TCP socket, got %s", ln.Addr().Network())
	}
	l.socket = tcp
	if handed {
		l.taken = os.NewFile(readyFD, "ready")
	}
	return nil
}

// URL returns the base URL of the gateway.
func (l *Listener) URL() string {
	if l.secure {
		return "https://" + l.Addr().String()
	}
	return "http://" + l.Addr().String()
}

// HandOver handles SIGUSR2: it starts another process to replace this one. It returns when ctx is done or when a
// process has taken over. In the second case it first calls leave with the id of the new process, and this process must
// accept no more connections. If this process itself replaces another one, HandOver first writes the PID file and
// notifies that process. At the end it removes the PID file, unless the file contains another process id.
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
			l.cfg.Log.Error("no other process could take over: this process continues", "error", err)
			continue
		}
		l.cfg.Log.Info("another process has taken over: this process finishes its requests", "pid", pid, "version",
			l.cfg.Version, "new_version", version)
		leave(pid)
		return
	}
}

// ready is the first byte of the message from a process that serves. The program version follows.
const ready = "\x01"

// mostVersion is the maximum length in bytes of the program version in that message.
const mostVersion = 100

// startTime is the time limit for a new process until it serves.
const startTime = 30 * time.Second

// start runs the program again with the same arguments and the socket, and waits until it serves.
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
	// Not CommandContext: the process outlives this one.
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
			return 0, "", fmt.Errorf("the new process ended: %w", ended)
		}
		return 0, "", fmt.Errorf("the new process did not start to serve within %s: %w", startTime, err)
	}
	pid = next.Process.Pid
	return pid, string(said[len(ready):]), next.Process.Release()
}
