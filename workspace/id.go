package workspace

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/google/uuid"
)

// An ID identifies a workspace: "ws_" and 1 to 64 characters from a to z, 0 to 9, '_' and '-'.
type ID string

const (
	idPrefix = "ws_"
	maxID    = 64
)

// newID returns a new ID. The lexical order of IDs is the order of their creation.
func newID() ID {
	id, err := uuid.NewV7()
	if err != nil {
		id = uuid.New()
	}
	return ID(idPrefix + id.String())
}

// Validate returns an error of [callwright.KindInvalid] if id does not have the format of an ID.
func (id ID) Validate() error {
	rest, ok := strings.CutPrefix(string(id), idPrefix)
	if !ok || rest == "" || len(rest) > maxID || strings.ContainsFunc(rest, notOfID) {
		return callwright.Errorf("workspace.id", callwright.KindInvalid, "",
			"expected the id of a workspace, %q and 1 to %d of a to z, 0 to 9, '_' and '-', got %.80q", idPrefix, maxID, string(id))
	}
	return nil
}

func notOfID(c rune) bool {
	return (c < '0' || c > '9') && (c < 'a' || c > 'z') && c != '_' && c != '-'
}
