package config

import (
	"fmt"
	"net"
	"net/netip"

	"github.com/callwright/callwright/internal/access"
)

// address returns where the gateway listens.
func (c *Config) address() string {
	if c.Listen == "" {
		return DefaultListen
	}
	return c.Listen
}

// admits reports whether the gateway may listen at an address: beyond loopback only with keys.
func (c *Config) admits(address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil || port == "" {
		return fmt.Errorf("expected host:port, got %q", address)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return fmt.Errorf("expected a port from 0 to 65535, got %q", port)
	}
	ip, err := netip.ParseAddr(host)
	loopback := host == "localhost" || err == nil && ip.IsLoopback()
	if !loopback && len(c.Keys) == 0 && c.KeysFile == "" {
		return fmt.Errorf("%s is reached from other machines: expected keys, so that not everybody may use the models", address)
	}
	return nil
}

// Access returns where the gateway listens and the keys that clients must present; a listen that is not empty stands in
// place of the configured address. It fails where everybody could reach it without a key, and where a key is named that
// is not there.
func (c *Config) Access(listen string, env func(string) (string, bool)) (address string, keys []access.Key, err error) {
	address = listen
	if address == "" {
		address = c.address()
	}
	if err := c.admits(address); err != nil {
		return "", nil, err
	}
	keys, err = accessKeys(c.Keys, env)
	if err != nil {
		return "", nil, err
	}
	return address, keys, nil
}
