package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/callwright/callwright/internal/keyring"
)

// A KeyLog is the [keyring.Log] shared by all gateways of a space. It is safe for concurrent use.
type KeyLog struct {
	st *stream
	in *follower // nil before Follow is called
}

var _ keyring.Log = (*KeyLog)(nil)

// changeToken is the first subject token of log entries.
const changeToken = "c"

// Keys returns the log of the keys created at run time.
func (s *Store) Keys() *KeyLog { return &KeyLog{st: s.streams[Keys]} }

// Append appends an entry to a subject whose last entry has the number last, and returns the number of the new entry.
// If the subject has another last entry, the error is keyring.ErrMoved.
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

// markFile is the name of a file in the directory of a server in this process. It is created before the first key. If
// it is missing, there are no keys, even if the data cannot be read.
const markFile = "keys.made"

// mark creates markFile if the server runs in this process.
func (l *KeyLog) mark() error {
	if l.st.s.server == nil || !l.isUnmarked() {
		return nil
	}
	return os.WriteFile(filepath.Join(l.st.s.conf.Dir, markFile), nil, 0o600)
}

// isUnmarked reports whether it is certain that there are no entries.
func (l *KeyLog) isUnmarked() bool {
	if l.st.s.server == nil {
		return false
	}
	_, err := os.Stat(filepath.Join(l.st.s.conf.Dir, markFile))
	return errors.Is(err, fs.ErrNotExist)
}

// Follow calls heard with all existing and new entries until the Store is closed. It calls read when all existing
// entries were read. It does not block.
func (l *KeyLog) Follow(heard func(keyring.Entry), read func()) {
	if l.isUnmarked() {
		read()
		read = nil
	}
	l.in = newFollower(l.st, func(m *message) { heard(keyring.Entry{Number: m.seq, Data: m.data}) }, read)
	l.in.start()
}

// Await waits until Follow has read the existing entries. For a cluster it waits a limited time, and not at all if NATS
// is unavailable.
func (l *KeyLog) Await(ctx context.Context) {
	if !l.isUnmarked() {
		l.in.await(ctx)
	}
}

// Read calls heard with the existing entries.
func (l *KeyLog) Read(ctx context.Context, heard func(keyring.Entry)) error {
	const op = "store.read_keys"
	info, err := l.st.info(ctx, op, requestTimeout)
	if err != nil {
		return err
	}
	return l.st.read(ctx, op, 1, info.State.LastSeq+1, changeToken, func(m *message) { heard(keyring.Entry{Number: m.seq, Data: m.data}) })
}
