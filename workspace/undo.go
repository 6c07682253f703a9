package workspace

import "slices"

// undoTarget returns the version whose draft an undo restores, 0 if there is nothing to undo. entries are the entries
// of all versions, the oldest first.
func undoTarget(entries []Entry) uint64 {
	var drafts []uint64 // versions whose drafts can be restored one after another; the last one is the current draft
	for _, e := range entries {
		switch e.Kind {
		case Create, PatchDraft:
			drafts = append(drafts, e.Version)
		case UndoDraft:
			if i := slices.Index(drafts, e.To); i >= 0 {
				drafts = drafts[:i+1]
				continue
			}
			drafts = append(drafts, e.Version)
		}
	}
	if len(drafts) < 2 {
		return 0
	}
	return drafts[len(drafts)-2]
}
