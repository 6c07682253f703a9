package kit

import "github.com/callwright/callwright"

// Notes are the notes of one encoding. The zero Notes is ready for use.
type Notes []callwright.Note

// Add adds a note, or counts one that is there already or for which there is no room: of the stage of encoding, graded by the row of its rule, with bounded copies of what it quotes.
func (l *Notes) Add(n callwright.Note) {
	n.Stage = callwright.StageEncode
	*l = callwright.FoldNote(*l, n.Graded())
}
