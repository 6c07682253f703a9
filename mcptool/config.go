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

// A Config has the settings of one server. Either Command or URL is set.
type Config struct {
	// Name stands before the names of the tools, as in "files:read": up to 32 letters, digits, '_', '-' and '.'. Empty:
	// the name that the server gives itself.
	Name string

	Command []string // the program and its arguments
	// Env are the environment variables of the program, as "NAME=value", or as "NAME" for the value in this process. The
	// program inherits no others but PATH, the home folder and the folder for temporary files.
	Env []string
	Dir string // of the program; empty: that of this process

	URL    string       // of a server that is reached over streamable HTTP
	Header http.Header  // sent with every request to the host of URL, and to no other
	Client *http.Client // makes the requests; nil: one of its own. A time limit of it would end streams

	// Timeout bounds the time in which a server starts and lists its tools; 0: 30 seconds.
	Timeout time.Duration
	// OnProgress is called with the progress of a call of a tool: done of total, where total is not zero. Watchers of the
	// run of an agent get the progress too. OnProgress must be quick. It is called concurrently, and may be called for a
	// moment after the call has ended. It may be nil.
	OnProgress func(tool, message string, done, total float64)
	// Elicit asks a person for the input that a server requests. message is the text for the person. schema is a JSON
	// Schema of a flat object, null where the server wants a confirmation alone. Elicit returns "accept" with an object
	// that satisfies the schema, "decline", or "cancel" where the person chose neither. It is called concurrently, and ctx
	// ends when the server no longer waits. Its time counts as time of the call. With a nil Elicit, servers are told that
	// nobody can be asked.
	Elicit func(ctx context.Context, server, message string, schema json.RawMessage) (action string, content json.RawMessage, err error)
}

const (
	defaultTimeout = 30 * time.Second
	maxServerName  = 32
)

func (c Config) timeout() time.Duration { return cmp.Or(c.Timeout, defaultTimeout) }

// maxStarted bounds the command line of an error.
const maxStarted = 300

// describeServer describes the server for the person who configured it: its name, and its command or address. Models
// get the name alone, since a command may have secrets among its arguments.
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

// inherited are the variables that every server gets.
var inherited = []string{"PATH", "HOME", "USERPROFILE", "TMPDIR", "TEMP"}

// environ returns the environment of the program.
func (c Config) environ() []string {
	out := []string{} // nil would be all of ours
	for _, entry := range append(inherited[:len(inherited):len(inherited)], c.Env...) {
		if strings.Contains(entry, "=") {
			out = append(out, entry)
		} else if value, ok := os.LookupEnv(entry); ok {
			out = append(out, entry+"="+value)
		}
	}
	return out
}
