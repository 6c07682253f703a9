package evalcmd

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/catalog"
	"github.com/callwright/callwright/internal/eval/profile"
	"github.com/callwright/callwright/internal/jsonx"
)

// A listing is the JSON output of eval --list.
type listing struct {
	Scenarios []listed `json:"scenarios"`
	Presets   []string `json:"presets"`
	Profiles  []listed `json:"profiles"`
	Models    []listed `json:"models"`
	Simulated []listed `json:"simulated"`
}

// A listed is an entry of a list in the output of eval --list.
type listed struct {
	ID    string   `json:"id"`
	Tags  []string `json:"tags,omitempty"`
	About string   `json:"about,omitempty"`
}

// list prints the available scenarios, presets, profiles and models. It includes the scenarios of --scenario-file.
func (in Input) list(s *settings) error {
	m := measurement{in: in, s: s}
	if s.scenarios == nil {
		s.scenarios = []string{"all"}
	}
	if err := m.findScenarios(); err != nil {
		return in.Misuse(err)
	}
	var l listing
	for i := range m.plan.Scenarios {
		sc := &m.plan.Scenarios[i]
		l.Scenarios = append(l.Scenarios, listed{sc.ID, sc.Tags, sc.Summary})
	}
	l.Presets = eval.Presets()
	for _, p := range profile.Profiles() {
		var values []string
		for _, v := range p.Params {
			values = append(values, v.Name+" "+string(v.Value))
		}
		l.Profiles = append(l.Profiles, listed{p.ID, p.Tags, strings.TrimPrefix(strings.Join(values, ", ")+"; "+p.Source, "; ")})
	}
	for _, c := range catalog.Models() {
		about := fmt.Sprintf("%d tokens", c.Context)
		if set := c.Preset.Settings(); len(set) > 0 {
			about += "; preset: " + strings.Join(set, "; ")
		}
		l.Models = append(l.Models, listed{c.ID, c.Tags, about})
	}
	l.Simulated = simulatedModels()
	if s.out.json {
		return jsonx.WriteLine(in.Out, l)
	}
	l.print(in)
	return nil
}

// print prints the listing as text.
func (l *listing) print(in Input) {
	width := in.width(in.Out)
	for _, part := range []struct {
		title string
		rows  []listed
	}{
		{"Scenarios (--scenarios), with the presets " + strings.Join(l.Presets, ", ") + ", all", l.Scenarios},
		{"Sampling profiles (--sampling-profile-filter)", l.Profiles},
		{"Models of OpenRouter (--model-filter); any other id works too", l.Models},
		{"Simulated models (--model); sim/ and a fault works too: callwright simulate --list shows the faults", l.Simulated},
	} {
		fmt.Fprintf(in.Out, "%s\n", paint.Wrap(part.title, width, ""))
		for _, r := range part.rows {
			about := r.About
			if len(r.Tags) > 0 {
				about = "[" + strings.Join(r.Tags, " ") + "] " + about
			}
			const indent = "      "
			fmt.Fprintf(in.Out, "  %s\n%s%s\n", r.ID, indent, paint.Wrap(about, width, indent))
		}
		fmt.Fprintln(in.Out)
	}
}
