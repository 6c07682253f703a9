package state

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/agent/filejournal"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/store"
)

// A Journal keeps the runs of agents and lists them. The caller closes it, before the State that gave it.
type Journal interface {
	agent.Journal
	agent.RunLister
	io.Closer
}

// Commands owns the runs of callwright run, and the measurements of callwright eval.
const Commands = ""

// runs is the folder of runs below that of their owner.
const runs = "runs"

// Journal is that of an owner, Commands or a word that may name a folder: on NATS where the state is shared, else in
// files, which commands and a gateway share.
func (s *State) Journal(owner string) (Journal, error) {
	if s.shared {
		return onNATS{s.store.Journal(owner)}, nil
	}
	dir, err := Folder(s.dir)
	if err != nil {
		return nil, err
	}
	journal, err := filejournal.Open(filepath.Join(dir, owner, runs))
	if err != nil {
		return nil, err
	}
	return journal, nil
}

// onNATS is a journal whose end is that of the store.
type onNATS struct{ *store.Journal }

func (onNATS) Close() error { return nil }

// Queue is that of a measurement which any number of processes work on; the state is shared. The caller closes it,
// before the state.
func (s *State) Queue(name string) *store.Queue { return s.store.Queue(Commands, name, 0) }

// MeasurementResults returns the results of a measurement so far; the state is shared.
func (s *State) MeasurementResults(ctx context.Context, name string) (eval.Header, []eval.Result, error) {
	return s.store.MeasurementResults(ctx, Commands, name)
}

// Measurements lists the measurements; the state is shared.
func (s *State) Measurements(ctx context.Context) ([]store.Measurement, error) {
	return s.store.Measurements(ctx, Commands)
}

// IsShared reports whether the state is on NATS.
func (s *State) IsShared() bool { return s.shared }

// InFolder is a State whose runs lie in files of a folder, whatever the configuration says. It keeps nothing else.
func InFolder(dir string) *State { return &State{dir: dir} }

// Folder is where files are kept: in the folder that somebody has named, "" for the one below the user's own.
func Folder(named string) (string, error) {
	if named != "" {
		return named, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("where is it kept? name a folder with --state: %w", err)
	}
	return filepath.Join(home, ".callwright"), nil
}

// KeptIn says where commands keep facts, "" for nowhere.
func KeptIn(conf *config.Config) string { return cmp.Or(conf.State.NATS.Hosts(), conf.State.Dir) }
