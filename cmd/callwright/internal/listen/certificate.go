package listen

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// A certificate is a TLS certificate from two files, which are reloaded when they change. It is safe for concurrent
// use.
type certificate struct {
	cert, key string
	log       *slog.Logger

	mu      sync.Mutex
	now     *tls.Certificate
	read    [2]time.Time // modification times of the loaded files
	looked  time.Time
	refused [2]time.Time // modification times of files that could not be loaded
}

// lookEvery is the minimum interval between two checks for changed certificate files.
const lookEvery = time.Second

func openCertificate(cert, key string, log *slog.Logger) (*certificate, error) {
	c := &certificate{cert: cert, key: key, log: log, looked: time.Now()}
	read, err := c.times()
	if err != nil {
		return nil, err
	}
	if err := c.load(read); err != nil {
		return nil, fmt.Errorf("server.tls: %w", err)
	}
	return c, nil
}

// Stat returns the FileInfo of a file that a setting names. The error names the setting and the remedy.
func Stat(setting, file string) (os.FileInfo, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: correct the path, or create the file", setting, err)
	}
	return info, nil
}

func (c *certificate) times() (out [2]time.Time, err error) {
	for i, name := range []string{c.cert, c.key} {
		info, err := Stat([]string{"server.tls.cert", "server.tls.key"}[i], name)
		if err != nil {
			return out, err
		}
		out[i] = info.ModTime()
	}
	return out, nil
}

func (c *certificate) load(read [2]time.Time) error {
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return err
	}
	c.now, c.read = &pair, read
	return nil
}

// get returns the certificate for a TLS handshake. If the changed files are invalid, such as while only one of them is
// replaced, get returns the previous certificate.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.looked) < lookEvery {
		return c.now, nil
	}
	c.looked = time.Now()
	at, err := c.times()
	if err != nil || at == c.read || at == c.refused {
		return c.now, nil //nolint:nilerr // a missing file is being replaced
	}
	if err := c.load(at); err != nil {
		c.refused = at
		c.log.Error("the new certificate cannot be used: the previous one stays in use", "error", err)
	} else {
		c.log.Info("the certificate was reloaded", "file", c.cert)
	}
	return c.now, nil
}
