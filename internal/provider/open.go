package provider

import "github.com/callwright/callwright"

// Open returns the model named "provider/name" through a Provider of its own, made of cfg with the provider's name set.
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
