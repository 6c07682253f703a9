package eval

import "github.com/callwright/callwright"

// A CellID names a cell within a plan: model|mode|policy|profile|scenario|trial, each with | and % escaped as in URLs.
// The same combination has the same id in every run.
type CellID string

// A Cell is one trial: a scenario on a model with settings. Seed decides everything that is drawn, and follows from the
// plan's seed and the id.
type Cell struct {
	ID       CellID             `json:"id"`
	Model    callwright.ModelID `json:"model"`
	Mode     string             `json:"mode"`    // a caps.Mode, or auto
	Policy   string             `json:"policy"`  // a callwright.Policy
	Profile  string             `json:"profile"` // of sampling parameters, default: none are sent
	Scenario string             `json:"scenario"`
	Trial    int                `json:"trial"` // from 1
	Seed     uint64             `json:"seed"`
}
