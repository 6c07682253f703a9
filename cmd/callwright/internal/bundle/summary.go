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

// summaryName is the name of the JSON summary in a bundle.
const summaryName = "summary.json"

// A Summary is the machine-readable summary of a bundle, stored as summary.json.
type Summary struct {
	ID       string               `json:"id"`
	Finding  finding.Finding      `json:"finding"`
	BrokenBy string               `json:"broken_by"` // the side in words
	Verdict  side.Verdict         `json:"verdict"`
	Case     string               `json:"case,omitempty"` // name of the case file, "" for none
	Replay   Replayed             `json:"replay"`
	Removed  []secretscan.Removed `json:"removed"`
}

// Summary returns the summary of the bundle.
func (b *Bundle) Summary() Summary {
	s := Summary{ID: b.ID, Finding: b.Finding, BrokenBy: b.Who(), Verdict: b.Verdict, Replay: b.Replay, Removed: b.Removed}
	if b.Case != nil {
		s.Case = CaseName
	}
	return s
}

// maxFile is the maximum size in bytes of a file that ReadFile accepts.
const maxFile = 64 << 20

// ReadFile returns the named file of a bundle's zip archive, nil if it is missing.
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

// ReadSummary parses the summary in a bundle's zip archive.
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

// Lines returns the summary as text: the side and the reasons, the reduction of the case, and the number of removed
// secrets.
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
		out = append(out, "the case cannot be replayed: "+s.Replay.Why)
	case r.After > 0:
		out = append(out, fmt.Sprintf("%s: %d of %d bytes have the same finding", CaseName, r.After, r.Before))
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
