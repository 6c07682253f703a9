package store

import (
	"context"
	"errors"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/store/internal/refusal"
	"github.com/nats-io/nats.go"
)

// dial connects to NATS. The connection reconnects by itself.
func (s *Store) dial() (*nats.Conn, error) {
	address, opts := nats.DefaultURL, []nats.Option{
		nats.Name("callwright"), nats.Timeout(dialTime), nats.MaxReconnects(-1), nats.ReconnectWait(firstReconnect),
		nats.ReconnectJitter(reconnectJitter, reconnectJitter),
		nats.ReconnectBufSize(-1), nats.PingInterval(pingEvery), nats.MaxPingsOutstanding(2), nats.IgnoreAuthErrorAbort(),
		nats.DisconnectErrHandler(s.noteDisconnect), nats.ReconnectHandler(s.noteConnect), nats.ConnectHandler(s.noteConnect),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { s.conf.Logger.Debug("state: NATS", "error", err) }),
	}
	if s.server != nil {
		opts = append(opts, nats.InProcessServer(s.server))
	} else {
		address = s.conf.URL
		opts = append(opts, s.conf.identity()...)
	}
	nc, err := nats.Connect(address, opts...)
	for range droppedTries {
		if !refusal.IsDropped(err) || !s.wait(firstReconnect) {
			break
		}
		nc, err = nats.Connect(address, opts...)
	}
	if err == nil {
		return nc, nil
	}
	if kind, hint, final := s.conf.refusal(err); final {
		return nil, &callwright.Error{Op: opOpen, Kind: kind, Message: s.conf.place() + hint, Err: err}
	}
	s.noteDisconnect(nil, err)
	nc, err = nats.Connect(address, append(opts, nats.RetryOnFailedConnect(true))...)
	if err != nil {
		return nil, &callwright.Error{Op: opOpen, Kind: callwright.KindInvalid, Message: s.conf.place(), Err: err}
	}
	return nc, nil
}

const (
	firstReconnect  = 100 * time.Millisecond
	reconnectJitter = 100 * time.Millisecond
	pingEvery       = 5 * time.Second
	// droppedTries is the number of retries if a connection is closed right after the TLS handshake. A server that shuts
	// down does that too.
	droppedTries = 3
)

// identity returns the connection options with the credentials of this client.
func (c *Config) identity() []nats.Option {
	var opts []nats.Option
	if c.Credentials != "" {
		opts = append(opts, nats.UserCredentials(c.Credentials))
	}
	if c.CurrentPassword != nil {
		opts = append(opts, nats.UserInfoHandler(func() (user, password string) { return c.User, c.CurrentPassword() }))
	} else if c.User != "" || c.Password != "" {
		opts = append(opts, nats.UserInfo(c.User, c.Password))
	}
	if c.TLS.CA != "" {
		opts = append(opts, nats.RootCAs(c.TLS.CA))
	}
	if c.TLS.Cert != "" || c.TLS.Key != "" {
		opts = append(opts, nats.ClientCert(c.TLS.Cert, c.TLS.Key))
	}
	return opts
}

// refusal classifies the error of the first connection. If a retry cannot succeed, final is true and hint is the rest
// of the error message with a remedy.
func (c *Config) refusal(err error) (kind callwright.Kind, hint string, final bool) {
	switch {
	case refusal.IsUnauthorized(err) && c.Credentials != "":
		return callwright.KindAuth, " refuses the credentials in state.nats.credentials: create the file again", true
	case refusal.IsUnauthorized(err):
		return callwright.KindAuth, " refuses the login: check state.nats.user and state.nats.password, or set state.nats.credentials", true
	case refusal.IsUntrusted(err):
		return callwright.KindAuth, " has a certificate of an unknown authority: set its certificate authority in state.nats.tls.ca", true
	case refusal.IsCertificateRefused(err):
		return callwright.KindAuth,
			" refuses the client certificate, or requires one: check state.nats.tls.cert and state.nats.tls.key", true
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrTimeout), errors.Is(err, nats.ErrConnectionClosed),
		errors.Is(err, errStopped), refusal.IsNetwork(err):
		return "", "", false
	default:
		return callwright.KindInvalid, "", true
	}
}

// noteDisconnect records that the connection to NATS was lost.
func (s *Store) noteDisconnect(_ *nats.Conn, err error) {
	if s.ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	first := s.away.IsZero()
	if first {
		s.away = time.Now()
	}
	s.why = err
	s.lose()
	s.mu.Unlock()
	s.mirror.doubt(err)
	switch {
	case first && s.hasServer(): // problem reports what is wrong with our server
		s.conf.Logger.Debug("state: the server in the process is unavailable", "error", err)
	case first && s.server != nil:
		s.conf.Logger.Info("state: the process that used the folder has ended; this process uses it now", "nats", s.conf.place())
	case first:
		s.conf.Logger.Warn("state: NATS is unavailable: the gateway continues with the data in memory",
			"nats", s.conf.place(), "error", err)
	}
}

// noteConnect records that NATS is connected.
func (s *Store) noteConnect(*nats.Conn) {
	s.mu.Lock()
	was := s.away
	s.away, s.why, s.there = time.Time{}, nil, time.Now()
	if s.link.Err() != nil {
		s.link, s.lose = context.WithCancel(s.ctx)
	}
	s.mu.Unlock()
	if !was.IsZero() && !s.hasServer() {
		s.conf.Logger.Info("state: NATS is available again", "nats", s.conf.place(), "after", time.Since(was).Round(time.Millisecond))
	}
}

// connectedSince returns whether NATS is connected, and since when.
func (s *Store) connectedSince() (time.Time, bool) {
	connected := s.nc.IsConnected()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.there, connected
}
