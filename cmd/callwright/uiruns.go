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

// agentRuns are the runs of callwright run, with the command line that continues with one from any folder; nil where
// nobody knows where they are kept.
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

// fullWord is the path of a file as it is written in a shell in any folder.
func fullWord(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	return runcmd.ShellWord(path)
}

// A runFolder is the runs in a folder of agent/filejournal, which need not be there: whoever looks at runs does not
// make it.
type runFolder string

var _ dashboard.Runs = runFolder("")

// with does something with the journal. The error is [fs.ErrNotExist] where there is none.
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

// Load returns the entries of a run.
func (f runFolder) Load(ctx context.Context, run agent.RunID) (entries []agent.Entry, last uint64, err error) {
	err = f.with(func(j *filejournal.Journal) error {
		entries, last, err = j.Load(ctx, run)
		return err
	})
	return entries, last, orNone(err)
}

// Append records an entry of a run that is there.
func (f runFolder) Append(ctx context.Context, run agent.RunID, prev uint64, e agent.Entry) (last uint64, err error) {
	err = f.with(func(j *filejournal.Journal) error {
		last, err = j.Append(ctx, run, prev, e)
		return err
	})
	return last, err
}

// Runs lists the runs.
func (f runFolder) Runs(ctx context.Context) (ids []agent.RunID, err error) {
	err = f.with(func(j *filejournal.Journal) error {
		ids, err = j.Runs(ctx)
		return err
	})
	return ids, orNone(err)
}

// orNone is nil where there is no folder yet.
func orNone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
