// Package freeport finds free TCP ports for test servers that need a fixed port number, for example because another
// process connects to them or because they are restarted on the same port.
package freeport

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
)

// Range of ports from which Find selects, below the range of ephemeral ports: Linux begins that at 32768
// (https://www.kernel.org/doc/html/latest/networking/ip-sysctl.html, ip_local_port_range), RFC 6335 at 49152. Thus the
// system does not assign a found port to another socket before the server listens.
const (
	lowest = 20_000
	above  = 32_000
)

// Find returns n different ports that are free on 127.0.0.1.
func Find(n int) ([]int, error) {
	var found []int
	for tries := 0; len(found) < n; tries++ {
		if tries == above-lowest {
			return nil, errors.New("freeport: no port is free")
		}
		port := lowest + rand.IntN(above-lowest)
		ln, err := net.Listen("tcp", Address(port))
		if err != nil {
			continue
		}
		defer func() { _ = ln.Close() }()
		found = append(found, port)
	}
	return found, nil
}

// Address returns the address of a port on 127.0.0.1 for net.Listen.
func Address(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }
