// Package mint generates unique IDs.
package mint

import (
	"encoding/binary"
	"encoding/hex"
	"time"

	"github.com/google/uuid"
)

// ID returns a unique ID: prefix and the hexadecimal digits of a UUID version 7, which sort by time. With a prefix of
// at most 8 bytes, it has at most 40 characters. If prefix has only letters, digits and '_', all APIs accept the ID
// except Mistral's, whose encoder converts it.
func ID(prefix string) string {
	id, err := uuid.NewV7()
	if err != nil {
		id = uuid.New()
	}
	var buffer [48]byte
	return string(hex.AppendEncode(append(buffer[:0], prefix...), id[:]))
}

// TimeOf returns the time at which an ID of the function ID was generated. ok is false for any other ID.
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
	return time.UnixMilli(int64(ms)), true //nolint:gosec // at most 48 bits
}
