package natstest

import (
	"crypto/tls"
	"crypto/x509"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// Password returns a server option that requires a user and a password.
func Password(user, password string) func(*server.Options) {
	return func(o *server.Options) { o.Username, o.Password = user, password }
}

// Operator returns a server option that requires credentials of an account, and the paths of two credentials files in
// the format of nsc: a valid and an expired one.
func Operator(t testing.TB) (change func(*server.Options), good, expired string) {
	t.Helper()
	operator, operatorKey := pair(t, nkeys.CreateOperator)
	account, accountKey := pair(t, nkeys.CreateAccount)
	system, _ := pair(t, nkeys.CreateAccount)
	signed := func(c jwt.Claims, by nkeys.KeyPair) string {
		text, err := c.Encode(by)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	about := jwt.NewAccountClaims(account)
	about.Limits.JetStreamLimits = jwt.JetStreamLimits{DiskStorage: jwt.NoLimit, MemoryStorage: jwt.NoLimit,
		Streams: jwt.NoLimit, Consumer: jwt.NoLimit}
	resolver := &server.MemAccResolver{}
	for name, claims := range map[string]jwt.Claims{account: about, system: jwt.NewAccountClaims(system)} {
		if err := resolver.Store(name, signed(claims, operatorKey)); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	credentials := func(name string, expires time.Time) string {
		user, key := pair(t, nkeys.CreateUser)
		claims := jwt.NewUserClaims(user)
		claims.Expires = expires.Unix()
		seed, err := key.Seed()
		if err != nil {
			t.Fatal(err)
		}
		text, err := jwt.FormatUserConfig(signed(claims, accountKey), seed)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	trusted, err := jwt.DecodeOperatorClaims(signed(jwt.NewOperatorClaims(operator), operatorKey))
	if err != nil {
		t.Fatal(err)
	}
	return func(o *server.Options) {
		o.TrustedOperators, o.AccountResolver, o.SystemAccount = []*jwt.OperatorClaims{trusted}, resolver, system
	}, credentials("good.creds", time.Now().Add(time.Hour)), credentials("expired.creds", time.Now().Add(-time.Hour))
}

// pair creates a key pair and returns it with its public key.
func pair(t testing.TB, create func() (nkeys.KeyPair, error)) (public string, key nkeys.KeyPair) {
	t.Helper()
	key, err := create()
	if err == nil {
		public, err = key.PublicKey()
	}
	if err != nil {
		t.Fatal(err)
	}
	return public, key
}

// A Certificate names PEM files with a certificate and its private key.
type Certificate struct{ Cert, Key string }

// TLS returns a server option with the server's certificate that requires the client's certificate. Both certificates
// are self-signed.
func TLS(t testing.TB, ofServer, client Certificate) func(*server.Options) {
	t.Helper()
	own, err := tls.LoadX509KeyPair(ofServer.Cert, ofServer.Key)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(client.Cert)
	if err != nil {
		t.Fatal(err)
	}
	known := x509.NewCertPool()
	known.AppendCertsFromPEM(text)
	return func(o *server.Options) {
		o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{own}, ClientCAs: known,
			ClientAuth: tls.RequireAndVerifyClientCert, MinVersion: tls.VersionTLS12}
		o.TLSVerify, o.TLSTimeout = true, 10
	}
}
