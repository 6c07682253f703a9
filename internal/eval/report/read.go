package report

import (
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
)

// maxTrials is the maximum number of trials of a parsed summary, and of each outcome that does not count.
const maxTrials = 10_000_000

// Parse parses the JSON of a summary. Any other text is an error of KindInvalid.
func Parse(text []byte) (*Summary, error) {
	var s Summary
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, &callwright.Error{Op: "report.parse", Kind: callwright.KindInvalid, Message: "expected the JSON of a summary", Err: err}
	}
	if s.Version != Version {
		return nil, callwright.Errorf("report.parse", callwright.KindInvalid, "/report",
			"expected a summary of version %d, got %d", Version, s.Version)
	}
	if s.Run.Version != eval.Version {
		return nil, callwright.Errorf("report.parse", callwright.KindInvalid, "/run/eval",
			"expected a run of version %d, got %d", eval.Version, s.Run.Version)
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
			return nil, callwright.Errorf("report.parse", callwright.KindInvalid, "",
				"expected at most %d trials of which some are ok, got %d of %d", maxTrials, g.OK, g.N)
		}
		for _, n := range []int{g.Refused, g.Broken, g.Skipped} {
			if n < 0 || n > maxTrials {
				return nil, callwright.Errorf("report.parse", callwright.KindInvalid, "",
					"expected 0 to %d trials that do not count, got %d", maxTrials, n)
			}
		}
		g.Success = newSuccess(g.OK, g.N)
	}
	return &s, nil
}
