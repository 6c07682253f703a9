package eval

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/callwright/callwright"
)

// A Plan defines the trials of a run: every combination of its axes, Trials times each. An empty axis has its default
// as the only value. Duplicate values count once.
type Plan struct {
	Models    []callwright.ModelID `json:"models"`
	Modes     []string             `json:"modes"`
	Policies  []string             `json:"policies"`
	Profiles  []string             `json:"profiles"`
	Scenarios []Scenario           `json:"scenarios"`
	Trials    int                  `json:"trials"` // trials of each combination; 0 means 1
	Seed      uint64               `json:"seed"`
}

// Cells returns the combinations in a fixed order. The cells of one combination for all models are adjacent, so that
// several models can run at once. Each trial number is complete before the next.
func (p *Plan) Cells() []Cell {
	models, modes := axis(p.Models, ""), axis(p.Modes, "auto")
	policies, profiles := axis(p.Policies, string(callwright.PolicyHeal)), axis(p.Profiles, "default")
	var out []Cell
	for trial := 1; trial <= max(p.Trials, 1); trial++ {
		for i := range p.Scenarios {
			for _, profile := range profiles {
				for _, policy := range policies {
					for _, mode := range modes {
						for _, model := range models {
							c := Cell{Model: model, Mode: mode, Policy: policy, Profile: profile, Scenario: p.Scenarios[i].ID, Trial: trial}
							c.ID = idOf(c)
							c.Seed = seedOf(p.Seed, c.ID)
							out = append(out, c)
						}
					}
				}
			}
		}
	}
	return out
}

// Header returns the header of a run of the plan.
func (p *Plan) Header(build string, live bool) Header {
	cells := p.Cells()
	h := sha256.New()
	for i := range p.Scenarios {
		text, _ := json.Marshal(&p.Scenarios[i])
		_, _ = h.Write(append(text, '\n'))
	}
	for _, c := range cells {
		_, _ = h.Write([]byte(string(c.ID) + "\n"))
	}
	return Header{Version: Version, Build: build, Seed: p.Seed, Plan: hex.EncodeToString(h.Sum(nil)[:16]), Cells: len(cells), Live: live}
}

// Scenario returns the scenario with an id, nil if the plan has none.
func (p *Plan) Scenario(id string) *Scenario {
	i := slices.IndexFunc(p.Scenarios, func(s Scenario) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	return &p.Scenarios[i]
}

// axis returns the values of an axis without duplicates. For an axis without values it returns the single value none.
func axis[T comparable](values []T, none T) []T {
	var out []T
	for _, v := range values {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	if out == nil {
		return []T{none}
	}
	return out
}

var escapeID = strings.NewReplacer("%", "%25", "|", "%7C")

func idOf(c Cell) CellID {
	parts := []string{string(c.Model), c.Mode, c.Policy, c.Profile, c.Scenario, strconv.Itoa(c.Trial)}
	for i, part := range parts {
		parts[i] = escapeID.Replace(part)
	}
	return CellID(strings.Join(parts, "|"))
}

// IDs returns a generator of the ids of tool calls and reports that yields the same ids whenever the cell is played.
// Ids must be reproducible because requests may contain them.
func (c Cell) IDs() func(prefix string) string {
	var n atomic.Uint64
	return func(prefix string) string { return fmt.Sprintf("%s%016x%08x", prefix, c.Seed, n.Add(1)) }
}

// seedOf returns the seed of a cell, a hash of the plan's seed and the cell id.
func seedOf(seed uint64, id CellID) uint64 {
	h := sha256.New()
	_ = binary.Write(h, binary.LittleEndian, seed)
	_, _ = h.Write([]byte(id))
	return binary.LittleEndian.Uint64(h.Sum(nil))
}
