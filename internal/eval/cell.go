package eval

import "github.com/callwright/callwright"

// A CellID identifies a cell of a plan: model|mode|policy|profile|scenario|trial. The characters | and % in a part are
// percent-encoded. The same combination has the same id in every run.
type CellID string

// A Cell is one trial of a scenario with a model and settings. Seed determines all random choices. It is derived from
// the seed of the plan and the ID.
type Cell struct {
	ID       CellID             `json:"id"`
	Model    callwright.ModelID `json:"model"`
	Mode     string             `json:"mode"`    // a caps.Mode, or "auto"
	Policy   string             `json:"policy"`  // a callwright.Policy
	Profile  string             `json:"profile"` // profile of sampling parameters; "default" sends none
	Scenario string             `json:"scenario"`
	Trial    int                `json:"trial"` // number of the trial, from 1
	Seed     uint64             `json:"seed"`
}
