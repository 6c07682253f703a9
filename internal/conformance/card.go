package conformance

import "slices"

// A Result is the result of a check.
type Result string

// The results.
const (
	Passed    Result = "passed"
	Failed    Result = "failed"
	NotTested Result = "not tested"
)

// A Kind is the subject on which the result of a check depends.
type Kind string

// The kinds.
const (
	OfProtocol Kind = "protocol" // on the server alone
	OfModel    Kind = "model"    // on a model that calls tools as it is told
)

// A Check is one check that was made.
type Check struct {
	Area   string `json:"area"`
	Name   string `json:"name"`
	Kind   Kind   `json:"kind"`
	About  string `json:"about"` // the condition under which it passes
	Result Result `json:"result"`
	Why    string `json:"why"`

	// The rest is of failed checks.
	Sent          string   `json:"sent,omitempty"`          // a command line for curl
	Got           string   `json:"got,omitempty"`           // the status and the beginning of the body
	Documentation string   `json:"documentation,omitempty"` // the address of the page that states the duty
	Breaks        []string `json:"breaks,omitempty"`        // what happens in which clients
}

// A Score counts the results of the checks of an area.
type Score struct {
	Area      string `json:"area"`
	Passed    int    `json:"passed"`
	Failed    int    `json:"failed"`
	NotTested int    `json:"not_tested"`
}

// A Card is the outcome of a run.
type Card struct {
	API      string  `json:"api"`
	URL      string  `json:"url"` // of the first request
	Model    string  `json:"model"`
	Requests int     `json:"requests"` // that were sent, each once, the list of models and tried addresses included
	Areas    []Score `json:"areas"`    // in the order of the checks
	Checks   []Check `json:"checks"`
}

// Count is the number of checks with a result.
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
