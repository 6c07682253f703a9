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

// Time bounds a check: providers are asked at the same time.
const Time = 4 * time.Second

// A Checker checks the models and providers of a configuration. It is safe for concurrent use.
type Checker struct {
	Config   *config.Config
	Registry *config.Registry
	Env      func(name string) (value string, ok bool)
}

// A Result is the finding about one provider, or about one model that a name stands for.
type Result struct {
	Name     string             `json:"name"`               // of the provider, or the name of the model that was asked for
	Model    callwright.ModelID `json:"model,omitempty"`    // what the name stands for; empty for a provider
	Fallback bool               `json:"fallback,omitempty"` // the model is a fallback of the name
	Address  string             `json:"address,omitempty"`  // of the provider
	Detail   string             `json:"detail,omitempty"`   // what is known of it where nothing is wrong
	Problem  string             `json:"problem,omitempty"`  // why it cannot be asked, and what to do; empty where nothing is wrong
	// Uncertain says that it may be asked all the same: its provider has no list of models at its address, or may
	// answer the next request.
	Uncertain bool `json:"uncertain,omitempty"`
}

// All checks every provider of the configuration, then every model of it that has a name of its own.
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

// hosts returns the providers of the configuration.
func (c *Checker) hosts() []string {
	var hosts []string
	for i := range c.Config.Providers {
		hosts = append(hosts, c.Config.Providers[i].Name)
	}
	return hosts
}

// providers returns the results of providers that were asked.
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

// stands reports whether an entry of the configuration is the name of one model.
func (c *Checker) stands(name string) bool {
	_, err := c.Registry.Candidates(name)
	return err == nil && !strings.Contains(name, "*")
}

// Models checks models by the names under which they are asked for. A name has a result for each of its candidates, in
// their order.
func (c *Checker) Models(ctx context.Context, names ...string) []Result {
	return c.models(names, c.reach(ctx, c.hostsOf(names)))
}

// Split returns the results that prevent a start, which are those of names of which no candidate can be asked, and the
// other problems.
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

// hostsOf returns the providers of the candidates of names.
func (c *Checker) hostsOf(names []string) []string {
	var hosts []string
	for _, name := range names {
		candidates, _ := c.Registry.Candidates(name) // an error is told by models
		for _, id := range candidates {
			host, _ := id.Split()
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// reach asks providers, each once.
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

// models returns the results of names whose providers were asked.
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
