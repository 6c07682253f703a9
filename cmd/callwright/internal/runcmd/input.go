package runcmd

import (
	"context"
	"io"

	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/mcptool"
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
	// Config reads a configuration, "" for the default one. The hint names the file that was read.
	Config func(ctx context.Context, file string) (c *config.Config, hint string, err error)
	// Registry makes the registry of a configuration, which the caller closes before the state.
	Registry func(ctx context.Context, conf *config.Config, kept *state.State, opts ...config.Option) (*config.Registry, error)
	// State opens the state that gateways of the configuration share. The caller closes it.
	State func(ctx context.Context, conf *config.Config) (*state.State, error)
	// Check checks that models can be asked, by their names in the configuration.
	Check func(ctx context.Context, conf *config.Config, names ...string) error
	// Server returns the settings of an MCP server of the configuration, ready to open.
	Server func(*config.MCPServer) (mcptool.Config, error)
	// Trace opens the trace in a file or a folder, "" for none, with the settings of the configuration.
	Trace func(name string, conf *config.Trace) (Trace, error)

	// ReadFile reads a file, and ReadInput standard input, until ctx ends. The second argument of ReadInput names the
	// input in errors. Both limit the size.
	ReadFile  func(ctx context.Context, name string) ([]byte, error)
	ReadInput func(ctx context.Context, what string) ([]byte, error)
}
