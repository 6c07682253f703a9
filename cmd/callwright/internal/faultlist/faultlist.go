// Package faultlist lists the features of the simulator: faults by failure class, model families, and strict profiles.
package faultlist

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/simulate"
)

// Names returns the model names that select each fault of the simulator.
func Names() []string {
	var names []string
	for _, f := range simulate.Faults() {
		names = append(names, f.Model())
	}
	return names
}

// Families returns the names of all model families of the simulator.
func Families() []string {
	var names []string
	for _, f := range simulate.Families() {
		names = append(names, f.Name)
	}
	return names
}

// Profiles returns the names of all strict profiles of the simulator.
func Profiles() []string {
	var names []string
	for _, p := range simulate.Profiles() {
		names = append(names, p.Name)
	}
	return names
}

// The types of the JSON output of callwright simulate --list.
type (
	// A List contains all features of the simulator in the order of its tables.
	List struct {
		Classes  []class   `json:"classes"`
		Others   []fault   `json:"others"`
		Families []family  `json:"families"`
		Profiles []profile `json:"profiles"`
	}
	class struct {
		ID     string  `json:"id"`
		Doc    string  `json:"doc"`
		Faults []fault `json:"faults"`
	}
	fault struct {
		Name       string   `json:"name"`
		Doc        string   `json:"doc"`
		Wires      []string `json:"wires"`
		StreamOnly bool     `json:"stream_only,omitempty"`
		Provoked   bool     `json:"provoked,omitempty"`
	}
	family struct {
		Name   string    `json:"name"`
		Doc    string    `json:"doc"`
		Forms  []sharing `json:"forms"`
		Faults []sharing `json:"faults"`
		Habits []sharing `json:"habits"` // faults of whole conversations
	}
	sharing struct {
		Fault  string  `json:"fault"`
		P      float64 `json:"p"`
		Source string  `json:"source"`
	}
	profile struct {
		Name string `json:"name"`
		Doc  string `json:"doc"`
	}
)

// New returns the list of the simulator's faults, families and profiles.
func New() List {
	var out List
	faults := func(all []simulate.FaultInfo) (out []fault) {
		for _, f := range all {
			out = append(out, fault{f.Model(), f.Doc, f.Wires, f.StreamOnly, f.Provoked})
		}
		return out
	}
	for _, c := range simulate.Classes() {
		out.Classes = append(out.Classes, class{c.ID, c.Doc, faults(simulate.FaultsOf(c.ID))})
	}
	out.Others = faults(simulate.FaultsOf(""))
	shares := func(all []simulate.Share) []sharing {
		out := []sharing{}
		for _, s := range all {
			name := simulate.FaultInfo{Name: s.Fault.Name, Variant: strings.Join(s.Fault.Options, "-")}
			out = append(out, sharing{name.Model(), s.P, s.Source})
		}
		return out
	}
	for _, f := range simulate.Families() {
		out.Families = append(out.Families, family{f.Name, f.Doc, shares(f.Mix.Forms), shares(f.Mix.Faults), shares(f.Mix.Habits)})
	}
	for _, p := range simulate.Profiles() {
		out.Profiles = append(out.Profiles, profile{p.Name, p.Doc})
	}
	return out
}

// Print prints the list as text, wrapped to width columns.
func (l List) Print(w io.Writer, width int) {
	line := func(head, text string) {
		_, _ = fmt.Fprintln(w, head+paint.Wrap(text, width, strings.Repeat(" ", len(head))))
	}
	names := func(all []fault) string {
		var out []string
		for _, f := range all {
			out = append(out, f.Name)
		}
		return strings.Join(out, ", ")
	}
	for _, c := range l.Classes {
		line(c.ID+"  ", c.Doc)
		line("       ", names(c.Faults))
	}
	line("     ", "faults without a class: "+names(l.Others))
	line("\nfamilies", "")
	for _, f := range l.Families {
		line(fmt.Sprintf("  %-10s ", f.Name), f.Doc)
		for _, share := range slices.Concat(f.Forms, f.Faults, f.Habits) {
			line(fmt.Sprintf("    %6.2f %%  %-28s ", 100*share.P, share.Fault), share.Source)
		}
	}
	line("\nprofiles of --strict", "")
	for _, p := range l.Profiles {
		line(fmt.Sprintf("  %-17s ", p.Name), p.Doc)
	}
}
