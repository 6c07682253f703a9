package mcptool

import (
	"strings"
	"sync"
	"unicode"
)

// Limits of the stored end of a server's standard error.
const (
	tailBytes = 8 << 10
	tailLines = 10
)

// A tail is a writer that stores the last tailBytes bytes. It is safe for concurrent use.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

// Write adds p to the stored text. It never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	if len(p) > tailBytes {
		p = p[len(p)-tailBytes:]
	}
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - tailBytes; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return n, nil
}

// last returns the last tailLines lines of the stored text, without control characters.
func (t *tail) last() string {
	t.mu.Lock()
	lines := strings.Split(strings.TrimSpace(string(t.kept)), "\n")
	t.mu.Unlock()
	lines = lines[max(0, len(lines)-tailLines):]
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(strings.Join(lines, "\n"), ""))
}
