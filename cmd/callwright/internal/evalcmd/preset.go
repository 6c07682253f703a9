package evalcmd

import (
	"encoding/json"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/eval/catalog"
	"github.com/callwright/callwright/internal/eval/report"
	"github.com/callwright/callwright/internal/jsonx"
)

// presetOf returns the preset of an OpenRouter model, the zero Preset if there is none.
func presetOf(id string) catalog.Preset {
	models, _, err := catalog.Select(id)
	if err != nil || len(models) != 1 {
		return catalog.Preset{}
	}
	return models[0].Preset
}

// filterPreset returns the preset without the values that are set elsewhere: the mode in s, and request members in s or
// in the configuration of the model or its provider. A member is removed as a whole, even if only one of its fields is
// set. If presets are off, the result is the zero Preset.
func (s *settings) filterPreset(conf *config.Config, model callwright.ModelID, p catalog.Preset) catalog.Preset {
	if !s.presets {
		return catalog.Preset{}
	}
	if len(s.modes) > 0 && !slices.ContainsFunc(s.modes, leftOpen) {
		p.Mode = ""
	}
	said := s.saidMembers(conf, model)
	kept := []byte("{")
	for _, one := range presetParams(p) {
		if slices.Contains(said, one.name) {
			continue
		}
		kept = append(jsonx.AppendKey(kept, one.name), one.value...)
	}
	if p.Request = ""; len(kept) > 1 {
		p.Request = string(append(kept, '}'))
	}
	return p
}

// leftOpen reports whether a mode does not determine how tools are sent to the model.
func leftOpen(mode string) bool {
	modes, _, err := parseMode(mode)
	return err == nil && len(modes) == 0
}

// saidMembers returns the request members that the settings or the configuration set for an OpenRouter model.
func (s *settings) saidMembers(conf *config.Config, model callwright.ModelID) (names []string) {
	for _, one := range slices.Concat(s.sampling.defaults, s.sampling.said, s.sampling.request) {
		names = append(names, one.name)
	}
	edits := s.routing()
	for i := range conf.Providers {
		if conf.Providers[i].Name == openRouter {
			edits = append(edits, conf.Providers[i].Request...)
		}
	}
	for _, name := range aliasChain(conf, model) {
		for i := range conf.Models {
			if conf.Models[i].Name == string(name) {
				edits = append(edits, conf.Models[i].Request...)
			}
		}
	}
	for _, e := range edits {
		names = append(names, e.Path[0])
	}
	return names
}

// presetParams returns the request members that a model's preset sets.
func presetParams(p catalog.Preset) (out []param) {
	if p.Request == "" {
		return nil
	}
	for name, value := range jsonx.Members([]byte(p.Request)) {
		out = append(out, param{name.String(), json.RawMessage(value)})
	}
	return out
}

// presets returns the presets that are applied to the models, for reports.
func (m *measurement) presets() (out []report.Preset) {
	for i := range m.targets {
		if set := m.targets[i].preset.Settings(); len(set) > 0 {
			out = append(out, report.Preset{Model: m.targets[i].id, Settings: set})
		}
	}
	return out
}
