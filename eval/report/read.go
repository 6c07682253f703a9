package report

import (
	"encoding/json"

	"github.com/callwright/callwright"
)

// maxTrials is how many trials a summary that is read may have.
const maxTrials = 1_000_000

// Parse reads a summary that was written as JSON. It fails with KindInvalid on any other text.
func Parse(text []byte) (*Summary, error) {
	var s Summary
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, &callwright.Error{Op: "report.parse", Kind: callwright.KindInvalid, Message: "expected the JSON of a summary", Err: err}
	}
	if s.Version != Version {
		return nil, callwright.Errorf("report.parse", callwright.KindInvalid, "/report", "expected a summary of version %d, got %d", Version, s.Version)
	}
	groups := []*Group{&s.Total}
	if s.Tools != nil {
		groups = append(groups, s.Tools)
	}
	for _, v := range views {
		rows := *v.rows(&s)
		for i := range rows {
			groups = append(groups, &rows[i].Group)
		}
	}
	for _, g := range groups {
		if g.OK < 0 || g.N < g.OK || g.N > maxTrials {
			return nil, callwright.Errorf("report.parse", callwright.KindInvalid, "", "expected at most %d trials of which some are ok, got %d of %d", maxTrials, g.OK, g.N)
		}
		g.Success = newSuccess(g.OK, g.N)
	}
	return &s, nil
}
