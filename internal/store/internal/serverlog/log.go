// Package serverlog takes the log of a NATS server inside the process.
package serverlog

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

// A Log keeps the last error that the server logged.
type Log struct {
	Failed func(error) // called when a message could not be written, of which who sent it is told nothing

	mu   sync.Mutex
	line string
}

// Noticef logs nothing.
func (l *Log) Noticef(string, ...any) {}

// Warnf logs nothing.
func (l *Log) Warnf(string, ...any) {}

// Debugf logs nothing.
func (l *Log) Debugf(string, ...any) {}

// Tracef logs nothing.
func (l *Log) Tracef(string, ...any) {}

// Errorf keeps an error.
func (l *Log) Errorf(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	l.mu.Lock()
	l.line = line
	l.mu.Unlock()
	if strings.HasPrefix(line, notStored) {
		if at := strings.LastIndex(line, "': "); at >= 0 {
			line = line[at+len("': "):]
		}
		l.Failed(errors.New(line))
	}
}

// notStored begins the server's log line about a message that it could not write to a file.
const notStored = "JetStream failed to store a msg"

// Fatalf keeps an error.
func (l *Log) Fatalf(format string, args ...any) { l.Errorf(format, args...) }

// Last returns the error that was logged last.
func (l *Log) Last() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.line == "" {
		return errors.New("the server in the process did not start")
	}
	return errors.New(l.line)
}
