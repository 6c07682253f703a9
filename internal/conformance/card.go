package conformance

import "slices"

// A Result is the result of a check.
type Result string

// Results of checks.
const (
	Passed    Result = "passed"
	Failed    Result = "failed"
	NotTested Result = "not tested"
)

// A Kind names the part of a system that a check tests: the server or also the model.
type Kind string

// The kinds of checks.
const (
	OfProtocol Kind = "protocol" // on the server only
	OfModel    Kind = "model"    // also on a model that calls tools as instructed
)

// A Check is one check with its result.
type Check struct {
	Area   string `json:"area"`
	Name   string `json:"name"`
	Kind   Kind   `json:"kind"`
	About  string `json:"about"` // the condition that must hold
	Result Result `json:"result"`
	Why    string `json:"why"`

	// The following fields are only set for failed checks.
	Sent          string   `json:"sent,omitempty"`          // curl command that shows the failure
	Got           string   `json:"got,omitempty"`           // status and beginning of the response body
	Documentation string   `json:"documentation,omitempty"` // URL of the documentation of the requirement
	Breaks        []string `json:"breaks,omitempty"`        // effects on clients
}

// A Score counts the results of the checks of an area.
type Score struct {
	Area      string `json:"area"`
	Passed    int    `json:"passed"`
	Failed    int    `json:"failed"`
	NotTested int    `json:"not_tested"`
}

// A Card is the result of a run.
type Card struct {
	API      string  `json:"api"`
	URL      string  `json:"url"` // URL of the first request
	Model    string  `json:"model"`
	Requests int     `json:"requests"` // number of different requests sent, including the model list and tried URLs
	Areas    []Score `json:"areas"`    // in the order of the checks
	Checks   []Check `json:"checks"`
}

// Count returns the number of checks with a result.
func (c *Card) Count(r Result) int {
	n := 0
	for i := range c.Checks {
		if c.Checks[i].Result == r {
			n++
		}
	}
	return n
}

// score counts the results by area.
func (c *Card) score() {
	for i := range c.Checks {
		check := &c.Checks[i]
		at := slices.IndexFunc(c.Areas, func(s Score) bool { return s.Area == check.Area })
		if at < 0 {
			at = len(c.Areas)
			c.Areas = append(c.Areas, Score{Area: check.Area})
		}
		switch check.Result {
		case Passed:
			c.Areas[at].Passed++
		case Failed:
			c.Areas[at].Failed++
		case NotTested:
			c.Areas[at].NotTested++
		}
	}
}
