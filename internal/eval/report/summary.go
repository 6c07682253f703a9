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

// Version is that of the JSON form of a Summary and of a Comparison.
const Version = 1

// A Summary is the result of a run. Lists are sorted by model, mode, policy, profile and scenario; those of causes by
// frequency.
type Summary struct {
	Version int         `json:"report"`
	Run     eval.Header `json:"run"`
	Total   Group       `json:"total"`

	// Tools has the trials of ToolScenarios alone. It is nil where the run has none of them.
	Tools         *Group   `json:"tools,omitempty"`
	ToolScenarios []string `json:"tool_scenarios,omitempty"`

	Models    []Row `json:"models"`
	Scenarios []Row `json:"scenarios"`
	Settings  []Row `json:"settings"` // a model with a profile
	Cells     []Row `json:"cells"`    // a scenario on a model
	Modes     []Row `json:"modes"`
	Policies  []Row `json:"policies"`
	Profiles  []Row `json:"profiles"`

	// Perfect are the models of which every trial that counts is OK, Good those of which 96 % or more are, the perfect
	// ones among them.
	Perfect []callwright.ModelID `json:"models_100"`
	Good    []callwright.ModelID `json:"models_96"`

	Failures Ranking `json:"failures"` // of models
	Classes  []Class `json:"classes"`  // of these
	Refusals Ranking `json:"refusals"` // of providers
	Broken   Ranking `json:"broken"`   // of the harness and the network
	Skipped  Ranking `json:"skipped"`

	// Presets are for the caller of Summarize to add: results do not say them.
	Presets []Preset `json:"presets,omitempty"`

	Faults map[string]int `json:"faults,omitempty"` // notes by class of failure
	Rules  map[string]int `json:"rules,omitempty"`  // notes by rule

	Times Span `json:"times"`
}

// A Preset holds the settings of a model that its catalog entry adds to those of the run.
type Preset struct {
	Model    callwright.ModelID `json:"model"`
	Settings []string           `json:"settings"` // in words
}

// A Span is when a run was made.
type Span struct {
	Started time.Time `json:"started"` // of its first trial
	Ended   time.Time `json:"ended"`   // of its last
}

// A Row is the trials that a key names.
type Row struct {
	Key
	Group
	Notes []string `json:"notes,omitempty"` // what else is to be said of it
}

// A Group holds the outcomes of some trials.
type Group struct {
	Success
	Refused int    `json:"refused,omitempty"`
	Broken  int    `json:"broken,omitempty"`
	Skipped int    `json:"skipped,omitempty"`
	Work    Work   `json:"work,omitzero"`
	Usage   Tokens `json:"usage,omitzero"`
	Healing Tokens `json:"healing,omitzero"` // of requests beside the first of each step; Work.Retries has their number
	Times   Times  `json:"times"`
}

// A Success is a share of trials.
type Success struct {
	OK   int     `json:"ok"`
	N    int     `json:"n"`
	Rate float64 `json:"rate"` // 0 where N is
	// Low and High are the 95 % interval of Wilson: 0 and 1 where N is 0.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Work counts the requests to providers.
type Work struct {
	Steps       int `json:"steps,omitempty"`
	Requests    int `json:"requests,omitempty"`
	Retries     int `json:"retries,omitempty"` // requests beside the first of each step
	Corrections int `json:"corrections,omitempty"`
	OtherMode   int `json:"other_mode,omitempty"`
	Fallback    int `json:"fallback,omitempty"` // requests to another model
	Transport   int `json:"transport,omitempty"`
	Calls       int `json:"calls,omitempty"` // that reached a tool

	InvalidJSON    int `json:"invalid_json,omitempty"`
	UnknownName    int `json:"unknown_name,omitempty"`
	SchemaMismatch int `json:"schema_mismatch,omitempty"`

	RetriesPerCall float64 `json:"retries_per_call,omitempty"` // Retries by Calls
	FallbackShare  float64 `json:"fallback_share,omitempty"`   // Fallback by Requests
}

// Tokens are sums of the providers' reports. Known is the number of trials for which there was one.
type Tokens struct {
	Known     int `json:"known"`
	Input     int `json:"input"`
	CacheRead int `json:"cache_read"`
	Output    int `json:"output"`
}

// Times are percentiles in milliseconds: of trials that count, and of the requests to providers that they made.
type Times struct {
	P50        float64 `json:"p50_ms"`
	P95        float64 `json:"p95_ms"`
	P99        float64 `json:"p99_ms"`
	RequestP50 float64 `json:"request_p50_ms"`
	RequestP95 float64 `json:"request_p95_ms"`
	RequestP99 float64 `json:"request_p99_ms"`
}

// Summarize sums up the results of a run. Tools are the ids of scenarios that are about tools. It changes nothing it is
// given.
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

// addTools adds the outcomes of the scenarios about tools, where the run has any.
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

// counts reports whether a trial counts for the rate of success.
func counts(r *eval.Result) bool { return r.Outcome == eval.OK || r.Outcome == eval.Failed }

// inOrder is a sorted copy.
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
