package listen

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// An InUseError is the error for an address at which another program listens. Occupant describes the program.
type InUseError struct {
	Address, Occupant string
	Free              string // an address with a free port; empty if none was found
}

func (e *InUseError) Error() string {
	text := fmt.Sprintf("%s is in use by %s", e.Address, e.Occupant)
	if e.Free != "" {
		text += ": stop it, or use another port: --listen " + e.Free
	}
	return text
}

// greetTime is the time limit of the request that detects a gateway.
const greetTime = time.Second

// InUse returns the error for an address in use, with the program that listens there.
func InUse(ctx context.Context, address string) *InUseError {
	e := &InUseError{Address: address, Occupant: "another program", Free: nextFree(ctx, address)}
	name, pid := process(address)
	switch {
	case greets(ctx, address):
		e.Occupant = "a callwright gateway"
	case name != "":
		e.Occupant = name
	}
	if pid != "" {
		e.Occupant += " (pid " + pid + ")"
	}
	return e
}

// greets reports whether a callwright gateway responds at an address.
func greets(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, greetTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/api/hello", http.NoBody)
	if err != nil {
		return false
	}
	resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		return false
	}
	defer func() { _ = resp.Body.Close() }()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 64))
	return strings.HasPrefix(string(body), "callwright is running")
}

// portsTried is the number of ports after the one in use that nextFree tries.
const portsTried = 20

// nextFree returns the address with the next free port, "" if none of the next portsTried ports is free.
func nextFree(ctx context.Context, address string) string {
	host, text, err := net.SplitHostPort(address)
	port, bad := strconv.Atoi(text)
	if err != nil || bad != nil {
		return ""
	}
	for next := port + 1; next <= min(port+portsTried, 65535); next++ {
		at := net.JoinHostPort(host, strconv.Itoa(next))
		if ln, err := new(net.ListenConfig).Listen(ctx, "tcp", at); err == nil {
			_ = ln.Close()
			return at
		}
	}
	return ""
}

// process returns the name and the id of the process that listens on the port of an address. Both are empty if /proc
// does not contain it.
func process(address string) (name, pid string) {
	_, text, _ := net.SplitHostPort(address)
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return "", ""
	}
	links := map[string]bool{} // /proc links of the listening sockets
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, _ := os.ReadFile(table) // a missing table has no sockets
		for line := range strings.Lines(string(text)) {
			const listening, inode = "0A", 9
			f := strings.Fields(line)
			if len(f) > inode && f[3] == listening &&
				strings.HasSuffix(f[1], ":"+strings.ToUpper(hex.EncodeToString([]byte{byte(port >> 8), byte(port)}))) {
				links["socket:["+f[inode]+"]"] = true
			}
		}
	}
	if len(links) == 0 {
		return "", ""
	}
	found, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, fd := range found {
		if to, err := os.Readlink(fd); err == nil && links[to] {
			dir := filepath.Dir(filepath.Dir(fd))
			comm, _ := os.ReadFile(filepath.Join(dir, "comm"))
			return string(bytes.TrimSpace(comm)), filepath.Base(dir)
		}
	}
	return "", ""
}
