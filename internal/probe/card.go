package probe

import (
	"fmt"
	"math"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// A Card is the result of a probe. It does not change after Run has returned it, except by Keep.
type Card struct {
	Model  callwright.ModelID `json:"model"`
	Score  int                `json:"score"` // percentage of passed checks among those not skipped, rounded
	Counts Counts             `json:"counts"`
	Facts  map[string]string  `json:"facts"` // capability facts as in package caps, such as "tools": "yes"
	Checks []Check            `json:"checks"`
	Modes  []ModeResult       `json:"modes,omitempty"` // valid calls in each mode, if measured
	First  caps.Mode          `json:"first_mode,omitempty"`

	// Found lists the facts with their source, [caps.Probed], and their evidence, in the order of their discovery.
	Found []caps.Fact `json:"-"`
	Calls int         `json:"-"` // number of native calls in the responses, including damaged calls
	Sent  int         `json:"-"` // number of requests
}

// A ModeResult counts the correct responses of a model in one mode, such as [caps.Native].
type ModeResult struct {
	Mode   caps.Mode `json:"mode"`
	Asked  int       `json:"asked"`
	Right  int       `json:"right"`
	Helped int       `json:"helped"` // number of correct responses whose calls needed a repair
	Tokens int       `json:"tokens"` // mean tokens of a request and its response, 0 if unknown
	MS     int64     `json:"ms"`     // mean time of a request in milliseconds, 0 if unknown
}

// String returns a line for people, such as "7 of 8 right, 1 with help, 310 tokens, 1.2 s".
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

// Counts has the numbers of damaged native calls, by their fault. Each call counts once.
type Counts struct {
	InvalidJSON    int `json:"InvalidJson"`    // the arguments are not a JSON object, or the provider could not parse the call
	UnknownName    int `json:"UnknownName"`    // the call has the name of an undeclared tool
	SchemaMismatch int `json:"SchemaMismatch"` // the arguments do not satisfy the tool's schema
}

// total returns the number of damaged calls.
func (c Counts) total() int { return c.UnknownName + c.InvalidJSON + c.SchemaMismatch }

// A Result is the result of a check.
type Result string

// The results. A check is skipped if it does not apply to the model or if its result is unknown. The score ignores
// skipped checks.
const (
	Pass Result = "pass"
	Fail Result = "fail"
	Skip Result = "skip"
)

// A Check is the result of one check of the model, such as native_call.
type Check struct {
	Name   string `json:"name"`
	Result Result `json:"result"`
	Why    string `json:"why"` // one sentence: the response or the error
	MS     int64  `json:"ms"`
	About  string `json:"-"` // one sentence: the tested behaviour
}

// Count returns the number of checks with this result.
func (c *Card) Count(result Result) int {
	n := 0
	for i := range c.Checks {
		if c.Checks[i].Result == result {
			n++
		}
	}
	return n
}

// keep stores a fact. "no" overrides "yes", since several checks may set one fact and all of them must pass.
func (c *Card) keep(key, value, evidence string) {
	if c.Facts[key] == no {
		return
	}
	f := caps.Fact{Key: key, Value: value, Source: caps.Probed, Evidence: callwright.Excerpt(evidence)}
	if _, err := (caps.Caps{}).With(f); err != nil {
		panic(fmt.Sprintf("probe: %v", err)) // programming error: an unknown key or a wrong value
	}
	for i := range c.Found {
		if c.Found[i].Key == key {
			c.Found[i], c.Facts[key] = f, value
			return
		}
	}
	c.Found, c.Facts[key] = append(c.Found, f), value
}

// Keep stores a fact that another measurement has found, such as the counts of package bymode. "no" overrides "yes".
// The evidence is a sentence for people.
func (c *Card) Keep(key, value, evidence string) { c.keep(key, value, evidence) }

// finish computes the score from the checks and sets the fact needs_help if a call was damaged.
func (c *Card) finish() {
	if passed, failed := c.Count(Pass), c.Count(Fail); passed+failed > 0 {
		c.Score = int(math.Round(100 * float64(passed) / float64(passed+failed)))
	}
	if n := c.Counts.total(); n > 0 {
		c.keep("needs_help", yes, fmt.Sprintf("%d of its %d native calls were damaged", n, c.Calls))
	}
}

const yes, no = "yes", "no"
