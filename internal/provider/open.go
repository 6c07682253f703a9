package provider

import "github.com/callwright/callwright"

// Open returns the model named "provider/name". It creates a separate Provider from cfg with the name of the provider
// set.
func Open(model string, cfg Config) (*Remote, error) {
	name, rest := callwright.ModelID(model).Split()
	if name == "" || rest == "" {
		return nil, invalid("expected a model as provider/name, got %q", model)
	}
	cfg.Name = name
	p, err := New(cfg)
	if err != nil {
		return nil, err
	}
	return p.Model(rest), nil
}
