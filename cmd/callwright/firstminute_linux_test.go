package main

import (
	"path/filepath"
	"testing"

	"github.com/callwright/callwright/internal/disktest"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestFirstMinuteDisk has rows of TestFirstMinute with folders of disks: $FULL of a full one, and $READONLY of one that is read only.
func TestFirstMinuteDisk(t *testing.T) {
	full, readOnly := disktest.SmallDisk(t, "1m"), disktest.SmallDisk(t, "1m")
	disktest.Fill(t, filepath.Join(full, "fill"))
	disktest.ReadOnly(t, readOnly, true)
	t.Cleanup(func() { disktest.ReadOnly(t, readOnly, false) })
	t.Run("rows", func(t *testing.T) {
		testscript.Run(t, testscript.Params{
			Dir: "testdata/firstminute/disk", ContinueOnError: true, Cmds: firstMinuteCommands,
			Setup: func(env *testscript.Env) error {
				env.Setenv("FULL", full)
				env.Setenv("READONLY", readOnly)
				return nil
			},
		})
	})
}
