package bundle

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/internal/bundle/internal/secretscan"
	"github.com/callwright/callwright/cmd/callwright/internal/bundle/internal/side"
	"github.com/callwright/callwright/cmd/callwright/internal/finding"
)

// summaryName is the name of the file with the summary.
const summaryName = "summary.json"

// A Summary is the summary of a bundle for programs. It is one of its files.
type Summary struct {
	ID       string               `json:"id"`
	Finding  finding.Finding      `json:"finding"`
	BrokenBy string               `json:"broken_by"` // in words
	Verdict  side.Verdict         `json:"verdict"`
	Case     string               `json:"case,omitempty"` // the name of its file, "" for none
	Replay   Replayed             `json:"replay"`
	Removed  []secretscan.Removed `json:"removed"`
}

// Summary returns the summary of the bundle for programs.
func (b *Bundle) Summary() Summary {
	s := Summary{ID: b.ID, Finding: b.Finding, BrokenBy: b.Who(), Verdict: b.Verdict, Replay: b.Replay, Removed: b.Removed}
	if b.Case != nil {
		s.Case = CaseName
	}
	return s
}

// maxFile bounds the bytes of a file that is read out of an archive.
const maxFile = 64 << 20

// ReadFile returns a file of an archive, nil where there is none of that name.
func ReadFile(archive []byte, name string) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, fmt.Errorf("expected an archive of callwright trace bundle: %w", err)
	}
	for _, f := range z.File {
		if _, at, _ := strings.Cut(f.Name, "/"); at != name {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(io.LimitReader(r, maxFile))
		return text, errors.Join(err, r.Close())
	}
	return nil, nil
}

// ReadSummary reads the summary in an archive.
func ReadSummary(archive []byte) (s Summary, err error) {
	text, err := ReadFile(archive, summaryName)
	if err != nil {
		return s, err
	}
	if text == nil {
		return s, errors.New("the archive has no " + summaryName)
	}
	return s, json.Unmarshal(text, &s)
}

// Lines are the summary for people: who broke the request and why, how its case came about, and how many secrets were
// removed.
func (s *Summary) Lines() []string {
	out := []string{s.Finding.String(), "broken by: " + s.BrokenBy}
	said := map[string]bool{}
	for _, r := range s.Verdict.Reasons[:min(s.Verdict.Decided, len(s.Verdict.Reasons))] {
		if !said[r.Says] {
			out, said[r.Says] = append(out, "  "+r.Says), true
		}
	}
	switch r := &s.Replay.Reduction; {
	case s.Case == "":
		out = append(out, "no case: "+s.Replay.Why)
	case s.Replay.Why != "":
		out = append(out, "the case does not replay: "+s.Replay.Why)
	case r.After > 0:
		out = append(out, fmt.Sprintf("%s: %d of %d bytes come to the same finding", CaseName, r.After, r.Before))
	default:
		out = append(out, CaseName+": the whole request")
	}
	n := 0
	for _, r := range s.Removed {
		n += r.Count
	}
	switch n {
	case 0:
		out = append(out, "no secret was found")
	default:
		out = append(out, fmt.Sprintf("secrets removed: %d, listed in secrets.json", n))
	}
	return out
}
