package alert

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/health"
)

// A Family is a group of events that a receiver may choose.
type Family string

// The families.
const (
	Budget        Family = "budget"        // a key has used a share of its budget
	Breaker       Family = "breaker"       // the circuit breaker of a model
	ProviderKey   Family = "provider_key"  // a provider refuses the key of the gateway
	Configuration Family = "configuration" // a configuration is refused while the gateway runs
	State         Family = "state"         // the store of the gateway's state
	Healing       Family = "healing"       // the share of a model's answers that are healed
	Problem       Family = "problem"       // every other problem
)

// A familyRow has the types of a family's events: of a begin, and of an end, "" where there is none.
type familyRow struct {
	name        Family
	began, over string
}

// families has all families.
var families = []familyRow{
	{Budget, "budget.reached", ""},
	{Breaker, "breaker.opened", "breaker.closed"},
	{ProviderKey, "provider_key.refused", "provider_key.accepted"},
	{Configuration, "configuration.refused", "configuration.accepted"},
	{State, "state.lost", "state.restored"},
	{Healing, "healing.jumped", "healing.settled"},
	{Problem, "problem.began", "problem.ended"},
}

// Families lists the names of the families.
func Families() []string {
	out := make([]string, len(families))
	for i := range families {
		out[i] = string(families[i].name)
	}
	return out
}

// Types lists the types of all events.
func Types() []string {
	var out []string
	for _, f := range families {
		out = append(out, f.began)
		if f.over != "" {
			out = append(out, f.over)
		}
	}
	return out
}

// types returns the types of a family's events.
func (f Family) types() (began, over string) {
	i := slices.IndexFunc(families, func(row familyRow) bool { return row.name == f })
	return families[i].began, families[i].over
}

// familyOf returns the family of a problem.
func familyOf(p *health.Problem) Family {
	switch p.Topic {
	case health.TopicBreaker:
		return Breaker
	case health.TopicHealing:
		return Healing
	case health.TopicConfiguration:
		return Configuration
	case health.TopicState:
		return State
	}
	if p.Kind == callwright.KindAuth && p.Model != "" {
		return ProviderKey
	}
	return Problem
}

// identityOf tells problems apart. Counts and times in the cause change while the problem stays the same one.
func identityOf(f Family, p *health.Problem) string {
	if p.Model != "" {
		return strings.Join([]string{string(f), string(p.Model), string(p.Kind)}, "|")
	}
	return strings.Join([]string{string(f), p.Subject, p.Remedy}, "|")
}

// version is that of the body. A member that is added leaves it as it is.
const version = 1

// An Event is the body of a message.
type Event struct {
	Version   int       `json:"version"`
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"` // of the event, which a retry does not change
	Text      string    `json:"text"`      // for people; characters that Slack reads as markup are escaped
	Dropped   int       `json:"dropped,omitempty"`
	Data      Data      `json:"data"`
}

// Data describe the event.
type Data struct {
	Gateway  string             `json:"gateway,omitempty"` // the name of the machine
	Severity health.Severity    `json:"severity,omitempty"`
	Subject  string             `json:"subject"`
	Cause    string             `json:"cause"`
	Remedy   string             `json:"remedy,omitempty"`
	Model    callwright.ModelID `json:"model,omitempty"`
	Kind     callwright.Kind    `json:"kind,omitempty"`
	Began    *time.Time         `json:"began,omitempty"` // of a problem that has ended

	Budget *BudgetUse `json:"budget,omitempty"`
}

// A BudgetUse says how much a key, or a group of keys, has used of a limit.
type BudgetUse struct {
	Key     string    `json:"key,omitempty"`
	Group   string    `json:"group,omitempty"`
	What    string    `json:"what"` // requests, tokens or usd
	Per     string    `json:"per"`  // day or month
	Models  string    `json:"models,omitempty"`
	Percent int       `json:"percent"` // that was reached: 80 or 100
	Limit   float64   `json:"limit"`
	Used    float64   `json:"used"`
	Resets  time.Time `json:"resets"` // the end of the window
}

// escapes are the characters that Slack's markup gives a meaning:
// https://docs.slack.dev/messaging/formatting-message-text#escaping.
var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// textOf returns the message for people.
func textOf(d *Data, over bool) string {
	var b strings.Builder
	b.WriteString("callwright")
	if d.Gateway != "" {
		b.WriteString(" on " + d.Gateway)
	}
	b.WriteString(": ")
	if over {
		fmt.Fprintf(&b, "over: %s: %s", d.Subject, d.Cause)
		return escapes.Replace(b.String())
	}
	fmt.Fprintf(&b, "%s: %s.", d.Subject, d.Cause)
	if d.Remedy != "" {
		b.WriteString(" Remedy: " + d.Remedy + ".")
	}
	return escapes.Replace(b.String())
}

// dataOf returns the data of a problem.
func dataOf(p *health.Problem) Data {
	return Data{Severity: p.Severity, Subject: p.Subject, Cause: p.Cause, Remedy: p.Remedy, Model: p.Model, Kind: p.Kind}
}

// body returns the body of a message, in UTF-8.
func (e *Event) body() []byte {
	text, err := json.Marshal(e)
	if err != nil { // a Limit that is no number, which the callers do not have
		return []byte(`{"version":1,"type":"` + cmp.Or(e.Type, "problem.began") + `"}`)
	}
	return text
}
