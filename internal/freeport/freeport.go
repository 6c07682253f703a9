// Package freeport finds ports of this machine for servers that a test starts by a port's number, as other programs
// are, or starts again where they were.
package freeport

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
)

// The ports drawn from lie below those that systems give to whoever asks for any port, or connects: Linux begins at
// 32768 (https://www.kernel.org/doc/html/latest/networking/ip-sysctl.html, ip_local_port_range), RFC 6335 at 49152. So
// nobody is given one between the moment when it was found and that when the server listens.
const (
	lowest = 20_000
	above  = 32_000
)

// Find gives n different ports at which nobody listens at 127.0.0.1.
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

// Address is a port at 127.0.0.1, as net.Listen takes it.
func Address(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }
