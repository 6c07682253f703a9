package runcmd

import (
	"context"
	"io"

	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/mcptool"
	"github.com/spf13/cobra"
)

// Input contains the dependencies of the commands callwright run and callwright runs.
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
	// Config loads a configuration file, "" for the default. hint names the loaded file.
	Config func(ctx context.Context, file string) (c *config.Config, hint string, err error)
	// Registry returns the registry of a configuration. The caller must close it before the state.
	Registry func(ctx context.Context, conf *config.Config, kept *state.State, opts ...config.Option) (*config.Registry, error)
	// State opens the state that the gateways of the configuration share. The caller must close it.
	State func(ctx context.Context, conf *config.Config) (*state.State, error)
	// Check returns an error if one of the named models cannot be used.
	Check func(ctx context.Context, conf *config.Config, names ...string) error
	// Server converts an MCP server of the configuration to the settings to open it.
	Server func(*config.MCPServer) (mcptool.Config, error)
	// Trace opens a trace file or folder, "" for none, with the settings of the configuration.
	Trace func(name string, conf *config.Trace) (Trace, error)

	// ReadFile reads a file, and ReadInput standard input. Both return when ctx is done, and limit the size. Errors of
	// ReadInput call the input subject.
	ReadFile  func(ctx context.Context, name string) ([]byte, error)
	ReadInput func(ctx context.Context, subject string) ([]byte, error)
}
