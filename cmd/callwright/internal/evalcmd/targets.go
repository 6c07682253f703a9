package evalcmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/eval/catalog"
	"github.com/callwright/callwright/internal/spelling"
	"github.com/callwright/callwright/simulate"
)

// A target is a model that is measured.
type target struct {
	id     callwright.ModelID // the name in results
	model  callwright.ModelID // the model that is asked
	listed string             // the id at OpenRouter, or the model's name: it decides which sampling profiles apply
	preset catalog.Preset     // settings of the catalogue, weaker than all others
	mix    simulate.Mix       // of a simulated model
	fault  simulate.Fault
}

// openRouter is the provider whose models the catalogue has.
const openRouter = "openrouter"

// like stands behind the names of simulated families, some of which are names of faults, too. The simulator plays them
// by these names.
const like = "-like"

// familyNames are the simulated models that stand for kinds of real ones.
func familyNames() (out []callwright.ModelID) {
	for _, f := range simulate.Families() {
		out = append(out, config.SimulatorName+"/"+callwright.ModelID(f.Name+like))
	}
	return out
}

// isLive reports whether models at providers are to be asked.
func (s *settings) isLive() bool {
	named := slices.ContainsFunc(s.models, func(name string) bool { return !isSimulated(name) })
	return s.live || named || s.remote.filter != "" && (!s.fromEnv["model-filter"] || s.remote.key != "")
}

func isSimulated(name string) bool { return strings.HasPrefix(name, config.SimulatorName+"/") }

// offlineTargets are the simulated models that are asked for.
func (s *settings) offlineTargets() (out []target, err error) {
	names := s.models
	if len(names) == 0 {
		for _, id := range familyNames() {
			names = append(names, string(id))
		}
	}
	for _, name := range names {
		t := target{id: callwright.ModelID(name), listed: name, model: config.SimulatorName + "/native"}
		last := strings.TrimPrefix(name, config.SimulatorName+"/")
		family, isFamily := simulate.FamilyNamed(strings.TrimSuffix(last, like))
		fault, isFault := simulate.ParseFault(last)
		switch {
		case isFamily && strings.HasSuffix(last, like):
			t.mix = family.Mix
		case isFault:
			t.fault = fault
		case last != "native":
			return nil, unknownSimulated(name)
		}
		out = append(out, t)
	}
	return out, nil
}

func unknownSimulated(name string) error {
	var names []string
	for _, id := range familyNames() {
		names = append(names, string(id))
	}
	shown := spelling.Or(names)
	for _, f := range simulate.Faults() {
		names = append(names, config.SimulatorName+"/"+f.Model())
	}
	if near := config.Nearest(name, append(names, config.SimulatorName+"/native")); near != "" {
		return fmt.Errorf("no simulated model %q: did you mean %s?", name, near)
	}
	return fmt.Errorf("no simulated model %q: expected sim/native, %s, or sim/ and a fault, which callwright simulate --list shows", name, shown)
}

// liveTargets are the models at providers that are asked for.
func (s *settings) liveTargets(conf *config.Config) (out []target, err error) {
	for _, name := range s.models {
		if isSimulated(name) {
			return nil, fmt.Errorf("%s is simulated, and this is a live run: measure it in a run of its own", name)
		}
		t := target{id: callwright.ModelID(name), model: callwright.ModelID(name), listed: string(behind(conf, callwright.ModelID(name)))}
		if id, ok := strings.CutPrefix(t.listed, openRouter+"/"); ok {
			t.listed, t.preset = id, s.filterPreset(conf, t.model, presetOf(id))
		}
		out = append(out, t)
	}
	if len(s.models) > 0 && s.remote.filter == "" {
		return out, nil
	}
	models, notes, err := catalog.Select(s.remote.filter)
	if err != nil {
		return nil, err
	}
	s.notes = append(s.notes, notes...)
	for _, m := range models {
		id := callwright.ModelID(openRouter + "/" + m.ID)
		out = append(out, target{id: id, model: id, listed: m.ID, preset: s.filterPreset(conf, id, m.Preset)})
	}
	return out, nil
}

// behind is the model that an alias stands for.
func behind(conf *config.Config, name callwright.ModelID) callwright.ModelID {
	names := trail(conf, name)
	return names[len(names)-1]
}

// trail are the names from an alias to the model that it stands for.
func trail(conf *config.Config, name callwright.ModelID) []callwright.ModelID {
	names := []callwright.ModelID{name}
	for range conf.Models {
		at := slices.IndexFunc(conf.Models, func(m config.Model) bool { return m.Name == string(name) && m.Model != "" })
		if at < 0 {
			break
		}
		name = conf.Models[at].Model
		names = append(names, name)
	}
	return names
}

// simulatedModels are the simulated models that are no faults, with their descriptions.
func simulatedModels() []listed {
	out := []listed{{ID: config.SimulatorName + "/native", About: "behaves well"}}
	for i, f := range simulate.Families() {
		out = append(out, listed{ID: string(familyNames()[i]), About: f.Doc})
	}
	return out
}
