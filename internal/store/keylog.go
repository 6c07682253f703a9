package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/callwright/callwright/internal/keyring"
)

// A KeyLog is the [keyring.Log] that all gateways of a space share. It is safe for concurrent use.
type KeyLog struct {
	st *stream
	in *follower // nil before Follow
}

var _ keyring.Log = (*KeyLog)(nil)

// changeToken begins the subjects of the entries.
const changeToken = "c"

// Keys is the log of the keys that are made while gateways run.
func (s *Store) Keys() *KeyLog { return &KeyLog{st: s.streams[Keys]} }

// Append adds an entry to a subject whose last one has the number last.
func (l *KeyLog) Append(ctx context.Context, subject string, last uint64, data []byte) (uint64, error) {
	const op = "store.change_key"
	if err := ctx.Err(); err != nil {
		return 0, canceledError(op, err)
	}
	if err := l.mark(); err != nil {
		return 0, l.st.s.unavailable(op, err)
	}
	seq, err := l.st.put(ctx, op, l.st.s.patience(), newMessage(data, changeToken, token(subject)), last)
	if errors.Is(err, errMoved) {
		return 0, keyring.ErrMoved
	}
	return seq, err
}

// markFile is a file in the folder of a server in the process that is there once a key was made: without it there are
// none, also where the folder cannot be read.
const markFile = "keys.made"

// mark writes the file.
func (l *KeyLog) mark() error {
	if l.st.s.server == nil || !l.isUnmarked() {
		return nil
	}
	return os.WriteFile(filepath.Join(l.st.s.conf.Dir, markFile), nil, 0o600)
}

// isUnmarked reports whether it is known that there are no entries.
func (l *KeyLog) isUnmarked() bool {
	if l.st.s.server == nil {
		return false
	}
	_, err := os.Stat(filepath.Join(l.st.s.conf.Dir, markFile))
	return errors.Is(err, fs.ErrNotExist)
}

// Follow has heard called with all entries until the Store is closed.
func (l *KeyLog) Follow(heard func(keyring.Entry), read func()) {
	if l.isUnmarked() {
		read()
		read = nil
	}
	l.in = newFollower(l.st, func(m *message) { heard(keyring.Entry{Number: m.seq, Data: m.data}) }, read)
	l.in.start()
}

// Await waits until Follow has read the entries that there are: of a cluster a moment, and not where it is away.
func (l *KeyLog) Await(ctx context.Context) {
	if !l.isUnmarked() {
		l.in.await(ctx)
	}
}

// Read calls heard with the entries that there are.
func (l *KeyLog) Read(ctx context.Context, heard func(keyring.Entry)) error {
	const op = "store.read_keys"
	info, err := l.st.info(ctx, op, quick)
	if err != nil {
		return err
	}
	return l.st.read(ctx, op, 1, info.State.LastSeq+1, changeToken, func(m *message) { heard(keyring.Entry{Number: m.seq, Data: m.data}) })
}
