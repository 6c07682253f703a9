// Package aws signs requests to models at Amazon Bedrock with Signature Version 4. It finds credentials like the
// default chain of the AWS SDKs: in environment variables, shared profile files, a web identity, a container, and the
// role of the machine (https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html).
package aws

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/provider/auth"
)

// A Config selects the credentials and the region. Empty fields have the values of the variables and files that the AWS
// SDKs read.
type Config struct {
	Place   string // path of the setting, for errors
	Region  string // default: AWS_REGION, AWS_DEFAULT_REGION, or the region of the profile
	Profile string // default: AWS_PROFILE, or "default"
	Role    string // role to assume with the credentials; "" for none
	// Env looks up environment variables.
	Env func(name string) (value string, ok bool)
	// Now returns the current time. Nil means time.Now.
	Now func() time.Time
}

// A keys is an access key, with a session token if it is temporary.
type keys struct{ id, secret, session string }

// A Signer signs requests to Bedrock. It is safe for concurrent use.
type Signer struct {
	chain
	cache *auth.Cache[keys]
}

// New creates a Signer. It sends no request before the first call of Authorize. The error names the missing setting.
// The caller must call Close.
func New(c Config) (*Signer, error) {
	vars, err := Vars(c)
	if err != nil {
		return nil, err
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	s := &Signer{chain: chain{Config: c, region: vars["region"], client: auth.NewClient(), local: auth.NewLocalClient()}}
	s.cache = auth.NewCache(s.fetch, c.Now)
	return s, nil
}

// Vars returns the variables of Bedrock's address: region. The error names the missing setting.
func Vars(c Config) (map[string]string, error) {
	region := cmp.Or(c.Region, c.env("AWS_REGION"), c.env("AWS_DEFAULT_REGION"))
	if region == "" {
		region = c.profiles()[c.profile()]["region"]
	}
	if region == "" {
		return nil, auth.Missing(c.Place+".region", "AWS_REGION is not set: set region, or export AWS_REGION=...")
	}
	return map[string]string{"region": region}, nil
}

func (c *Config) env(name string) string {
	v, _ := c.Env(name)
	return strings.TrimSpace(v)
}

func (c *Config) profile() string { return cmp.Or(c.Profile, c.env("AWS_PROFILE"), "default") }

// service returns the service name in the signatures of requests to a host
// (https://docs.aws.amazon.com/bedrock/latest/userguide/endpoints.html).
func service(host string) string {
	if strings.HasPrefix(host, "bedrock-mantle.") {
		return "bedrock-mantle"
	}
	return "bedrock"
}

// Authorize signs a request and its body.
func (s *Signer) Authorize(ctx context.Context, req *http.Request, body []byte) error {
	k, err := s.cache.Get(ctx)
	if err != nil {
		return err
	}
	sign(req, body, k, s.region, service(req.URL.Hostname()), s.Now())
	return nil
}

// Renew reports that AWS refused a request. It returns true if a retry may have other credentials.
func (s *Signer) Renew(refused *http.Request) bool {
	return s.cache.Refuse(func(k keys) bool {
		return strings.Contains(refused.Header.Get("Authorization"), "Credential="+k.id+"/") && refused.Header.Get(sessionHeader) == k.session
	})
}

// Secrets returns the texts that errors must not contain.
func (s *Signer) Secrets() []string {
	var out []string
	for _, k := range s.cache.Values() {
		out = append(out, k.secret, k.session)
	}
	return out
}

// Describe returns the source of the credentials for people.
func (s *Signer) Describe() string { return s.Source() }

// Close stops background renewals of credentials.
func (s *Signer) Close() error { return s.cache.Close() }
