package preflight

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
)

// Time is the time limit of a check. Providers are queried concurrently.
const Time = 4 * time.Second

// A Checker checks whether the models and providers of a configuration can be used. It is safe for concurrent use.
type Checker struct {
	Config   *config.Config
	Registry *config.Registry
	Env      func(name string) (value string, ok bool)
}

// A Result is the result for a provider or for a candidate of a model name.
type Result struct {
	Name     string             `json:"name"`               // provider, or model name as given
	Model    callwright.ModelID `json:"model,omitempty"`    // the candidate for the name; empty for a provider
	Fallback bool               `json:"fallback,omitempty"` // the model is a fallback of the name
	Address  string             `json:"address,omitempty"`  // base URL of the provider
	Detail   string             `json:"detail,omitempty"`   // facts if there is no problem
	Problem  string             `json:"problem,omitempty"`  // problem and remedy; empty for none
	// Uncertain means that the model or provider may be usable despite the problem: the provider has no model list, or
	// the error may be temporary.
	Uncertain bool `json:"uncertain,omitempty"`
}

// All checks all providers of the configuration, and then all its models except patterns.
func (c *Checker) All(ctx context.Context) []Result {
	var names []string
	for i := range c.Config.Models {
		if name := c.Config.Models[i].Name; c.stands(name) {
			names = append(names, name)
		}
	}
	hosts := c.hosts()
	looked := c.reach(ctx, append(c.hostsOf(names), hosts...))
	return append(c.providers(hosts, looked), c.models(names, looked)...)
}

// hosts returns the names of the configured providers.
func (c *Checker) hosts() []string {
	var hosts []string
	for i := range c.Config.Providers {
		hosts = append(hosts, c.Config.Providers[i].Name)
	}
	return hosts
}

// providers returns a Result for each provider in hosts. looked contains their responses.
func (c *Checker) providers(hosts []string, looked map[string]reached) []Result {
	var out []Result
	for _, host := range hosts {
		r := looked[host]
		if len(r.parts) == 0 {
			out = append(out, c.provider(r))
		}
		for _, part := range r.parts {
			out = append(out, c.provider(part))
		}
	}
	return out
}

// provider returns the result of a provider, or of one of its keys or hosts.
func (c *Checker) provider(r reached) Result {
	out := Result{Name: r.name, Address: r.address, Detail: detail(r) + credentials(r), Problem: c.problem(r),
		Uncertain: r.Unlisted || r.Passing}
	if r.part != "" && out.Problem != "" {
		out.Problem = r.part + ": " + out.Problem
	} else if r.part != "" {
		out.Detail = r.part + ": " + out.Detail
	}
	return out
}

// stands reports whether a name in the configuration is a single model with known candidates, and not a pattern.
func (c *Checker) stands(name string) bool {
	_, err := c.Registry.Candidates(name)
	return err == nil && !strings.Contains(name, "*")
}

// Models checks models by name. For each name it returns a result for each candidate, in order.
func (c *Checker) Models(ctx context.Context, names ...string) []Result {
	return c.models(names, c.reach(ctx, c.hostsOf(names)))
}

// Split separates the results that prevent a start (fatal) from other problems. A result is fatal if no candidate of
// its name can be used.
func Split(all []Result) (fatal, others []Result) {
	usable := map[string]bool{}
	for _, r := range all {
		usable[r.Name] = usable[r.Name] || r.Problem == "" || r.Uncertain
	}
	for _, r := range all {
		switch {
		case r.Problem == "":
		case usable[r.Name]:
			others = append(others, r)
		default:
			fatal = append(fatal, r)
		}
	}
	return fatal, others
}

// hostsOf returns the providers of all candidates of the names.
func (c *Checker) hostsOf(names []string) []string {
	var hosts []string
	for _, name := range names {
		candidates, _ := c.Registry.Candidates(name) // models reports the error
		for _, id := range candidates {
			host, _ := id.Split()
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// reach sends a query to each provider once, concurrently, and returns the responses by provider.
func (c *Checker) reach(ctx context.Context, hosts []string) map[string]reached {
	ctx, cancel := context.WithTimeout(ctx, Time)
	defer cancel()
	hosts = slices.Compact(slices.Sorted(slices.Values(hosts)))
	found := make([]reached, len(hosts))
	var wg sync.WaitGroup
	for i, host := range hosts {
		wg.Go(func() { found[i] = c.look(ctx, host) })
	}
	wg.Wait()
	out := make(map[string]reached, len(hosts))
	for i, host := range hosts {
		out[host] = found[i]
	}
	return out
}

// models returns the results of model names. looked contains the responses of the providers.
func (c *Checker) models(names []string, looked map[string]reached) []Result {
	var out []Result
	for _, name := range names {
		candidates, err := c.Registry.Candidates(name)
		if err != nil {
			out = append(out, Result{Name: name, Problem: err.Error()})
		}
		for i, id := range candidates {
			host, local := id.Split()
			r := looked[host]
			problem := cmp.Or(c.problem(r), missing(r, local))
			out = append(out, Result{Name: name, Model: id, Fallback: i > 0, Address: r.address, Detail: detail(r),
				Problem: problem, Uncertain: r.Unlisted || r.Passing})
		}
	}
	return out
}
