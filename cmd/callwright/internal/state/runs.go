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

// A Journal stores and lists the runs of agents. The caller must close it before its State.
type Journal interface {
	agent.Journal
	agent.RunLister
	io.Closer
}

// Commands is the owner of the runs of callwright run and of the measurements of callwright eval.
const Commands = ""

// runs is the name of the folder with agent runs in the folder of their owner.
const runs = "runs"

// Journal returns the journal of an owner, which is Commands or a valid folder name. It is on NATS if the state is
// shared, otherwise in files that commands and a gateway share.
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

// onNATS is a journal whose Close does nothing, because the store owns its connection.
type onNATS struct{ *store.Journal }

func (onNATS) Close() error { return nil }

// Queue returns the queue of a measurement, on which any number of processes can work. The state must be shared. The
// caller must close the queue before the state.
func (s *State) Queue(name string) *store.Queue { return s.store.Queue(Commands, name, 0) }

// MeasurementResults returns the results so far of a measurement. The state must be shared.
func (s *State) MeasurementResults(ctx context.Context, name string) (eval.Header, []eval.Result, error) {
	return s.store.MeasurementResults(ctx, Commands, name)
}

// Measurements lists the evaluation runs on NATS. The state must be shared.
func (s *State) Measurements(ctx context.Context) ([]store.Measurement, error) {
	return s.store.Measurements(ctx, Commands)
}

// IsShared reports whether the state is on NATS.
func (s *State) IsShared() bool { return s.shared }

// InFolder returns a State that stores runs in files in dir and nothing else.
func InFolder(dir string) *State { return &State{dir: dir} }

// Folder returns the state folder: named or, if that is "", the folder .callwright in the user's home folder.
func Folder(named string) (string, error) {
	if named != "" {
		return named, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no folder for the state: name one with --state: %w", err)
	}
	return filepath.Join(home, ".callwright"), nil
}

// KeptIn returns where commands store facts, for messages: the NATS hosts or the state folder; "" for nowhere.
func KeptIn(conf *config.Config) string { return cmp.Or(conf.State.NATS.Hosts(), conf.State.Dir) }
