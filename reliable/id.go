package reliable

import (
	"encoding/hex"

	"github.com/google/uuid"
)

// mintID makes an id that is unique, sorts by time, and is at most 40 characters of letters, digits and '_', which every
// wire but Mistral's takes (its encoder maps it).
func mintID(prefix string) string {
	id, err := uuid.NewV7()
	if err != nil {
		id = uuid.New()
	}
	var room [48]byte
	return string(hex.AppendEncode(append(room[:0], prefix...), id[:]))
}

// NewReportID makes an id for a report.
func NewReportID() string { return mintID("rep_") }
