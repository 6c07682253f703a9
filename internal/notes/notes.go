// Package notes manages the notes of a request.
package notes

import "github.com/callwright/callwright"

// maxNotes is the maximum number of notes of one request. Without it, a body with 100,000 unknown members would cause
// as many notes.
const maxNotes = 300

// moreNotes is the rule ID of the last note, which counts the omitted notes.
const moreNotes = "notes.more"

// Fold appends a note to the notes of a request. If a note that equals n except for Count exists, it increases the
// Count of that note instead. The last of maxNotes notes has the rule moreNotes, and its Count includes all further
// notes.
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
