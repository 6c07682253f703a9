// Package tracecmd implements the commands for traces: callwright trace and callwright replay.
package tracecmd

import (
	"context"
	"io"

	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/store"
	"github.com/spf13/cobra"
)

// Input contains the dependencies of the commands callwright trace and callwright replay.
type Input struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(name string) (value string, ok bool)
	// Misuse wraps the error of an invalid command line.
	Misuse func(error) error

	// ConfigFlag adds the flag --config, which stores the file name in *file. OfferModels returns a shell completion
	// function for the models of that file.
	ConfigFlag  func(c *cobra.Command, file *string)
	OfferModels func(file *string) cobra.CompletionFunc
	// Config loads a configuration file, "" for the default. hint names the loaded file. OwnConfig is the default file in
	// the working folder.
	Config    func(ctx context.Context, file string) (c *config.Config, hint string, err error)
	OwnConfig string
	// State opens the state that the gateways of the configuration share. The caller must close it.
	State func(ctx context.Context, conf *config.Config) (*state.State, error)
	// Interruptible returns a reader that fails when ctx is done, although a read of r may still block.
	Interruptible func(ctx context.Context, r io.Reader) io.Reader
}

// openSharedTrace opens the trace of the gateways on NATS. The caller must call done.
func (in Input) openSharedTrace(ctx context.Context, conf *config.Config) (log *store.TraceLog, done func(), err error) {
	kept, err := in.State(ctx, conf)
	if err != nil {
		return nil, nil, err
	}
	return kept.Traces(conf.Trace.Log()), func() { _ = kept.Close() }, nil
}
