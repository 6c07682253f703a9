package listen

import (
	"bytes"
	"os"
	"strconv"

	"github.com/callwright/callwright/internal/atomicfile"
)

// writePID writes the id of this process to the PID file, replacing an existing file.
func (l *Listener) writePID() error {
	if l.cfg.PIDFile == "" {
		return nil
	}
	return atomicfile.ReplacePath(l.cfg.PIDFile, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o644)
}

// removePID removes the PID file if it contains the id of this process.
func (l *Listener) removePID() {
	if l.cfg.PIDFile == "" {
		return
	}
	if text, err := os.ReadFile(l.cfg.PIDFile); err == nil && string(bytes.TrimSpace(text)) == strconv.Itoa(os.Getpid()) {
		_ = os.Remove(l.cfg.PIDFile)
	}
}
