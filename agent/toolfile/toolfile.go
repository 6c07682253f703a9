package toolfile

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/boundedfile"
)

// Options have the place of a file and the bounds of its tools. The zero value works.
type Options struct {
	// Env is the environment that variables are read from; nil: that of the process. It is asked by Parse alone.
	Env func(name string) (string, bool)
	// Dir is the folder that "dir" of a command is relative to; empty: the one where the process runs.
	Dir string
	// MaxOutput bounds what is read of an output, in bytes; 0: 8 MiB. More is TOOL_OUTPUT_TOO_LARGE, and ends the
	// command.
	MaxOutput int64
	// Client sends requests; nil: one with the transport that all of the process share. How redirects are followed is
	// not left to it.
	Client *http.Client
}

const (
	defaultMaxOutput = 8 << 20
	maxFile          = 16 << 20 // bytes of a file
	maxTold          = 4 << 10  // bytes of standard error, and of a body, that a failure tells
)

func (o Options) withDefaults() Options {
	if o.Env == nil {
		o.Env = os.LookupEnv
	}
	if o.MaxOutput <= 0 {
		o.MaxOutput = defaultMaxOutput
	}
	client := http.Client{}
	if o.Client != nil {
		client = *o.Client
	}
	client.CheckRedirect = sameHost
	o.Client = &client
	return o
}

// Read returns the tools of a file of at most 16 MiB, as Parse does with Dir being the folder of the file.
func Read(path string) ([]agent.Tool, error) {
	b, err := boundedfile.Read(path, maxFile)
	if err != nil {
		return nil, err
	}
	tools, err := Parse(b, Options{Dir: filepath.Dir(path)})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return tools, nil
}
