// Package serverlog receives the log of a NATS server inside the process.
package serverlog

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

// A Log is a logger of the NATS server. It retains the last error.
type Log struct {
	Failed func(error) // called if a message could not be stored; its sender gets no error

	mu   sync.Mutex
	line string
}

// Noticef discards the message.
func (l *Log) Noticef(string, ...any) {}

// Warnf discards the message.
func (l *Log) Warnf(string, ...any) {}

// Debugf discards the message.
func (l *Log) Debugf(string, ...any) {}

// Tracef discards the message.
func (l *Log) Tracef(string, ...any) {}

// Errorf retains the error, and calls Failed if it means that a message could not be stored.
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

// notStored is the prefix of the server's log line about a message that it could not store.
const notStored = "JetStream failed to store a msg"

// Fatalf is the same as Errorf.
func (l *Log) Fatalf(format string, args ...any) { l.Errorf(format, args...) }

// Last returns the last logged error, or a general error if there is none.
func (l *Log) Last() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.line == "" {
		return errors.New("the server in the process did not start")
	}
	return errors.New(l.line)
}
