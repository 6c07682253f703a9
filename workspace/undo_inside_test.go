package workspace

import "testing"

func TestUndoTarget(t *testing.T) {
	for _, c := range []struct {
		edits string // of the versions from 1 on: c create, p patch, x anything else, a digit an undo to that version
		want  uint64
	}{
		{"", 0}, {"c", 0}, {"cx", 0}, {"cp", 1}, {"cpp", 2}, {"cpxp", 2}, {"cpp2", 1}, {"cpp21", 0}, {"cpp2p", 2}, {"cpp2p2", 1},
		{"cpp1", 0}, {"cpp13", 1}, {"cppx22", 1}, {"cp1p", 1}, {"cp1p1", 0}, {"cppp24", 2},
	} {
		var entries []Entry
		for i, e := range c.edits {
			kind := map[rune]Kind{'c': Create, 'p': PatchDraft, 'x': Lock}[e]
			entry := Entry{Version: uint64(i + 1), Edit: Edit{Kind: kind}}
			if kind == "" {
				entry.Kind, entry.To = UndoDraft, uint64(e-'0')
			}
			entries = append(entries, entry)
		}
		if got := undoTarget(entries); got != c.want {
			t.Errorf("%s: expected version %d, got %d", c.edits, c.want, got)
		}
	}
}
