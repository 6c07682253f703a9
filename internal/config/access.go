package config

import (
	"fmt"
	"net"
	"net/netip"

	"github.com/callwright/callwright/internal/access"
)

// address returns the host:port on which the gateway listens: Listen, or DefaultListen if Listen is empty.
func (c *Config) address() string {
	if c.Listen == "" {
		return DefaultListen
	}
	return c.Listen
}

// admits returns an error if the gateway must not listen on address. The address must be host:port with a valid TCP
// port. A host other than loopback requires that the configuration has access keys.
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
		return fmt.Errorf("%s accepts connections from other machines: expected keys, so that not everybody can use the models", address)
	}
	return nil
}

// Access returns the address on which the gateway listens (host:port) and the keys of the configuration, without those
// of keys_file. A non-empty listen overrides the configured address. It returns an error if the address is not loopback
// and no key is configured, and if a key's environment variable or file cannot be read.
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
