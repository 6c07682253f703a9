// Package cloudauth makes the source of a cloud's credentials from a configuration.
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

// A Spec says whose credentials requests have. Place is the setting, in errors. Of the others that of the cloud counts.
type Spec struct {
	Place  string
	Cloud  provider.Cloud
	AWS    aws.Config
	Google google.Config
	Azure  azure.Config
	Env    func(name string) (value string, ok bool)
	Now    func() time.Time // nil for time.Now
}

// fill gives the parts of a Spec their shared settings.
func (s *Spec) fill() {
	s.AWS.Place, s.AWS.Env, s.AWS.Now = s.Place, s.Env, s.Now
	s.Google.Place, s.Google.Env, s.Google.Now = s.Place, s.Env, s.Now
	s.Azure.Place, s.Azure.Env, s.Azure.Now = s.Place, s.Env, s.Now
}

// New makes an authorizer of requests. It makes no request itself. The error names the missing setting.
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

// orNil keeps a pointer that is nil from becoming an interface that is not.
func orNil(a provider.Authorizer, err error) (provider.Authorizer, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}

// Vars returns the parts of the addresses of the cloud's models. The error names the missing setting.
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

// A Command is a program that prints the key of a provider.
type Command struct {
	Place string
	Args  []string
	Life  time.Duration // how long a key is used of which the program does not say it, 0 for the default
	Auth  provider.Auth // how the key is sent
	Now   func() time.Time
	Log   *slog.Logger // gets what a program that failed wrote to its standard error; nil: the error has it
}

// NewCommand makes an authorizer of requests by the key that a program prints.
func NewCommand(c Command) provider.Authorizer {
	return command.New(command.Config{Place: c.Place, Args: c.Args, Life: c.Life,
		Header: cmp.Or(c.Auth, provider.Bearer).Header, Now: c.Now, Log: c.Log})
}
