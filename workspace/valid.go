package workspace

import (
	"encoding/json"
	"time"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// Validate returns an error of [callwright.KindInvalid] if a Store could not preserve s exactly. Reasons are: an
// invalid ID, a version of 0 or different from that of the Entry, documents that are not JSON or have white space
// between tokens, texts that are not UTF-8, and times outside the years 0 to 9999.
func (s *State) Validate() error {
	if err := s.ID.Validate(); err != nil {
		return err
	}
	bad := func(reason string) error {
		return callwright.Errorf("workspace.save", callwright.KindInvalid, "", "%s", reason)
	}
	if s.Version == 0 || s.Entry.Version != s.Version {
		return bad("expected a version of 1 or more, and the same in the entry")
	}
	texts := append([]string{string(s.Entry.Kind), string(s.Entry.By.Actor), s.Entry.By.Name, s.Entry.Path, s.Entry.Proposal,
		s.Entry.Why}, s.Locks...)
	times := []time.Time{s.Entry.Time}
	documents := []json.RawMessage{s.Facts, s.Draft}
	for _, v := range []json.RawMessage{s.UI, s.Entry.Patch} {
		if v != nil {
			documents = append(documents, v)
		}
	}
	for _, p := range s.Proposals {
		documents = append(documents, p.Patch)
		texts, times = append(texts, p.ID, string(p.By.Actor), p.By.Name, p.Why), append(times, p.Time)
	}
	for _, v := range documents {
		if jsonx.Valid(v) != nil || len(jsonx.Compact(nil, v)) != len(v) {
			return bad("expected documents and patches that are JSON without white space between tokens")
		}
	}
	for _, text := range texts {
		if !utf8.ValidString(text) {
			return bad("expected texts in UTF-8")
		}
	}
	for _, t := range times {
		if _, err := t.MarshalText(); err != nil {
			return bad(err.Error())
		}
	}
	return nil
}
