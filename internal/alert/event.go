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

// A Family is a group of event types that a receiver selects as a whole.
type Family string

// The families of events.
const (
	Budget        Family = "budget"        // a key has used 80 or 100 percent of its budget
	Breaker       Family = "breaker"       // the circuit breaker of a model opened or closed
	ProviderKey   Family = "provider_key"  // a provider refuses or accepts the gateway's key
	Configuration Family = "configuration" // a changed configuration was rejected or accepted while the gateway runs
	State         Family = "state"         // the store of the gateway's state failed or works again
	Healing       Family = "healing"       // the share of repaired answers of a model grew or fell
	Problem       Family = "problem"       // any other problem
)

// A familyRow has the event types of a family: beginType for a begin event and endType for an end event, "" for no end
// event.
type familyRow struct {
	name               Family
	beginType, endType string
}

// families lists all families with their event types.
var families = []familyRow{
	{Budget, "budget.reached", ""},
	{Breaker, "breaker.opened", "breaker.closed"},
	{ProviderKey, "provider_key.refused", "provider_key.accepted"},
	{Configuration, "configuration.refused", "configuration.accepted"},
	{State, "state.lost", "state.restored"},
	{Healing, "healing.jumped", "healing.settled"},
	{Problem, "problem.began", "problem.ended"},
}

// Families returns the names of all families.
func Families() []string {
	out := make([]string, len(families))
	for i := range families {
		out[i] = string(families[i].name)
	}
	return out
}

// Types returns the types of all events, such as "breaker.opened".
func Types() []string {
	var out []string
	for _, f := range families {
		out = append(out, f.beginType)
		if f.endType != "" {
			out = append(out, f.endType)
		}
	}
	return out
}

// types returns the types of a family's begin and end events.
func (f Family) types() (began, over string) {
	i := slices.IndexFunc(families, func(row familyRow) bool { return row.name == f })
	return families[i].beginType, families[i].endType
}

// familyOf returns the family of a problem's events.
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

// identityOf returns a key of a problem that stays the same when the counts and times in its cause change.
func identityOf(f Family, p *health.Problem) string {
	if p.Model != "" {
		return strings.Join([]string{string(f), string(p.Model), string(p.Kind)}, "|")
	}
	return strings.Join([]string{string(f), p.Subject, p.Remedy}, "|")
}

// version is the version of the JSON in a message. A new member does not change it.
const version = 1

// An Event is the JSON body of a message.
type Event struct {
	Version   int       `json:"version"`
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"` // time of the event, the same in each retry
	Text      string    `json:"text"`      // for people; escaped for Slack
	Dropped   int       `json:"dropped,omitempty"`
	Data      Data      `json:"data"`
}

// Data describes the problem or budget of an event.
type Data struct {
	Gateway  string             `json:"gateway,omitempty"` // name of the machine
	Severity health.Severity    `json:"severity,omitempty"`
	Subject  string             `json:"subject"`
	Cause    string             `json:"cause"`
	Remedy   string             `json:"remedy,omitempty"`
	Model    callwright.ModelID `json:"model,omitempty"`
	Kind     callwright.Kind    `json:"kind,omitempty"`
	Began    *time.Time         `json:"began,omitempty"` // begin of a problem, in its end event

	Budget *BudgetUse `json:"budget,omitempty"`
}

// A BudgetUse is the use of a budget by a key or a group of keys. Key and Group are empty for the budget of all keys.
type BudgetUse struct {
	Key     string    `json:"key,omitempty"`
	Group   string    `json:"group,omitempty"`
	What    string    `json:"what"` // unit: "requests", "tokens" or "usd"
	Per     string    `json:"per"`  // "day" or "month"
	Models  string    `json:"models,omitempty"`
	Percent int       `json:"percent"` // reached percentage: 80 or 100
	Limit   float64   `json:"limit"`
	Used    float64   `json:"used"`
	Resets  time.Time `json:"resets"` // end of the budget's period
}

// escapes escapes the special characters of Slack's markup:
// https://docs.slack.dev/messaging/formatting-message-text#escaping.
var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// textOf returns the message for people on an event, escaped for Slack. over is true for an end event.
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

// dataOf returns the data of a problem's event.
func dataOf(p *health.Problem) Data {
	return Data{Severity: p.Severity, Subject: p.Subject, Cause: p.Cause, Remedy: p.Remedy, Model: p.Model, Kind: p.Kind}
}

// body returns the JSON body of a message.
func (e *Event) body() []byte {
	text, err := json.Marshal(e)
	if err != nil { // a Limit of NaN or infinity, which callers do not set
		return []byte(`{"version":1,"type":"` + cmp.Or(e.Type, "problem.began") + `"}`)
	}
	return text
}
