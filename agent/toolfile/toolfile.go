package toolfile

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/boundedfile"
)

// Options hold the folder of a file and the limits of its tools. The zero value works.
type Options struct {
	// Env looks up the environment variables; nil is the environment of the process. Only Parse calls Env.
	Env func(name string) (string, bool)
	// Dir is the folder that "dir" of a command is relative to; empty: the one where the process runs.
	Dir string
	// MaxOutput is the most bytes of an output that are read; 0 is 8 MiB. A longer output ends the command with the error
	// TOOL_OUTPUT_TOO_LARGE.
	MaxOutput int64
	// Client sends requests; nil is a client with the transport that the whole process shares. Its redirect policy is not
	// used: tools follow redirects on the same host alone.
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
