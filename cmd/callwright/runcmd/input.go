package runcmd

import (
	"context"
	"io"

	"github.com/callwright/callwright/config"
	"github.com/callwright/callwright/mcptool"
	"github.com/spf13/cobra"
)

// Input is what the commands share with others.
type Input struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(name string) (value string, ok bool)
	// Misuse marks an error as one of the command line.
	Misuse func(error) error

	// ConfigFlag adds the flag that names a configuration, and OfferModels offers the models of the one in file.
	ConfigFlag  func(c *cobra.Command, file *string)
	OfferModels func(file *string) cobra.CompletionFunc
	// Config reads a configuration, "" for the one that there is; the hint says which that was.
	Config func(ctx context.Context, file string) (c *config.Config, hint string, err error)
	// Registry makes the registry of a configuration, which done closes.
	Registry func(ctx context.Context, conf *config.Config, opts ...config.Option) (r *config.Registry, done func(), err error)
	// Folder is where runs are kept: the folder that a flag names, or that of the configuration.
	Folder func(flag string, conf *config.Config) (string, error)
	// Server is a server of the configuration as it is opened.
	Server func(*config.MCPServer) (mcptool.Config, error)
	// Trace opens the trace in a file or a folder, "" for none, as the configuration says.
	Trace func(name string, conf *config.Trace) (Trace, error)

	// ReadFile reads a file, and ReadInput standard input, until ctx ends; what names the latter for errors. Both are bounded.
	ReadFile  func(ctx context.Context, name string) ([]byte, error)
	ReadInput func(ctx context.Context, what string) ([]byte, error)
}

// complete has a flag offer values.
func complete(c *cobra.Command, flag string, offer cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, offer); err != nil {
		panic("runcmd: " + err.Error()) // our own table of flags is broken
	}
}
