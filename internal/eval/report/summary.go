package report

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/stats"
)

// Version is the version of the JSON format of Summary and Comparison.
const Version = 1

// A Summary is the summarized result of a run. Lists are sorted by model, mode, policy, profile and scenario; causes
// are sorted by frequency.
type Summary struct {
	Version int         `json:"report"`
	Run     eval.Header `json:"run"`
	Total   Group       `json:"total"`

	// Tools summarizes the trials of ToolScenarios. It is nil if the run has none of them.
	Tools         *Group   `json:"tools,omitempty"`
	ToolScenarios []string `json:"tool_scenarios,omitempty"`

	Models    []Row `json:"models"`
	Scenarios []Row `json:"scenarios"`
	Settings  []Row `json:"settings"` // by model and profile
	Cells     []Row `json:"cells"`    // by scenario and model
	Modes     []Row `json:"modes"`
	Policies  []Row `json:"policies"`
	Profiles  []Row `json:"profiles"`

	// Perfect lists the models with only OK trials among the counted ones. Good lists those with at least 96 % of them,
	// including the perfect ones.
	Perfect []callwright.ModelID `json:"models_100"`
	Good    []callwright.ModelID `json:"models_96"`

	Failures Ranking `json:"failures"` // causes of Failed
	Classes  []Class `json:"classes"`  // failure classes of Failed
	Refusals Ranking `json:"refusals"` // causes of Refused
	Broken   Ranking `json:"broken"`   // causes of Broken
	Skipped  Ranking `json:"skipped"`

	// Presets may be set by the caller of Summarize, because results do not contain them.
	Presets []Preset `json:"presets,omitempty"`

	Faults map[string]int `json:"faults,omitempty"` // notes by failure class
	Rules  map[string]int `json:"rules,omitempty"`  // notes by rule

	Times Span `json:"times"`
}

// A Preset has the settings of a model that its catalog entry adds to those of the run.
type Preset struct {
	Model    callwright.ModelID `json:"model"`
	Settings []string           `json:"settings"` // such as "mode text"
}

// A Span is the time span of a run.
type Span struct {
	Started time.Time `json:"started"` // start of its first trial
	Ended   time.Time `json:"ended"`   // end of its last trial
}

// A Row is the result of all trials with a key.
type Row struct {
	Key
	Group
	Notes []string `json:"notes,omitempty"` // failure classes and uncounted outcomes, as text
}

// A Group counts the outcomes of some trials.
type Group struct {
	Success
	Refused int    `json:"refused,omitempty"`
	Broken  int    `json:"broken,omitempty"`
	Skipped int    `json:"skipped,omitempty"`
	Work    Work   `json:"work,omitzero"`
	Usage   Tokens `json:"usage,omitzero"`
	Healing Tokens `json:"healing,omitzero"` // of all requests except the first of each step
	Times   Times  `json:"times"`
}

