package main

import (
	"context"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/version"
)

// newHealth returns the health monitor of a gateway. The caller adds the sources of problems that are opened later.
func newHealth(b *backend, traced *traceFile) *health.Monitor {
	return health.New(health.Config{Version: version.This().Version,
		Skips: func() []health.Skip { return b.models.Registry().Skips() }, WithoutCredentials: b.lacksCredentials,
		Targets: b.models.Targets, Sources: []func() []health.Problem{b.kept.Health, b.problems, traced.health}})
}

// problems returns the problems of the configuration and its files: unusable providers, and unreadable keys and facts.
func (b *backend) problems() []health.Problem {
	var out []health.Problem
	registry := b.models.Registry()
	for _, e := range registry.Unusable() {
		out = append(out, health.Problem{Severity: health.Degraded, Subject: "provider " + e.Name, Cause: notUsable(&e),
			Remedy: "correct the configuration or the environment; callwright check tests it"})
	}
	for _, e := range registry.WithoutCredentials() {
		out = append(out, health.Problem{Severity: health.Broken, Subject: "provider " + e.Name, Cause: notUsable(&e),
			Remedy: "provide the credentials; callwright check tests them"})
	}
	if file, why := b.gate.FileProblem(); why != "" {
		out = append(out, health.Problem{Severity: health.Degraded, Subject: "keys_file",
			Cause: file + " cannot be used, the previous keys stay in use: " + why, Remedy: "correct the file"})
	}
	for _, p := range registry.SecretProblems() {
		out = append(out, health.Problem{Severity: health.Degraded, Subject: "secret", Cause: p.String(),
			Remedy: "mount the secret again, or correct its path"})
	}
	for file, err := range registry.Unread() {
		out = append(out, health.Problem{Severity: health.Degraded, Subject: "state", Cause: file + " cannot be read: " + err.Error(),
			Remedy: "remove the file: the gateway learns the facts of the model again"})
	}
	return out
}

// notUsable returns the reason why a provider cannot be used.
func notUsable(e *config.Endpoint) string {
	if e.NoCredentials {
		return "credentials missing: " + strings.TrimPrefix(e.Problem, "provider "+e.Name+": ")
	}
	return "not usable: " + strings.TrimPrefix(e.Problem, "provider "+e.Name+": ")
}

// lacksCredentials reports whether the last request to a provider failed because its credentials were not available.
func (b *backend) lacksCredentials(provider string) bool {
	return slices.ContainsFunc(b.models.Registry().WithoutCredentials(), func(e config.Endpoint) bool { return e.Name == provider })
}

// unready returns the reasons why the gateway cannot answer requests: the shared state is not connected, the keys are
// not loaded, or no provider is usable. It returns nil if the gateway is ready.
func (b *backend) unready(ctx context.Context) []string {
	if why := b.kept.SharingProblems(ctx); len(why) > 0 {
		return why
	}
	if b.ring.Version() == 0 {
		return []string{"the keys in the state are not loaded yet"}
	}
	registry := b.models.Registry()
	unusable := registry.Unusable()
	if n := len(b.models.Config().Providers); n == 0 || len(unusable) < n {
		return nil
	}
	why := []string{"no provider can be used"}
	for _, e := range unusable {
		why = append(why, "provider "+e.Name+": "+notUsable(&e))
	}
	return why
}
