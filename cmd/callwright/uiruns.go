package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/agent/filejournal"
	"github.com/callwright/callwright/cmd/callwright/internal/runcmd"
	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/dashboard"
)

// agentRuns returns the agent runs for the dashboard, and the command line that continues a run from any working
// folder. runs is nil if the location of the runs is unknown.
func (s *serveCommand) agentRuns(conf *config.Config, kept *state.State) (runs dashboard.Runs, command string) {
	command = "callwright run"
	if kept.IsShared() {
		journal, err := kept.Journal(state.Commands)
		if err != nil {
			return nil, ""
		}
		if _, err := os.Stat(cmp.Or(s.config, ownConfig)); err == nil {
			command += " --config " + fullWord(cmp.Or(s.config, ownConfig))
		}
		return journal, command
	}
	dir, err := stateDir("", conf)
	if err != nil {
		return nil, ""
	}
	if conf.State.Dir != "" {
		command += " --state " + fullWord(dir)
	}
	return runFolder(filepath.Join(dir, "runs")), command
}

// fullWord returns the absolute path of a file, quoted for a shell.
func fullWord(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	return runcmd.ShellWord(path)
}

// A runFolder is a folder of agent/filejournal. It may not exist, and reading does not create it.
type runFolder string

var _ dashboard.Runs = runFolder("")

// with opens the journal and calls do with it. The error is [fs.ErrNotExist] if the folder does not exist.
func (f runFolder) with(do func(j *filejournal.Journal) error) error {
	if _, err := os.Stat(string(f)); err != nil {
		return err
	}
	j, err := filejournal.Open(string(f))
	if err != nil {
		return err
	}
	return errors.Join(do(j), j.Close())
}

// Load returns the journal entries of an agent run and their number.
func (f runFolder) Load(ctx context.Context, run agent.RunID) (entries []agent.Entry, last uint64, err error) {
	err = f.with(func(j *filejournal.Journal) error {
		entries, last, err = j.Load(ctx, run)
		return err
	})
	return entries, last, orNone(err)
}

// Append adds a journal entry to an existing agent run.
func (f runFolder) Append(ctx context.Context, run agent.RunID, prev uint64, e agent.Entry) (last uint64, err error) {
	err = f.with(func(j *filejournal.Journal) error {
		last, err = j.Append(ctx, run, prev, e)
		return err
	})
	return last, err
}

// Runs lists the ids of the agent runs in descending order.
func (f runFolder) Runs(ctx context.Context) (ids []agent.RunID, err error) {
	err = f.with(func(j *filejournal.Journal) error {
		ids, err = j.Runs(ctx)
		return err
	})
	return ids, orNone(err)
}

// orNone returns nil if err means that the folder does not exist, else err.
func orNone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
