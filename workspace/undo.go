package workspace

import "slices"

// undoTarget returns the version whose draft is there again after the last change of the draft that was not undone yet
// is undone, 0 where there is no such change. entries are those of all versions, the oldest first.
func undoTarget(entries []Entry) uint64 {
	var drafts []uint64 // the versions whose drafts an undo goes back through, the present one last
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
