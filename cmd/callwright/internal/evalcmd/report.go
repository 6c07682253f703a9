package evalcmd

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/callwright/callwright/cmd/callwright/internal/pagefile"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/report"
	"github.com/callwright/callwright/internal/jsonx"
)

// An answer is the JSON output of callwright eval.
type answer struct {
	*report.Summary
	Comparisons []*report.Comparison `json:"comparisons,omitempty"`
}

// report prints the results of a run as text, JSON and an HTML page, as the flags select.
func (m *measurement) report(results []eval.Result, header eval.Header, p pagefile.File) error {
	sum := report.Summarize(header, results, toolScenarios(m.plan.Scenarios))
	sum.Presets = m.presets()
	comparisons, err := m.comparisons(results, header)
	if err != nil {
		return err
	}
	err = p.Write(func(w io.Writer) error { return report.HTML(w, sum, results, m.traces()) })
	if m.s.out.json {
		return errors.Join(err, jsonx.WriteLine(m.in.Out, answer{sum, comparisons}))
	}
	width := m.in.width(m.in.Out)
	err = errors.Join(err, sum.WriteText(m.in.Out, width))
	for _, c := range comparisons {
		fmt.Fprintln(m.in.Out)
		err = errors.Join(err, c.WriteText(m.in.Out, width))
	}
	return err
}

// traces returns the URL of the trace folder relative to the HTML page, "" if there are no traces or no page.
func (m *measurement) traces() string {
	if !m.s.out.trace || m.s.out.html == "" {
		return ""
	}
	dir, err := filepath.Abs(m.s.out.state)
	if err != nil {
		return ""
	}
	from, err := filepath.Abs(filepath.Dir(m.s.out.html))
	if err != nil {
		return ""
	}
	if rel, err := filepath.Rel(from, dir); err == nil {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(dir)
}

// comparisons returns the comparison of each value of the --compare axis with the first one.
func (m *measurement) comparisons(results []eval.Result, header eval.Header) (out []*report.Comparison, err error) {
	for i, v := range m.s.compare.values {
		if i == 0 {
			continue
		}
		c, err := report.Compare(header, results, report.Axis(m.s.compare.axis), m.s.compare.values[0], v)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// toolScenarios returns the ids of the scenarios that require or test tool calls.
func toolScenarios(list []eval.Scenario) (ids []string) {
	for i := range list {
		if slices.Contains(list[i].Tags, "tool") || expectsCalls(&list[i]) {
			ids = append(ids, list[i].ID)
		}
	}
	return ids
}
