package preflight

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/provider"
)

// Start checks the models that a command will use. It returns a misuse error with the problems if a name has no usable
// candidate, and prints other problems as warnings. It ignores unknown names, which the command reports itself.
func (in Input) Start(ctx context.Context, conf *config.Config, names ...string) error {
	checker, done, err := Open(conf, in.Env)
	if err != nil {
		return err
	}
	defer done()
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return len(checker.hostsOf([]string{name})) == 0 })
	fatal, others := Split(checker.Models(ctx, names...))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, r := range others {
		fmt.Fprintf(in.Err, "warning: %s\n", r)
	}
	if len(fatal) == 0 {
		return nil
	}
	var texts []string
	for _, r := range fatal {
		texts = append(texts, r.String())
	}
	return in.Misuse(errors.New(strings.Join(texts, "\n") + "\n(--no-check starts without this check)"))
}

// String returns the name and the problem of the result.
func (r Result) String() string {
	name := r.Name
	if r.Fallback {
		name += ", fallback " + string(r.Model)
	}
	return name + ": " + r.Problem
}

// Warn logs the problems of the configured providers, each once. It does not query providers whose "discover" is off.
func (c *Checker) Warn(ctx context.Context, log *slog.Logger) {
	warn := func(name, problem string) {
		if problem != "" && ctx.Err() == nil {
			log.Warn("a provider cannot be used", "provider", name, "problem", problem)
		}
	}
	var hosts []string
	for i := range c.Config.Providers {
		p := &c.Config.Providers[i]
		if r := c.open(p.Name); r.err != nil {
			warn(p.Name, c.problem(r))
		} else if cmp.Or(p.Discover, c.Config.Discover) != provider.DiscoverOff {
			hosts = append(hosts, p.Name)
		}
	}
	for _, r := range c.providers(hosts, c.reach(ctx, hosts)) {
		warn(r.Name, r.Problem)
	}
}
