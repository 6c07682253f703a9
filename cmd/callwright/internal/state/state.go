// Package state opens the persistent state of a gateway: on NATS, in the folder state.dir, or in memory.
//
// Commands share two parts with a running gateway, the capability store and the runs of agents. Both are on NATS or in
// files in state.dir. The embedded NATS server of a gateway uses a subfolder of state.dir.
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

// A State is the persistent state of a gateway. It must be closed after the registry that uses it.
type State struct {
	store      *store.Store // nil: in memory
	shared     bool         // on NATS, shared with other machines
	dir        string       // folder of files; "" for the default
	signatures signature.Limits
}

// folder is the subfolder of state.dir for the embedded NATS server.
const folder = "nats"

// Open opens the state of a gateway. A gateway that replaces another one shares the folder with it until the old one
// has stopped.
func Open(ctx context.Context, conf *config.Config, env func(string) (string, bool), log *slog.Logger) (*State, error) {
	if conf.State.NATS.URL == "" && conf.State.Dir != "" {
		s, err := store.Open(ctx, store.Config{Dir: filepath.Join(conf.State.Dir, folder), Join: listen.HandedOver(env),
			Keep: limitsByKind(&conf.State), Logger: log})
		if err != nil {
			return nil, SettingError("state.dir", err)
		}
		for _, line := range health.Lines(s.Health()) {
			log.Warn(line)
		}
		return &State{store: s, dir: conf.State.Dir, signatures: conf.State.Signatures.Signatures()}, nil
	}
	return OpenShared(ctx, conf, env, log)
}

// SettingError replaces the operation in an error message by the name of the setting that caused it.
func SettingError(setting string, err error) error {
	if e, ok := errors.AsType[*callwright.Error](err); ok {
		plain := *e
		plain.Op = ""
		err = &plain
	}
	return fmt.Errorf("%s: %w", setting, err)
}

// OpenShared opens only the state that is shared with other machines, for commands, which cannot use the embedded NATS
// server's folder of a running gateway. Without a NATS URL the State is in memory.
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
		Space: n.Space, Keep: limitsByKind(&conf.State), Logger: log,
		TLS: store.TLS{CA: string(n.TLS.CA), Cert: string(n.TLS.Cert), Key: string(n.TLS.Key)},
	})
	if err != nil {
		return nil, err
	}
	st := &State{store: s, shared: true, dir: conf.State.Dir, signatures: conf.State.Signatures.Signatures()}
	if err := st.takeOver(ctx, conf.State.Dir, log); err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return st, nil
}

// limitsByKind returns the configured limits by kind. It omits kinds without a limit.
func limitsByKind(c *config.State) map[store.Kind]store.Limits {
	out := map[store.Kind]store.Limits{}
	for kind, b := range map[store.Kind]config.Bounds{
		store.Facts: c.Facts, store.Runs: c.Runs, store.Queues: c.Evals, store.Counters: c.Counters,
		store.Signatures: {Age: c.Signatures.Age, Bytes: c.Signatures.Bytes},
	} {
		if b != (config.Bounds{}) {
			out[kind] = store.Limits{Bytes: b.Bytes, Age: b.Age}
		}
	}
	return out
}

// takeOver copies the facts in files of dir (state.dir) to a NATS cluster. It does nothing if dir is "" or if the state
// has problems, such as no connection.
func (s *State) takeOver(ctx context.Context, dir string, log *slog.Logger) error {
	if dir == "" || len(s.store.Health()) > 0 {
		return nil
	}
	n, err := config.TakeOverFacts(ctx, dir, s.store.CapsStore(ctx))
	if n > 0 {
		log.Info("the facts in state.dir were copied to NATS", "facts", n)
	}
	return err
}

// Options returns the registry options with which a gateway uses the state.
func (s *State) Options(ctx context.Context) []config.Option {
	if s.store == nil {
		return nil
	}
	return append(s.CapsStore(ctx), config.WithSignatures(s.store.Signatures(s.signatures)), config.WithTargets(s.targets()))
}

// targets returns the cooldowns of keys, hosts and models, shared with other gateways.
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

// CapsStore returns the option for a shared capability store, nil if the state is not shared.
func (s *State) CapsStore(ctx context.Context) []config.Option {
	if !s.shared {
		return nil
	}
	return []config.Option{config.WithCapsStore(s.store.CapsStore(ctx))}
}

// Counters returns the usage counters of keys; nil without a store.
func (s *State) Counters() access.Counters {
	if s.store == nil {
		return nil
	}
	return s.store.Counters()
}

// Keys returns the key ring of keys that are created while gateways run. It loads them when the state is available.
func (s *State) Keys(ctx context.Context) *keyring.Ring {
	if s.store == nil {
		return keyring.New(&keyring.MemoryLog{}, nil)
	}
	log := s.store.Keys()
	ring := keyring.New(log, nil)
	log.Await(ctx)
	return ring
}

// Usage returns the store of key usage by day and model; in memory without a store.
func (s *State) Usage() ledger.Store {
	if s.store == nil {
		return &ledger.MemoryStore{}
	}
	return s.store.Usage()
}

// Answers returns the store of responses that clients continue from, within limits; nil without a store.
func (s *State) Answers(l archive.Limits) archive.Answers {
	if s.store == nil {
		return nil
	}
	return s.store.Answers(l)
}

// Reports returns the store of request reports, within limits; nil without a store.
func (s *State) Reports(l archive.Limits) archive.Reports {
	if s.store == nil {
		return nil
	}
	return s.store.Reports(l)
}

// Traces returns the trace that all gateways share, within limits; nil if the state is not shared.
func (s *State) Traces(l trace.LogLimits) *store.TraceLog {
	if !s.shared {
		return nil
	}
	return s.store.Traces("", l)
}

// Health returns the current problems of the state, such as a lost connection.
func (s *State) Health() []health.Problem {
	if s.store == nil {
		return nil
	}
	return s.store.Health()
}

// SharingProblems returns the reasons why the state was never shared with other gateways since the start. It waits
// briefly. It returns nil if the state was shared once or if there are no other gateways.
func (s *State) SharingProblems(ctx context.Context) []string {
	if s.store == nil {
		return nil
	}
	return s.store.SharingProblems(ctx)
}

// Close writes the pending changes and closes the state.
func (s *State) Close() error {
	if s.store == nil {
		return nil
	}
	return s.store.Close()
}
