// Package state opens what a gateway keeps beyond its requests: on NATS, in the folder of state.dir, or in memory
// alone.
//
// What commands share with a gateway that runs, what is known of models and the runs of agents, lies on NATS, or in
// files of state.dir: the server in the gateway's process has its own folder, below it, for itself.
package state

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/listen"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/keyring"
	"github.com/callwright/callwright/internal/ledger"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/store"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/signature"
)

// A State is what a gateway keeps. Close it after the registry that uses it.
type State struct {
	store  *store.Store // nil: in memory
	shared bool         // with other machines
	dir    string       // of files; "" for that of the user
	vault  signature.Limits
}

// folder is where the server in the process keeps its files, below state.dir.
const folder = "nats"

// Open opens the state of a gateway. One that takes the place of another shares the folder with it until that has
// ended.
func Open(ctx context.Context, conf *config.Config, env func(string) (string, bool), log *slog.Logger) (*State, error) {
	if conf.State.NATS.URL == "" && conf.State.Dir != "" {
		s, err := store.Open(ctx, store.Config{Dir: filepath.Join(conf.State.Dir, folder), Join: listen.HandedOver(env),
			Keep: kept(&conf.State), Logger: log})
		if err != nil {
			return nil, Located("state.dir", err)
		}
		for _, line := range health.Lines(s.Health()) {
			log.Warn(line)
		}
		return &State{store: s, dir: conf.State.Dir, vault: conf.State.Vault.Vault()}, nil
	}
	return OpenShared(ctx, conf, env, log)
}

// Located begins an error with the setting that it is about, in place of the operation.
func Located(setting string, err error) error {
	if e, ok := errors.AsType[*callwright.Error](err); ok {
		plain := *e
		plain.Op = ""
		err = &plain
	}
	return fmt.Errorf("%s: %w", setting, err)
}

// OpenShared opens what is shared with other machines alone: for commands, which do not have the folder of a gateway.
// It is in memory where nothing is.
func OpenShared(ctx context.Context, conf *config.Config, env func(string) (string, bool), log *slog.Logger) (*State, error) {
	n := &conf.State.NATS
	if n.URL == "" {
		return &State{dir: conf.State.Dir}, nil
	}
	password, err := n.Secret(env)
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, store.Config{
		URL: n.URL, Credentials: string(n.Credentials), User: n.User, Password: password, CurrentPassword: n.CurrentSecret(),
		Space: n.Space, Keep: kept(&conf.State), Logger: log,
		TLS: store.TLS{CA: string(n.TLS.CA), Cert: string(n.TLS.Cert), Key: string(n.TLS.Key)},
	})
	if err != nil {
		return nil, err
	}
	st := &State{store: s, shared: true, dir: conf.State.Dir, vault: conf.State.Vault.Vault()}
	if err := st.takeOver(ctx, conf.State.Dir, log); err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return st, nil
}

// kept are the bounds of a configuration by kind. What it says nothing of is not among them.
func kept(c *config.State) map[store.Kind]store.Limits {
	out := map[store.Kind]store.Limits{}
	for kind, b := range map[store.Kind]config.Bounds{
		store.Facts: c.Facts, store.Runs: c.Runs, store.Queues: c.Evals, store.Counters: c.Counters,
		store.Vault: {Age: c.Vault.Age, Bytes: c.Vault.Bytes},
	} {
		if b != (config.Bounds{}) {
			out[kind] = store.Limits{Bytes: b.Bytes, Age: b.Age}
		}
	}
	return out
}

// takeOver gives a cluster the facts that were found while state.dir had them.
func (s *State) takeOver(ctx context.Context, dir string, log *slog.Logger) error {
	if dir == "" || len(s.store.Health()) > 0 {
		return nil
	}
	n, err := config.TakeOverFacts(ctx, dir, s.store.Shelf(ctx))
	if n > 0 {
		log.Info("the facts of state.dir were taken over by NATS", "facts", n)
	}
	return err
}

// Options have the registry of a gateway use the state.
func (s *State) Options(ctx context.Context) []config.Option {
	if s.store == nil {
		return nil
	}
	return append(s.Shelf(ctx), config.WithVault(s.store.Vault(s.vault)), config.WithTargets(s.targets()))
}

// targets returns the cooldowns of keys, hosts and models, which are shared.
func (s *State) targets() *provider.Targets {
	t := &provider.Targets{}
	t.Share(func(hear func(provider.TargetCooldown)) func(provider.TargetCooldown) {
		tell := s.store.Cooldowns(func(data []byte) {
			var c provider.TargetCooldown
			if json.Unmarshal(data, &c) == nil {
				hear(c)
			}
		})
		return func(c provider.TargetCooldown) {
			if data, err := json.Marshal(c); err == nil {
				tell(c.Part, data, time.Until(c.Until))
			}
		}
	})
	return t
}

// Shelf has a registry use what is known of models, where that is shared.
func (s *State) Shelf(ctx context.Context) []config.Option {
	if !s.shared {
		return nil
	}
	return []config.Option{config.WithShelf(s.store.Shelf(ctx))}
}

// Counters count what keys have used; nil for a gateway that forgets.
func (s *State) Counters() access.Counters {
	if s.store == nil {
		return nil
	}
	return s.store.Counters()
}

// Keys returns the keys that are made while gateways run. They are read where the state is there.
func (s *State) Keys(ctx context.Context) *keyring.Ring {
	if s.store == nil {
		return keyring.New(&keyring.MemoryLog{}, nil)
	}
	log := s.store.Keys()
	ring := keyring.New(log, nil)
	log.Await(ctx)
	return ring
}

// Usage keeps what keys used, by day and model.
func (s *State) Usage() ledger.Store {
	if s.store == nil {
		return &ledger.MemoryStore{}
	}
	return s.store.Usage()
}

// Answers are those that clients go on from, within limits; nil for a gateway that forgets.
func (s *State) Answers(l archive.Limits) archive.Answers {
	if s.store == nil {
		return nil
	}
	return s.store.Answers(l)
}

// Reports are those of requests, within limits; nil for a gateway that forgets.
func (s *State) Reports(l archive.Limits) archive.Reports {
	if s.store == nil {
		return nil
	}
	return s.store.Reports(l)
}

// Traces are those that all gateways share, within limits; nil where nothing is shared.
func (s *State) Traces(l trace.LogLimits) *store.TraceLog {
	if !s.shared {
		return nil
	}
	return s.store.Traces("", l)
}

// Health returns the problems of the state.
func (s *State) Health() []health.Problem {
	if s.store == nil {
		return nil
	}
	return s.store.Health()
}

// Unshared says why the state was not shared with other gateways since the start, for which it waits a moment, a line
// each; nothing once it was, or where there are no others.
func (s *State) Unshared(ctx context.Context) []string {
	if s.store == nil {
		return nil
	}
	return s.store.Unshared(ctx)
}

// Close ends the use of the state, once what waits to be written is.
func (s *State) Close() error {
	if s.store == nil {
		return nil
	}
	return s.store.Close()
}
