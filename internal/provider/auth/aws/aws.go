// Package aws signs requests to models at Amazon Bedrock with Signature Version 4. The credentials are those of the
// default chain of AWS's SDKs: variables, the shared files of profiles, a web identity, a container, the role of the
// machine (https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html).
package aws

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/provider/auth"
)

// A Config names the credentials that sign, and the region. Empty fields are read from the variables and files that
// AWS's own SDKs read.
type Config struct {
	Place   string // the setting, in errors
	Region  string // AWS_REGION, AWS_DEFAULT_REGION, or that of the profile
	Profile string // AWS_PROFILE, or default
	Role    string // the role that is assumed with the credentials that were found
	// Env looks environment variables up.
	Env func(name string) (value string, ok bool)
	// Now is the source of time, nil for time.Now.
	Now func() time.Time
}

// A keys is an access key, with the token of its session where it has one.
type keys struct{ id, secret, session string }

// A Signer signs requests. It is safe for concurrent use.
type Signer struct {
	chain
	cache *auth.Cache[keys]
}

// New makes a Signer. It makes no request before a request is signed. The error names the missing setting. Call Close
// when it is no longer needed.
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

// Vars returns the part of the addresses of Bedrock: region. The error names the missing setting.
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

// service returns the name by which a host's requests are signed
// (https://docs.aws.amazon.com/bedrock/latest/userguide/endpoints.html).
func service(host string) string {
	if strings.HasPrefix(host, "bedrock-mantle.") {
		return "bedrock-mantle"
	}
	return "bedrock"
}

// Authorize signs a request with its body.
func (s *Signer) Authorize(ctx context.Context, req *http.Request, body []byte) error {
	k, err := s.cache.Get(ctx)
	if err != nil {
		return err
	}
	sign(req, body, k, s.region, service(req.URL.Hostname()), s.Now())
	return nil
}

// Renew is told that AWS refused a request, and reports whether there may be other credentials for the next try.
func (s *Signer) Renew(refused *http.Request) bool {
	return s.cache.Refuse(func(k keys) bool {
		return strings.Contains(refused.Header.Get("Authorization"), "Credential="+k.id+"/") && refused.Header.Get(sessionHeader) == k.session
	})
}

// Secrets returns the texts that no error may show.
func (s *Signer) Secrets() []string {
	var out []string
	for _, k := range s.cache.Values() {
		out = append(out, k.secret, k.session)
	}
	return out
}

// Describe names where the credentials are from.
func (s *Signer) Describe() string { return s.Source() }

// Close ends refreshes in the background.
func (s *Signer) Close() error { return s.cache.Close() }
