// Package cloudauth creates the source of a cloud's credentials from the configuration.
package cloudauth

import (
	"cmp"
	"log/slog"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/provider/auth"
	"github.com/callwright/callwright/internal/provider/auth/aws"
	"github.com/callwright/callwright/internal/provider/auth/azure"
	"github.com/callwright/callwright/internal/provider/auth/command"
	"github.com/callwright/callwright/internal/provider/auth/google"
)

// A Spec describes the cloud credentials for requests. Place is the path of the setting, for error messages. Of AWS,
// Google and Azure, only the field for Cloud is used.
type Spec struct {
	Place  string
	Cloud  provider.Cloud
	AWS    aws.Config
	Google google.Config
	Azure  azure.Config
	Env    func(name string) (value string, ok bool)
	Now    func() time.Time // nil for time.Now
}

// fill copies Place, Env and Now to the configuration of each cloud.
func (s *Spec) fill() {
	s.AWS.Place, s.AWS.Env, s.AWS.Now = s.Place, s.Env, s.Now
	s.Google.Place, s.Google.Env, s.Google.Now = s.Place, s.Env, s.Now
	s.Azure.Place, s.Azure.Env, s.Azure.Now = s.Place, s.Env, s.Now
}

// New creates the source of credentials for s. It sends no request. The error names the missing setting.
func New(s Spec) (provider.Authorizer, error) {
	s.fill()
	switch s.Cloud {
	case provider.AWS:
		a, err := aws.New(s.AWS)
		return orNil(a, err)
	case provider.Google:
		a, err := google.New(s.Google)
		return orNil(a, err)
	}
	a, err := azure.New(s.Azure)
	return orNil(a, err)
}

// orNil returns a nil interface if err is not nil. It prevents an interface that contains a nil pointer.
func orNil(a provider.Authorizer, err error) (provider.Authorizer, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}

// Vars returns the variables of the address of the cloud's models, such as the region and the project. The error names
// the missing setting.
func Vars(s Spec) (map[string]string, error) {
	s.fill()
	switch s.Cloud {
	case provider.AWS:
		return aws.Vars(s.AWS)
	case provider.Google:
		return google.Vars(s.Google)
	}
	endpoint, _ := s.Env("AZURE_OPENAI_ENDPOINT")
	if endpoint = strings.TrimRight(strings.TrimSpace(endpoint), "/"); endpoint == "" {
		place, _, _ := strings.Cut(s.Place, ".auth")
		return nil, auth.Missing(place+".base_url",
			"AZURE_OPENAI_ENDPOINT is not set: set base_url, or export AZURE_OPENAI_ENDPOINT=https://RESOURCE.openai.azure.com")
	}
	return map[string]string{"resource": endpoint}, nil
}

// A Command is a program that prints the API key of a provider.
type Command struct {
	Place string
	Args  []string
	Life  time.Duration // how long a key is used if the program prints no expiry; 0 for the default
	Auth  provider.Auth // the header in which the key is sent
	Now   func() time.Time
	Log   *slog.Logger // receives the standard error of a program that failed; nil: the error contains it
}

// NewCommand creates a source of credentials that sends the API key that a program prints.
func NewCommand(c Command) provider.Authorizer {
	return command.New(command.Config{Place: c.Place, Args: c.Args, Life: c.Life,
		Header: cmp.Or(c.Auth, provider.Bearer).Header, Now: c.Now, Log: c.Log})
}
