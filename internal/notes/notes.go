// Package notes collects the notes of a request.
package notes

import "github.com/callwright/callwright"

// maxNotes bounds the notes of one request: a body of a hundred thousand unknown members would make as many.
const maxNotes = 300

// moreNotes is the rule of the note that counts those for which there was no room.
const moreNotes = "notes.more"

// Fold adds a note to those of a request: one that is there already is counted, and so are all after the first few
// hundred, by a last note of their own.
func Fold(notes []callwright.Note, n callwright.Note) []callwright.Note {
	for i := len(notes) - 1; i >= 0; i-- {
		if same := notes[i]; same.Rule == n.Rule {
			if same.Count = n.Count; same == n {
				notes[i].Count = max(notes[i].Count, 1) + max(n.Count, 1)
				return notes
			}
		}
	}
	switch last := len(notes) - 1; {
	case len(notes) < maxNotes-1:
		return append(notes, n)
	case notes[last].Rule != moreNotes:
		return append(notes, callwright.Note{Rule: moreNotes, Count: max(n.Count, 1)})
	default:
		notes[last].Count += max(n.Count, 1)
		return notes
	}
}
