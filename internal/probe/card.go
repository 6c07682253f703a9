package probe

import (
	"fmt"
	"math"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// A Card is the result of a probe. It is not changed once it was returned.
type Card struct {
	Model  callwright.ModelID `json:"model"`
	Score  int                `json:"score"` // share of the checks that passed, of those that applied, from 0 to 100
	Counts Counts             `json:"counts"`
	Facts  map[string]string  `json:"facts"` // as caps has their keys and values
	Checks []Check            `json:"checks"`
	Modes  []ModeResult       `json:"modes,omitempty"` // how often calls came right in each mode, where that was measured
	First  caps.Mode          `json:"first_mode,omitempty"`

	// Found are the facts with their source, [caps.Probed], and their evidence, in the order in which they were found.
	Found []caps.Fact `json:"-"`
	Calls int         `json:"-"` // native calls that came, the damaged ones too
	Sent  int         `json:"-"` // requests that were made
}

// A ModeResult is the number of valid calls of a model in a mode.
type ModeResult struct {
	Mode   caps.Mode `json:"mode"`
	Asked  int       `json:"asked"`
	Right  int       `json:"right"`
	Helped int       `json:"helped"` // of those that are right, after something was mended
	Tokens int       `json:"tokens"` // the mean of a question and its answer; 0 where it is not known
	MS     int64     `json:"ms"`     // likewise
}

// String says it for people.
func (m ModeResult) String() string {
	s := fmt.Sprintf("%d of %d right", m.Right, m.Asked)
	if m.Helped > 0 {
		s += fmt.Sprintf(", %d with help", m.Helped)
	}
	if m.Tokens > 0 {
		s += fmt.Sprintf(", %d tokens", m.Tokens)
	}
	return s + fmt.Sprintf(", %.1f s", float64(m.MS)/1000)
}

// Counts are the native calls that were damaged, each counted once.
type Counts struct {
	InvalidJSON    int `json:"InvalidJson"`    // its arguments are no JSON object, or the provider could not read it
	UnknownName    int `json:"UnknownName"`    // it names no declared tool, whatever its arguments are
	SchemaMismatch int `json:"SchemaMismatch"` // its arguments do not satisfy the schema
}

// total returns the number of damaged calls.
func (c Counts) total() int { return c.UnknownName + c.InvalidJSON + c.SchemaMismatch }

// A Result is the outcome of a check.
type Result string

// The results. A check that did not apply, or of which nothing is known, was skipped and is no part of the score.
const (
	Pass Result = "pass"
	Fail Result = "fail"
	Skip Result = "skip"
)

// A Check is the outcome of one question to the model.
type Check struct {
	Name   string `json:"name"`
	Result Result `json:"result"`
	Why    string `json:"why"` // one sentence: what came
	MS     int64  `json:"ms"`
	About  string `json:"-"` // what was asked
}

// Count returns the number of checks with a result.
func (c *Card) Count(result Result) int {
	n := 0
	for i := range c.Checks {
		if c.Checks[i].Result == result {
			n++
		}
	}
	return n
}

// keep takes a fact. A no outweighs a yes: several checks may decide one fact, and all have to pass.
func (c *Card) keep(key, value, evidence string) {
	if c.Facts[key] == no {
		return
	}
	f := caps.Fact{Key: key, Value: value, Source: caps.Probed, Evidence: callwright.Excerpt(evidence)}
	if _, err := (caps.Caps{}).With(f); err != nil {
		panic(fmt.Sprintf("probe: %v", err)) // a broken table
	}
	for i := range c.Found {
		if c.Found[i].Key == key {
			c.Found[i], c.Facts[key] = f, value
			return
		}
	}
	c.Found, c.Facts[key] = append(c.Found, f), value
}

// Keep adds a fact that another measurement found. The evidence is for people.
func (c *Card) Keep(key, value, evidence string) { c.keep(key, value, evidence) }

// finish computes the score and the facts from the checks.
func (c *Card) finish() {
	if passed, failed := c.Count(Pass), c.Count(Fail); passed+failed > 0 {
		c.Score = int(math.Round(100 * float64(passed) / float64(passed+failed)))
	}
	if n := c.Counts.total(); n > 0 {
		c.keep("needs_help", yes, fmt.Sprintf("%d of its %d native calls were damaged", n, c.Calls))
	}
}

const yes, no = "yes", "no"
