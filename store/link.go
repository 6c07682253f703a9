package store

import (
	"errors"
	"time"

	"github.com/callwright/callwright"
	"github.com/nats-io/nats.go"
)

// dial makes the connection, which mends itself from then on.
func (s *Store) dial() (*nats.Conn, error) {
	address, opts := nats.DefaultURL, []nats.Option{
		nats.Name("callwright"), nats.Timeout(dialTime), nats.MaxReconnects(-1), nats.ReconnectWait(firstReconnect), nats.ReconnectJitter(reconnectJitter, reconnectJitter),
		nats.ReconnectBufSize(-1), nats.PingInterval(pingEvery), nats.MaxPingsOutstanding(2), nats.IgnoreAuthErrorAbort(),
		nats.DisconnectErrHandler(s.disconnected), nats.ReconnectHandler(s.connected), nats.ConnectHandler(s.connected),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { s.conf.Logger.Debug("state: NATS", "error", err) }),
	}
	if s.server != nil {
		opts = append(opts, nats.InProcessServer(s.server))
	} else {
		address = s.conf.URL
		opts = append(opts, s.conf.identity()...)
	}
	nc, err := nats.Connect(address, opts...)
	if err == nil {
		return nc, nil
	}
	if kind, final := refusal(err); final {
		return nil, &callwright.Error{Op: opOpen, Kind: kind, Message: s.conf.place(), Err: err}
	}
	s.disconnected(nil, err)
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
)

// identity are the options of who we are.
func (c *Config) identity() []nats.Option {
	var opts []nats.Option
	if c.Credentials != "" {
		opts = append(opts, nats.UserCredentials(c.Credentials))
	}
	if c.User != "" || c.Password != "" {
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

// refusal says whether a first connection failed for what trying again cannot mend.
func refusal(err error) (kind callwright.Kind, final bool) {
	switch {
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrAuthRevoked), errors.Is(err, nats.ErrAccountAuthExpired),
		errors.Is(err, nats.ErrPermissionViolation):
		return callwright.KindAuth, true
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrTimeout), errors.Is(err, nats.ErrConnectionClosed), errors.Is(err, errStopped), isNetwork(err):
		return "", false
	default:
		return callwright.KindInvalid, true
	}
}

// disconnected notes that NATS went away.
func (s *Store) disconnected(_ *nats.Conn, err error) {
	if s.ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	first := s.away.IsZero()
	if first {
		s.away = time.Now()
	}
	s.why = err
	s.mu.Unlock()
	if first {
		s.conf.Logger.Warn("state: NATS is away; what is in memory goes on", "nats", s.conf.place(), "error", err)
	}
}

// connected notes that NATS is there.
func (s *Store) connected(*nats.Conn) {
	s.mu.Lock()
	was := s.away
	s.away, s.why = time.Time{}, nil
	s.mu.Unlock()
	if !was.IsZero() {
		s.conf.Logger.Info("state: NATS is back", "nats", s.conf.place(), "after", time.Since(was).Round(time.Millisecond))
	}
}
