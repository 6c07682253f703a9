// Package mint makes unique ids.
package mint

import (
	"encoding/binary"
	"encoding/hex"
	"time"

	"github.com/google/uuid"
)

// ID returns a unique id that begins with prefix and sorts by time. With a prefix of at most 8 bytes it has at most 40
// characters of letters, digits and '_', which every wire but Mistral's accepts (its encoder maps it).
func ID(prefix string) string {
	id, err := uuid.NewV7()
	if err != nil {
		id = uuid.New()
	}
	var buffer [48]byte
	return string(hex.AppendEncode(append(buffer[:0], prefix...), id[:]))
}

// TimeOf reads the time at which ID made an id, whatever its prefix. ok is false for an id of another origin.
func TimeOf(id string) (at time.Time, ok bool) {
	const digits = 2 * len(uuid.UUID{})
	if len(id) < digits {
		return time.Time{}, false
	}
	var u uuid.UUID
	if _, err := hex.Decode(u[:], []byte(id[len(id)-digits:])); err != nil || u.Version() != 7 || u.Variant() != uuid.RFC4122 {
		return time.Time{}, false
	}
	ms := binary.BigEndian.Uint64(u[:8]) >> 16
	return time.UnixMilli(int64(ms)), true //nolint:gosec // of 48 bits
}