// A Success is the share of OK trials among the counted ones.
type Success struct {
	OK   int     `json:"ok"`
	N    int     `json:"n"`
	Rate float64 `json:"rate"` // 0 if N is 0
	// Low and High are the bounds of the 95 % Wilson interval; 0 and 1 if N is 0.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Work counts the requests to providers.
type Work struct {
	Steps       int `json:"steps,omitempty"`
	Requests    int `json:"requests,omitempty"`
	Retries     int `json:"retries,omitempty"` // requests except the first of each step
	Corrections int `json:"corrections,omitempty"`
	OtherMode   int `json:"other_mode,omitempty"`
	Fallback    int `json:"fallback,omitempty"` // requests to another model
	Transport   int `json:"transport,omitempty"`
	Calls       int `json:"calls,omitempty"` // calls that reached a tool

	InvalidJSON    int `json:"invalid_json,omitempty"`
	UnknownName    int `json:"unknown_name,omitempty"`
	SchemaMismatch int `json:"schema_mismatch,omitempty"`

	RetriesPerCall float64 `json:"retries_per_call,omitempty"` // Retries divided by Calls
	FallbackShare  float64 `json:"fallback_share,omitempty"`   // Fallback divided by Requests
}

// Tokens are sums of the usage reported by providers. Known is the number of trials with a report.
type Tokens struct {
	Known     int `json:"known"`
	Input     int `json:"input"`
	CacheRead int `json:"cache_read"`
	Output    int `json:"output"`
}

// Times are percentiles in milliseconds of the durations of counted trials and of their requests to providers.
type Times struct {
	P50        float64 `json:"p50_ms"`
	P95        float64 `json:"p95_ms"`
	P99        float64 `json:"p99_ms"`
	RequestP50 float64 `json:"request_p50_ms"`
	RequestP95 float64 `json:"request_p95_ms"`
	RequestP99 float64 `json:"request_p99_ms"`
}

// Summarize summarizes the results of a run. tools are the ids of scenarios about tools. It does not modify its
// arguments.
func Summarize(run eval.Header, results []eval.Result, tools []string) *Summary {
	s := &Summary{Version: Version, Run: run, Faults: map[string]int{}, Rules: map[string]int{}}
	results = inOrder(results)
	total, about := &tally{}, &tally{}
	isTool := map[string]bool{}
	for _, id := range tools {
		isTool[id] = true
	}
	for i := range results {
		r := &results[i]
		total.add(r)
		if isTool[r.Scenario] {
			about.add(r)
		}
		addCounts(s.Faults, r.Faults)
		addCounts(s.Rules, r.Rules)
		s.Times.add(r)
	}
	s.Total = total.row(Key{}).Group
	for _, v := range views {
		t := table{}
		for i := range results {
			t.add(v.key(&results[i].Cell), &results[i])
		}
		*v.rows(s) = t.rows()
	}
	s.addTools(isTool, about)
	s.addBest()
	s.addCauses(results)
	return s
}

// addTools adds the summary of the scenarios about tools, if the run has any. about is the tally of their trials.
func (s *Summary) addTools(isTool map[string]bool, about *tally) {
	for _, row := range s.Scenarios {
		if isTool[row.Scenario] {
			s.ToolScenarios = append(s.ToolScenarios, row.Scenario)
		}
	}
	if len(s.ToolScenarios) > 0 {
		group := about.row(Key{}).Group
		s.Tools = &group
	}
}

// addBest lists the best models.
func (s *Summary) addBest() {
	s.Perfect, s.Good = []callwright.ModelID{}, []callwright.ModelID{}
	for _, row := range s.Models {
		if row.N > 0 && row.OK == row.N {
			s.Perfect = append(s.Perfect, row.Model)
		}
		if row.N > 0 && row.OK*100 >= row.N*96 {
			s.Good = append(s.Good, row.Model)
		}
	}
}

// counts reports whether a trial counts for the success rate.
func counts(r *eval.Result) bool { return r.Outcome == eval.OK || r.Outcome == eval.Failed }

// inOrder returns a sorted copy of the results.
func inOrder(results []eval.Result) []eval.Result {
	results = slices.Clone(results)
	slices.SortStableFunc(results, func(a, b eval.Result) int {
		return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Mode, b.Mode), cmp.Compare(a.Policy, b.Policy),
			cmp.Compare(a.Profile, b.Profile),
			cmp.Compare(a.Scenario, b.Scenario), cmp.Compare(a.Trial, b.Trial), cmp.Compare(a.ID, b.ID))
	})
	return results
}

func addCounts(sum, more map[string]int) {
	for k, n := range maps.All(more) {
		sum[k] += n
	}
}

func (s *Span) add(r *eval.Result) {
	if r.Started.IsZero() {
		return
	}
	if s.Started.IsZero() || r.Started.Before(s.Started) {
		s.Started = r.Started
	}
	if end := r.Started.Add(r.Duration); end.After(s.Ended) {
		s.Ended = end
	}
}

func newSuccess(ok, n int) Success {
	s := Success{OK: ok, N: n, Rate: stats.Ratio(ok, n)}
	low, high := stats.Wilson(ok, n)
	s.Low, s.High = stats.Round(low), stats.Round(high)
	return s
}
