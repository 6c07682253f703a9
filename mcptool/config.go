package mcptool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Config contains the settings of an MCP server. Exactly one of Command and URL must be set.
type Config struct {
	// Name is the prefix of the tool names, as in "files:read": up to 32 letters, digits, '_', '-' and '.'. If it is
	// empty, the server's own name is used.
	Name string

	Command []string // the program and its arguments
	// Env is the environment of the program. An element is "NAME=value", or "NAME" for the value in this process. In
	// addition the program inherits only PATH and the home and temporary folders.
	Env []string
	Dir string // working folder of the program; empty: that of this process

	URL    string       // of a server with the streamable HTTP transport
	Header http.Header  // sent with each request to the host of URL, not after redirects to others
	Client *http.Client // HTTP client, nil for a default; its Timeout would end streams

	// Timeout limits the time until a server has started and listed its tools; 0 means 30 seconds.
	Timeout time.Duration
	// OnProgress receives the progress of a tool's call: done of total, or done alone if total is 0. Observers of the
	// agent's run receive the progress too. OnProgress must return quickly. It is called concurrently, and possibly
	// shortly after the end of the call. It may be nil.
	OnProgress func(tool, message string, done, total float64)
	// Elicit asks a person for input that a server requests. message is the text to show. schema is a JSON Schema of a
	// flat object, or null if the server only needs a confirmation. Elicit returns the action "accept" with an object that
	// satisfies the schema, "decline", or "cancel" if the person chose neither. It is called concurrently. ctx is canceled
	// when the server no longer waits. The waiting time counts as time of the call. If Elicit is nil, servers are informed
	// that input is not available.
	Elicit func(ctx context.Context, server, message string, schema json.RawMessage) (action string, content json.RawMessage, err error)
}

const (
	defaultTimeout = 30 * time.Second
	maxServerName  = 32
)

func (c Config) timeout() time.Duration { return cmp.Or(c.Timeout, defaultTimeout) }

// maxStarted is the maximum length in bytes of a command line in an error message.
const maxStarted = 300

// describeServer returns the server's name and its command or URL, for messages to the person who configured it. Models
// only receive the name, because a command may contain secrets.
func (c Config) describeServer() string {
	what := c.URL
	if what == "" {
		what = strings.Join(c.Command, " ")
	}
	what = strconv.Quote(jsonx.Clip(what, maxStarted))
	if c.Name != "" {
		return strconv.Quote(c.Name) + " (" + what + ")"
	}
	return what
}

func (c Config) check() error {
	switch {
	case c.Name != "" && cleanName(c.Name, maxServerName) != c.Name:
		return fmt.Errorf("expected a name of up to %d letters, digits, '_', '-' and '.', got %q", maxServerName, c.Name)
	case len(c.Command) > 0 && c.URL != "":
		return errors.New("expected a command or a URL, got both")
	case c.URL != "":
		return checkURL(c.URL)
	case len(c.Command) == 0 || c.Command[0] == "":
		return errors.New("expected a command or a URL, got neither")
	}
	return nil
}

func checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil {
		return err
	}
	if u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("expected a URL with http or https and a host, got %q", text)
	}
	return nil
}

// inherited are the environment variables that every MCP server process receives.
var inherited = []string{"PATH", "HOME", "USERPROFILE", "TMPDIR", "TEMP"}

// environ returns the environment of the MCP server process.
func (c Config) environ() []string {
	out := []string{} // not nil, which would inherit everything
	for _, entry := range append(inherited[:len(inherited):len(inherited)], c.Env...) {
		if strings.Contains(entry, "=") {
			out = append(out, entry)
		} else if value, ok := os.LookupEnv(entry); ok {
			out = append(out, entry+"="+value)
		}
	}
	return out
}
