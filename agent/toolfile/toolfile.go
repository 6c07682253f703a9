package toolfile

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/boundedfile"
)

// Options configure how a file is parsed and the limits of its tools. The zero value works.
type Options struct {
	// Env looks up environment variables; nil means os.LookupEnv. Only Parse calls Env.
	Env func(name string) (string, bool)
	// Dir is the base of a relative "dir" of a command; empty means the working folder of the process.
	Dir string
	// MaxOutput is the maximum size of an output in bytes; 0 means 8 MiB. A larger output ends the command with the error
	// TOOL_OUTPUT_TOO_LARGE.
	MaxOutput int64
	// Client sends the requests of endpoints; nil means a client with http.DefaultTransport. Its redirect policy is not
	// used: tools follow redirects only on the same host.
	Client *http.Client
}

const (
	defaultMaxOutput = 8 << 20
	maxFile          = 16 << 20 // maximum size of a file in bytes
	maxTold          = 4 << 10  // bytes of standard error or of a response body in an error message
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

// Read parses the tools of a file of at most 16 MiB. It calls Parse with the folder of the file as Dir.
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
