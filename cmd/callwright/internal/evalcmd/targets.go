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

// A target is a model that the evaluation measures.
type target struct {
	id     callwright.ModelID // name in results
	model  callwright.ModelID // name of the model for requests
	listed string             // OpenRouter id or model name, which selects sampling profiles
	preset catalog.Preset     // catalog settings, with the lowest precedence
	mix    simulate.Mix       // of a simulated model
	fault  simulate.Fault
}

// openRouter is the provider of the models in the catalog.
const openRouter = "openrouter"

// like is the suffix of the model names of simulated families, because some families have the name of a fault.
const like = "-like"

// familyNames returns the model names of the simulated families.
func familyNames() (out []callwright.ModelID) {
	for _, f := range simulate.Families() {
		out = append(out, config.SimulatorName+"/"+callwright.ModelID(f.Name+like))
	}
	return out
}

// isLive reports whether the settings select models at providers, not only simulated ones.
func (s *settings) isLive() bool {
	named := slices.ContainsFunc(s.models, func(name string) bool { return !isSimulated(name) })
	return s.live || named || s.remote.filter != "" && (!s.fromEnv["model-filter"] || s.remote.key != "")
}

func isSimulated(name string) bool { return strings.HasPrefix(name, config.SimulatorName+"/") }

// offlineTargets returns the simulated models that the settings select.
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
	return fmt.Errorf("no simulated model %q: expected sim/native, %s, or sim/ and a fault: callwright simulate --list shows the faults", name, shown)
}

// liveTargets returns the models at providers that the settings select.
func (s *settings) liveTargets(conf *config.Config) (out []target, err error) {
	for _, name := range s.models {
		if isSimulated(name) {
			return nil, fmt.Errorf("%s is simulated, but this is a live run: measure it in a separate run", name)
		}
		t := target{id: callwright.ModelID(name), model: callwright.ModelID(name), listed: string(resolveAlias(conf, callwright.ModelID(name)))}
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

// resolveAlias returns the model to which an alias finally resolves, or name if it is no alias.
func resolveAlias(conf *config.Config, name callwright.ModelID) callwright.ModelID {
	names := aliasChain(conf, name)
	return names[len(names)-1]
}

// aliasChain returns the names from an alias to the model to which it resolves, inclusive.
func aliasChain(conf *config.Config, name callwright.ModelID) []callwright.ModelID {
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

// simulatedModels returns the simulated models that are no single faults, with their descriptions.
func simulatedModels() []listed {
	out := []listed{{ID: config.SimulatorName + "/native", About: "behaves well"}}
	for i, f := range simulate.Families() {
		out = append(out, listed{ID: string(familyNames()[i]), About: f.Doc})
	}
	return out
}
