package cloudauth

import (
	"fmt"
	"time"

	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/provider/auth/aws"
	"github.com/callwright/callwright/internal/provider/auth/azure"
	"github.com/callwright/callwright/internal/provider/auth/google"
)

// A Path is the path of a file. A relative path starts at the folder of the configuration, and ~/ at the user's home
// folder.
type Path string

// An Auth selects the cloud whose credentials replace the API key of a provider.
type Auth struct {
	AWS    *AWS    `json:"aws,omitempty" default:"none" jsonschema:"AWS credentials, which sign requests: from the environment, a profile, a web identity, a container or the machine"`
	Google *Google `json:"google,omitempty" default:"none" jsonschema:"Google Cloud credentials, from a file or the machine"`
	Azure  *Azure  `json:"azure,omitempty" default:"none" jsonschema:"Entra ID credentials: a client secret, a federated token or a managed identity"`
}

// An AWS selects the credentials of AWS that sign requests.
type AWS struct {
	Region  string `json:"region,omitempty" default:"AWS_REGION, AWS_DEFAULT_REGION, or the region of the profile" example:"eu-central-1" jsonschema:"the region; it is also part of the address"`
	Profile string `json:"profile,omitempty" default:"AWS_PROFILE, or default" jsonschema:"the profile in the AWS files; it takes precedence over credentials in the environment"`
	Role    string `json:"role,omitempty" default:"none" example:"arn:aws:iam::123456789012:role/models" jsonschema:"a role to assume with these credentials"`
}

// A Google selects the credentials of Google Cloud for requests.
type Google struct {
	Project     string `json:"project,omitempty" default:"GOOGLE_CLOUD_PROJECT, or the project of the file" jsonschema:"the project; it is also part of the address"`
	Location    string `json:"location,omitempty" default:"GOOGLE_CLOUD_LOCATION, CLOUD_ML_REGION, or global" example:"europe-west1" jsonschema:"the location of the models; it is also part of the address"`
	Credentials Path   `json:"credentials,omitempty" default:"GOOGLE_APPLICATION_CREDENTIALS, or the file of gcloud" example:"service-account.json" jsonschema:"a credentials file of a service account, a user or a federated identity"`
}

// An Azure selects the identity of Microsoft Entra ID for requests.
type Azure struct {
	Tenant    string          `json:"tenant,omitempty" default:"AZURE_TENANT_ID" jsonschema:"the tenant ID"`
	Client    string          `json:"client,omitempty" default:"AZURE_CLIENT_ID" jsonschema:"the client ID; on a machine with several managed identities, it selects one"`
	Secret    provider.Secret `json:"secret,omitempty" default:"AZURE_CLIENT_SECRET" jsonschema:"the client secret, env:NAME or file:PATH"`
	TokenFile Path            `json:"token_file,omitempty" default:"AZURE_FEDERATED_TOKEN_FILE" jsonschema:"the file with the token of a federated identity. It is read for every token request"`
	Scope     string          `json:"scope,omitempty" default:"https://cognitiveservices.azure.com/.default" jsonschema:"the OAuth scope of the token"`
}

// A KeyCommand is a program that prints the API key of a provider.
type KeyCommand struct {
	Command   []string      `json:"command,omitempty" jsonschema:"the program and its arguments as a list, without a shell"`
	ExpiresIn time.Duration `json:"expires_in,omitempty" default:"10m" jsonschema:"how long a key is used, unless the program states its expiry"`
}

// Clouds returns the clouds for which a has settings. A valid Auth has at most one.
func (a *Auth) Clouds() (clouds []provider.Cloud) {
	for _, c := range []struct {
		cloud provider.Cloud
		said  bool
	}{{provider.AWS, a.AWS != nil}, {provider.Google, a.Google != nil}, {provider.Azure, a.Azure != nil}} {
		if c.said {
			clouds = append(clouds, c.cloud)
		}
	}
	return clouds
}

// Spec returns the configured credentials of a cloud. place is the path of the provider in the configuration. reveal
// returns the text of a secret.
func (a *Auth) Spec(place string, cloud provider.Cloud, reveal func(provider.Secret) (string, error)) Spec {
	s := Spec{Place: place + ".auth." + string(cloud), Cloud: cloud}
	if a := a.AWS; a != nil {
		s.AWS = aws.Config{Region: a.Region, Profile: a.Profile, Role: a.Role}
	}
	if g := a.Google; g != nil {
		s.Google = google.Config{Project: g.Project, Location: g.Location, Credentials: string(g.Credentials)}
	}
	if a := a.Azure; a != nil {
		s.Azure = azure.Config{Tenant: a.Tenant, Client: a.Client, TokenFile: string(a.TokenFile), Scope: a.Scope}
		if !a.Secret.Empty() {
			s.Azure.Secret = func() (string, error) { return reveal(a.Secret) }
		}
	}
	return s
}

// A Fault is an error in the setting Setting, a path below the provider.
type Fault struct{ Setting, Text string }

// Check returns the errors in a provider's credentials. written reports whether the key auth is present. keyed reports
// whether the provider also has an API key. command is its command for the key, or nil.
func (a *Auth) Check(written, keyed bool, command *KeyCommand) (faults []Fault) {
	said := a.Clouds()
	add := func(setting, format string, args ...any) {
		faults = append(faults, Fault{setting, fmt.Sprintf(format, args...)})
	}
	switch {
	case written && len(said) == 0:
		add("auth", "expected aws, google or azure, got none: auth: {aws: {}} uses the same credentials as AWS's own programs")
	case len(said) > 1:
		add("auth", "expected one of aws, google and azure, got %s and %s: remove one", said[0], said[1])
	case len(said) == 1 && keyed:
		add("api_key", "auth already sets the credentials: remove auth or api_key")
	}
	if command != nil && (len(command.Command) == 0 || command.Command[0] == "") {
		add("api_key", "expected command, the program that prints the key: {command: [prog, args]}")
	}
	if a := a.Azure; a != nil && !a.Secret.Empty() && a.TokenFile != "" {
		add("auth.azure.token_file", "secret is already set: remove secret or token_file")
	}
	return faults
}
