// Package tracecmd has the commands about traces: callwright trace and callwright replay.
package tracecmd

import (
	"context"
	"io"

	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/store"
	"github.com/spf13/cobra"
)

// Input holds the dependencies of the commands.
type Input struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(name string) (value string, ok bool)
	// Misuse marks an error as one of the command line.
	Misuse func(error) error

	// ConfigFlag adds the flag that names a configuration, and OfferModels offers the models of the one in file.
	ConfigFlag  func(c *cobra.Command, file *string)
	OfferModels func(file *string) cobra.CompletionFunc
	// Config reads a configuration, "" for the default one. The hint names the file that was read. OwnConfig is the name
	// of the default file in the current folder.
	Config    func(ctx context.Context, file string) (c *config.Config, hint string, err error)
	OwnConfig string
	// State opens the state that gateways of the configuration share. The caller closes it.
	State func(ctx context.Context, conf *config.Config) (*state.State, error)
	// Interruptible returns a stream that ends with ctx, though a read of r may not.
	Interruptible func(ctx context.Context, r io.Reader) io.Reader
}

// openSharedTrace opens the trace that gateways keep on NATS. The caller calls done.
func (in Input) openSharedTrace(ctx context.Context, conf *config.Config) (log *store.TraceLog, done func(), err error) {
	kept, err := in.State(ctx, conf)
	if err != nil {
		return nil, nil, err
	}
	return kept.Traces(conf.Trace.Log()), func() { _ = kept.Close() }, nil
}
