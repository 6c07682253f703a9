// Package mint makes unique ids.
package mint

import (
	"encoding/hex"

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
