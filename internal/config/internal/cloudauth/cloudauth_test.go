package cloudauth_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config/internal/cloudauth"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/provider/auth/authtest"
	"github.com/callwright/callwright/internal/provider/auth/aws"
	"github.com/callwright/callwright/internal/provider/auth/azure"
	"github.com/callwright/callwright/internal/provider/auth/google"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A stage is where a kind of credentials is tested: services that give them, a provider that verifies them, and an environment.
type stage struct {
	*testing.T
	*authtest.Issuer
	dir, url string // of files, and of the services
	env      map[string]string
	aws      *authtest.AWS
	google   *authtest.Google
	azure    *authtest.Azure
	changed  func() // changes what is not given by a service, where the provider ends it
}

func newStage(t *testing.T, life time.Duration) *stage {
	clock := authtest.NewClock(time.Now().Truncate(time.Second))
	s := &stage{T: t, Issuer: authtest.NewIssuer(clock, life), dir: t.TempDir(), env: map[string]string{}}
	s.aws, s.google, s.azure = &authtest.AWS{Issuer: s.Issuer}, authtest.NewGoogle(t, s.Issuer), &authtest.Azure{Issuer: s.Issuer}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/google/"):
			http.StripPrefix("/google", s.google).ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, "/computeMetadata/"):
			s.google.ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, "/azure/"):
			http.StripPrefix("/azure", s.azure).ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, "/msi/"), strings.HasPrefix(r.URL.Path, "/metadata/"):
			s.azure.ServeHTTP(w, r)
		default:
			s.aws.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(srv.Close)
	s.url = srv.URL
	for name, value := range map[string]string{"HOME": s.dir, "AWS_CONFIG_FILE": filepath.Join(s.dir, "config"), "AWS_SHARED_CREDENTIALS_FILE": filepath.Join(s.dir, "credentials"),
		"AWS_EC2_METADATA_DISABLED": "true", "AWS_REGION": "eu-north-1", "AWS_ENDPOINT_URL_STS": s.url, "AWS_PROFILE": "", "AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""} {
		s.set(name, value)
	}
	return s
}

func (s *stage) set(name, value string) {
	s.env[name] = value
}

func (s *stage) lookup(name string) (string, bool) { v, ok := s.env[name]; return v, ok && v != "" }

func (s *stage) write(name, text string) string {
	s.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil { // nobody reads a half of it
		s.Fatal(err)
	}
	return path
}

// A kind is a kind of credentials.
type kind struct {
	cloud  provider.Cloud
	name   string
	source string // a part of what it is called
	// fixed says that the credentials cannot be renewed.
	fixed bool
	set   func(s *stage) cloudauth.Spec
}

const staticKeys = "aws_access_key_id = " + authtest.StaticKey + "\naws_secret_access_key = " + authtest.AWSSecret + "\n"

var kinds = []kind{
	{provider.AWS, "environment", "AWS_ACCESS_KEY_ID", true, func(s *stage) (c cloudauth.Spec) {
		s.set("AWS_ACCESS_KEY_ID", authtest.StaticKey)
		s.set("AWS_SECRET_ACCESS_KEY", authtest.AWSSecret)
		return c
	}},
	{provider.AWS, "default profile", "the profile default", true, func(s *stage) (c cloudauth.Spec) {
		s.write("credentials", "[default]\n"+staticKeys)
		return c
	}},
	{provider.AWS, "named profile", "the profile work", true, func(s *stage) cloudauth.Spec {
		s.write("config", "[profile work]\nregion = eu-west-3\n"+staticKeys)
		return cloudauth.Spec{AWS: aws.Config{Profile: "work"}}
	}},
	{provider.AWS, "role", "by which the role arn:aws:iam::1:role/m is assumed", false, func(s *stage) cloudauth.Spec {
		s.write("credentials", "[default]\n"+staticKeys)
		return cloudauth.Spec{AWS: aws.Config{Role: "arn:aws:iam::1:role/m"}}
	}},
	{provider.AWS, "role of a profile", "the profile work", false, func(s *stage) cloudauth.Spec {
		s.write("config", "[default]\nregion = eu-west-3\n\n# the roles\n[profile work]\nrole_arn = arn:aws:iam::1:role/m ; of models\nsource_profile=base\ns3 =\n  max_concurrent_requests = 20\n")
		s.write("credentials", "[base]\n"+staticKeys)
		return cloudauth.Spec{AWS: aws.Config{Profile: "work"}}
	}},
	{provider.AWS, "role with keys of the environment", "the profile work", false, func(s *stage) (c cloudauth.Spec) {
		s.write("config", "[profile work]\nrole_arn = arn:aws:iam::1:role/m\ncredential_source = Environment\n")
		s.set("AWS_PROFILE", "work")
		c.AWS.Profile = "work"
		s.set("AWS_ACCESS_KEY_ID", authtest.StaticKey)
		s.set("AWS_SECRET_ACCESS_KEY", authtest.AWSSecret)
		return c
	}},
	{provider.AWS, "program", "the profile default", true, func(s *stage) (c cloudauth.Spec) {
		s.write("out.json", `{"Version":1,"AccessKeyId":"`+authtest.StaticKey+`","SecretAccessKey":"`+authtest.AWSSecret+`"}`)
		s.write("config", "[default]\ncredential_process = cat "+filepath.Join(s.dir, "out.json")+"\n")
		return c
	}},
	{provider.AWS, "single sign-on", "the profile default", false, func(s *stage) (c cloudauth.Spec) {
		s.set("AWS_ENDPOINT_URL_SSO", s.url)
		s.write("config", "[default]\nsso_session = corp\nsso_account_id = 123456789012\nsso_role_name = Models\n\n[sso-session corp]\nsso_region = eu-west-3\nsso_start_url = https://corp.test\n")
		if err := os.MkdirAll(filepath.Join(s.dir, "sso", "cache"), 0o700); err != nil {
			s.Fatal(err)
		}
		// the SHA-1 of corp
		s.write("sso/cache/ee0bfd2552fbd840c02cc48b6e823320543c450f.json", `{"accessToken":"`+authtest.SignOnToken+`","expiresAt":"`+s.Clock.Now().Add(8*time.Hour).Format(time.RFC3339)+`"}`)
		return c
	}},
	{provider.AWS, "web identity", "the web identity in ", false, func(s *stage) (c cloudauth.Spec) {
		s.set("AWS_WEB_IDENTITY_TOKEN_FILE", s.write("token", s.AcceptSubjectToken(authtest.Canary+"-oidc")))
		s.set("AWS_ROLE_ARN", "arn:aws:iam::1:role/m")
		s.changed = func() {
			s.write("token", s.AcceptSubjectToken(fmt.Sprintf("%s-oidc-%d", authtest.Canary, s.TokenCount())))
		}
		return c
	}},
	{provider.AWS, "container", "the role of the container", false, func(s *stage) (c cloudauth.Spec) {
		s.aws.ContainerToken = authtest.Canary + "-container"
		s.set("AWS_CONTAINER_CREDENTIALS_FULL_URI", s.url+"/container")
		s.set("AWS_CONTAINER_AUTHORIZATION_TOKEN", s.aws.ContainerToken)
		return c
	}},
	{provider.AWS, "machine", "the role of the machine", false, func(s *stage) (c cloudauth.Spec) {
		s.set("AWS_EC2_METADATA_DISABLED", "false")
		s.set("AWS_EC2_METADATA_SERVICE_ENDPOINT", s.url)
		return c
	}},
	{provider.Google, "service account", "the service account models@", false, func(s *stage) cloudauth.Spec {
		return cloudauth.Spec{Google: google.Config{Credentials: s.write("key.json", s.google.File("service_account", s.url+"/google"))}}
	}},
	{provider.Google, "login of gcloud", "the login of gcloud in ", false, func(s *stage) (c cloudauth.Spec) {
		if err := os.MkdirAll(filepath.Join(s.dir, ".config", "gcloud"), 0o700); err != nil {
			s.Fatal(err)
		}
		s.write(".config/gcloud/application_default_credentials.json", s.google.File("authorized_user", s.url+"/google"))
		return c
	}},
	{provider.Google, "federated identity", "the federated identity in ", false, func(s *stage) (c cloudauth.Spec) {
		s.google.TokenFile = s.write("token", s.AcceptSubjectToken(authtest.Canary+"-oidc"))
		s.set("GOOGLE_APPLICATION_CREDENTIALS", s.write("adc.json", s.google.File("external_account", s.url+"/google")))
		s.changed = func() {
			s.write("token", s.AcceptSubjectToken(fmt.Sprintf("%s-oidc-%d", authtest.Canary, s.TokenCount())))
		}
		return c
	}},
	{provider.Google, "machine", "the metadata server", false, func(s *stage) (c cloudauth.Spec) {
		s.set("GCE_METADATA_HOST", strings.TrimPrefix(s.url, "http://"))
		return c
	}},
	{provider.Azure, "client secret", "the client secret of client-1", false, func(s *stage) cloudauth.Spec {
		s.set("AZURE_AUTHORITY_HOST", s.url+"/azure/")
		return cloudauth.Spec{Azure: azure.Config{Tenant: "tenant-1", Client: "client-1", Secret: func() (string, error) { return authtest.AzureSecret, nil }}}
	}},
	{provider.Azure, "client secret of the environment", "the client secret of client-1", false, func(s *stage) (c cloudauth.Spec) {
		s.set("AZURE_AUTHORITY_HOST", s.url+"/azure")
		s.set("AZURE_TENANT_ID", "tenant-1")
		s.set("AZURE_CLIENT_ID", "client-1")
		s.set("AZURE_CLIENT_SECRET", authtest.AzureSecret)
		return c
	}},
	{provider.Azure, "federated token", "the federated token in ", false, func(s *stage) (c cloudauth.Spec) {
		s.set("AZURE_AUTHORITY_HOST", s.url+"/azure")
		s.set("AZURE_TENANT_ID", "tenant-1")
		s.set("AZURE_CLIENT_ID", "client-1")
		s.set("AZURE_FEDERATED_TOKEN_FILE", s.write("token", s.AcceptSubjectToken(authtest.Canary+"-oidc")))
		s.changed = func() {
			s.write("token", s.AcceptSubjectToken(fmt.Sprintf("%s-oidc-%d", authtest.Canary, s.TokenCount())))
		}
		return c
	}},
	{provider.Azure, "machine", "the managed identity of the machine", false, func(s *stage) (c cloudauth.Spec) {
		s.set("AZURE_POD_IDENTITY_AUTHORITY_HOST", s.url)
		return c
	}},
	{provider.Azure, "App Service", "the managed identity of App Service", false, func(s *stage) (c cloudauth.Spec) {
		s.set("IDENTITY_ENDPOINT", s.url+"/msi/token")
		s.set("IDENTITY_HEADER", authtest.AzureIdentityHeader)
		return c
	}},
}

// verify reports why a provider does not take the credentials of a request.
func (s *stage) verify(c provider.Cloud, r *http.Request, body []byte) error {
	if c == provider.AWS {
		return s.aws.CheckSignature(r, body, "bedrock")
	}
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok || !s.IsValid(token) {
		return fmt.Errorf("the token %s has ended", token)
	}
	return nil
}

// A host is a provider that verifies credentials, and ends all of them before a request with a number.
type host struct {
	s     *stage
	cloud provider.Cloud
	ends  atomic.Int64
	tick  time.Duration // how far each request moves the clock
	// refuses has it take no credentials at all.
	refuses bool
	n       atomic.Int64

	mu    sync.Mutex
	paths map[string]int
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	h.s.Clock.Add(h.tick)
	if n := h.n.Add(1); n == h.ends.Load() {
		h.s.Clock.Add(11 * time.Second)
		if h.s.changed != nil {
			h.s.changed()
		}
		h.s.Revoke()
	}
	h.mu.Lock()
	h.paths[r.URL.Path]++
	h.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	err = h.s.verify(h.cloud, r, body)
	if h.refuses {
		err = errors.New("nobody may")
	}
	if err != nil {
		status := http.StatusUnauthorized
		if h.cloud == provider.AWS {
			status = http.StatusForbidden
		}
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{"message": err.Error() + " " + r.Header.Get("Authorization") + " " + r.Header.Get("X-Amz-Security-Token")}})
		return
	}
	fmt.Fprint(w, `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hi."},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`)
}

// start makes the provider of a kind, and a host for it.
func start(s *stage, k *kind, h *host) (*provider.Provider, provider.Authorizer) {
	s.Helper()
	spec := k.set(s)
	spec.Place, spec.Cloud, spec.Env, spec.Now = "providers.lab.auth."+string(k.cloud), k.cloud, s.lookup, s.Clock.Now
	a, err := cloudauth.New(spec)
	if err != nil {
		s.Fatal(err)
	}
	h.s, h.cloud, h.paths = s, k.cloud, map[string]int{}
	srv := httptest.NewServer(h)
	p, err := provider.New(provider.Config{Name: "lab", Path: "providers.lab", Wire: callwright.WireOpenAI, BaseURL: srv.URL + "/v1", Credentials: provider.Credentials{Authorizer: a, Cloud: k.cloud}, MaxRetries: new(int)})
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() {
		p.Close()
		_ = a.(io.Closer).Close()
		srv.Close()
	})
	return p, a
}

func question() *callwright.Request {
	return &callwright.Request{Model: "lab/m", Messages: []callwright.Message{callwright.UserText("Good day!")}}
}

// Each kind of credentials is taken by a provider that verifies them. Of 200 requests, 8 at once, none fails although credentials end by their time and
// are revoked before it: they are fetched before their end, and once more where the provider refuses them. Nothing shows a secret.
func TestKinds(t *testing.T) {
	for _, k := range kinds {
		t.Run(string(k.cloud)+"/"+k.name, func(t *testing.T) {
			s, h := newStage(t, 10*time.Minute), &host{tick: 5 * time.Second}
			p, a := start(s, &k, h)
			if got := a.Describe(); !strings.Contains(got, k.source) || p.Credentials() != got {
				t.Errorf("the source is %q", got)
			}
			if s.TokenCount() != 0 || len(s.aws.Requests()) != 0 {
				t.Error("something was asked before a request")
			}
			var renewed atomic.Int64
			for range 5 { // credentials are revoked in the middle of each
				var group sync.WaitGroup
				jobs := make(chan int)
				if !k.fixed {
					h.ends.Store(h.n.Load() + 20)
				}
				for range 8 {
					group.Go(func() {
						for range jobs {
							resp, err := p.Model("m").Generate(t.Context(), question())
							if err != nil {
								t.Errorf("a request failed: %v; %d credentials were given, %d requests sent", err, s.TokenCount(), h.n.Load())
								continue
							}
							for _, n := range resp.Report.Notes {
								if n.Rule == "transport.renewed_credentials" {
									renewed.Add(1)
								}
							}
							shows(t, resp.Report)
						}
					})
				}
				for i := range 40 {
					jobs <- i
				}
				close(jobs)
				group.Wait()
			}
			shows(t, p, a, a.Describe())
			if k.fixed {
				return
			}
			if n := s.TokenCount(); n < 6 || n > 12 {
				t.Errorf("%d credentials were given", n)
			}
			if n := renewed.Load(); n < 5 || n > 5*8 {
				t.Errorf("%d requests were sent again", n)
			}
		})
	}
}

// shows fails where a value shows a secret.
func shows(t *testing.T, values ...any) {
	t.Helper()
	for _, v := range values {
		for _, verb := range []string{"%v", "%+v", "%s"} {
			if text := fmt.Sprintf(verb, v); strings.Contains(text, authtest.Canary) {
				t.Errorf("a secret is shown: %.300s", text)
			}
		}
		if text, err := json.Marshal(v); err == nil && strings.Contains(string(text), authtest.Canary) {
			t.Errorf("a secret is shown: %.300s", text)
		}
	}
}

// A provider that refuses credentials for good is asked once more, not without end; the error names where they are from, and shows nothing of them.
func TestRefused(t *testing.T) {
	for _, k := range kinds {
		t.Run(string(k.cloud)+"/"+k.name, func(t *testing.T) {
			s, h := newStage(t, 10*time.Minute), &host{refuses: true}
			p, _ := start(s, &k, h)
			for range 3 {
				_, err := p.Model("m").Generate(t.Context(), question())
				e, ok := errors.AsType[*callwright.Error](err)
				if !ok || e.Kind != callwright.KindAuth && e.Kind != callwright.KindPermission {
					t.Fatalf("got %v", err)
				}
				shows(t, e.Error(), string(e.Body), e.Report)
				if e.Kind == callwright.KindAuth && !strings.Contains(e.Error(), "providers.lab: the provider does not accept the credentials of "+p.Credentials()) {
					t.Errorf("got %v", e)
				}
			}
			if n := h.n.Load(); n != 4 { // the first one twice
				t.Errorf("%d requests were sent for 3", n)
			}
		})
	}
}

// What is missing, and what a service refuses, is told with its setting and a remedy, and without secrets.
func TestMissing(t *testing.T) {
	for name, c := range map[string]struct {
		cloud provider.Cloud
		set   func(s *stage) cloudauth.Spec
		want  string // an error of New, or of a request behind "later: "
	}{
		"no region": {provider.AWS, func(s *stage) (c cloudauth.Spec) { s.set("AWS_REGION", ""); return c }, "providers.lab.auth.aws.region: AWS_REGION is not set: set region, or export AWS_REGION=..."},
		"no keys":   {provider.AWS, func(s *stage) (c cloudauth.Spec) { return c }, "later: providers.lab.auth.aws: no AWS credentials were found"},
		"no profile": {provider.AWS, func(s *stage) cloudauth.Spec { return cloudauth.Spec{AWS: aws.Config{Profile: "none"}} },
			"later: providers.lab.auth.aws.profile: there is no profile \"none\""},
		"sign-on ended": {provider.AWS, func(s *stage) (c cloudauth.Spec) {
			s.write("config", "[default]\nsso_start_url = https://corp.test\nsso_account_id = 1\n")
			return c
		}, "later: providers.lab.auth.aws.profile: the sign-in of the profile \"default\" has expired: run `aws sso login --profile default`"},
		"empty profile": {provider.AWS, func(s *stage) cloudauth.Spec {
			s.write("config", "[profile work]\nregion = eu-west-3\n")
			return cloudauth.Spec{AWS: aws.Config{Profile: "work"}}
		}, "later: providers.lab.auth.aws.profile: the profile \"work\" has no credentials: run `aws configure --profile work`"},
		"profiles in a circle": {provider.AWS, func(s *stage) cloudauth.Spec {
			s.write("config", "[profile a]\nrole_arn = x\nsource_profile = b\n[profile b]\nrole_arn = x\nsource_profile = a\n")
			return cloudauth.Spec{AWS: aws.Config{Profile: "a"}}
		}, "later: providers.lab.auth.aws.profile: the profile \"a\" is part of a cycle: correct source_profile"},
		"container elsewhere": {provider.AWS, func(s *stage) (c cloudauth.Spec) {
			s.set("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://other.test/creds")
			return c
		}, "later: providers.lab.auth.aws: AWS_CONTAINER_CREDENTIALS_FULL_URI must have https, or a host of the container"},
		"identity refused": {provider.AWS, func(s *stage) (c cloudauth.Spec) {
			s.set("AWS_WEB_IDENTITY_TOKEN_FILE", s.write("token", authtest.Canary+"-oidc"))
			s.set("AWS_ROLE_ARN", "arn:aws:iam::1:role/m")
			return c
		}, "later: providers.lab.auth.aws: the token service of AWS returned no credentials (status 403): InvalidIdentityToken: the token is none of ours"},
		"no such file": {provider.Google, func(s *stage) cloudauth.Spec {
			return cloudauth.Spec{Google: google.Config{Credentials: filepath.Join(s.dir, "none.json")}}
		},
			"providers.lab.auth.google.credentials: "},
		"another file": {provider.Google, func(s *stage) cloudauth.Spec {
			return cloudauth.Spec{Google: google.Config{Credentials: s.write("key.json", `{"private_key":"`+authtest.Canary+`"}`)}}
		}, "expected a Google credentials file, in JSON with a type such as service_account"},
		"key refused": {provider.Google, func(s *stage) cloudauth.Spec {
			other := authtest.NewGoogle(s.T, s.Issuer)
			return cloudauth.Spec{Google: google.Config{Credentials: s.write("key.json", other.File("service_account", s.url+"/google"))}}
		}, "later: providers.lab.auth.google: Google returned no token: invalid_grant: the signature is wrong"},
		"login ended": {provider.Google, func(s *stage) cloudauth.Spec {
			text := strings.Replace(s.google.File("authorized_user", s.url+"/google"), authtest.RefreshToken, authtest.Canary+"-ended", 1)
			return cloudauth.Spec{Google: google.Config{Credentials: s.write("adc.json", text)}}
		}, "later: providers.lab.auth.google: Google returned no token: invalid_grant: the refresh token [redacted] has ended: renew the credentials"},
		"no metadata server": {provider.Google, func(s *stage) (c cloudauth.Spec) { s.set("GCE_METADATA_HOST", "127.0.0.1:1"); return c }, "later: providers.lab.auth.google: there is no credentials file, and no metadata server answers (connection refused)"},
		"no tenant": {provider.Azure, func(s *stage) cloudauth.Spec {
			return cloudauth.Spec{Azure: azure.Config{Secret: func() (string, error) { return "x", nil }}}
		}, "providers.lab.auth.azure.tenant: AZURE_TENANT_ID is not set: set tenant, or export AZURE_TENANT_ID=..."},
		"no client": {provider.Azure, func(s *stage) cloudauth.Spec { return cloudauth.Spec{Azure: azure.Config{Tenant: "t", TokenFile: "f"}} },
			"providers.lab.auth.azure.client: AZURE_CLIENT_ID is not set: set client, or export AZURE_CLIENT_ID=..."},
		"secret refused": {provider.Azure, func(s *stage) cloudauth.Spec {
			s.set("AZURE_AUTHORITY_HOST", s.url+"/azure")
			return cloudauth.Spec{Azure: azure.Config{Tenant: "tenant-1", Client: "client-1", Secret: func() (string, error) { return authtest.Canary + "-old", nil }}}
		}, "later: providers.lab.auth.azure: Entra ID returned no token (status 401): invalid_client: AADSTS7000215: the secret [redacted] is wrong"},
		"no identity": {provider.Azure, func(s *stage) (c cloudauth.Spec) {
			s.set("AZURE_POD_IDENTITY_AUTHORITY_HOST", "http://127.0.0.1:1")
			return c
		},
			"later: providers.lab.auth.azure: the managed identity returned no token: connection refused: does this machine have a managed identity?"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, time.Hour)
			spec := c.set(s)
			spec.Place, spec.Cloud, spec.Env = "providers.lab.auth."+string(c.cloud), c.cloud, s.lookup
			a, err := cloudauth.New(spec)
			want, later := strings.CutPrefix(c.want, "later: ")
			if later {
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = a.(io.Closer).Close() }()
				var p *provider.Provider
				p, err = provider.New(provider.Config{Name: "lab", Path: "providers.lab", Wire: callwright.WireOpenAI, BaseURL: "http://127.0.0.1:1/v1", Credentials: provider.Credentials{Authorizer: a}, MaxRetries: new(int)})
				if err != nil {
					t.Fatal(err)
				}
				defer p.Close()
				_, err = p.Model("m").Generate(t.Context(), question())
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v\nwant %s", err, want)
			}
			shows(t, err)
		})
	}
}

// A service of credentials that fails now, or has too many requests, may give some later: the error is none of the credentials.
func TestServiceAway(t *testing.T) {
	away := http.StatusOK
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(away) }))
	defer service.Close()
	for name, c := range map[string]struct {
		cloud provider.Cloud
		set   func(s *stage) cloudauth.Spec
	}{
		"container": {provider.AWS, func(s *stage) (c cloudauth.Spec) {
			s.set("AWS_CONTAINER_CREDENTIALS_FULL_URI", service.URL)
			return c
		}},
		"token service": {provider.AWS, func(s *stage) (c cloudauth.Spec) {
			s.set("AWS_WEB_IDENTITY_TOKEN_FILE", s.write("token", "t"))
			s.set("AWS_ROLE_ARN", "arn:aws:iam::1:role/m")
			s.set("AWS_ENDPOINT_URL_STS", service.URL)
			return c
		}},
		"managed identity": {provider.Azure, func(s *stage) (c cloudauth.Spec) {
			s.set("AZURE_POD_IDENTITY_AUTHORITY_HOST", service.URL)
			return c
		}},
	} {
		for _, away = range []int{http.StatusServiceUnavailable, http.StatusTooManyRequests} {
			s := newStage(t, time.Hour)
			spec := c.set(s)
			spec.Place, spec.Cloud, spec.Env = "auth", c.cloud, s.lookup
			a, err := cloudauth.New(spec)
			if err != nil {
				t.Fatal(err)
			}
			req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://lab.test/", http.NoBody)
			if err := a.Authorize(t.Context(), req, nil); callwright.KindOf(err) != callwright.KindUnavailable {
				t.Errorf("%s, status %d: got the kind %q of %v", name, away, callwright.KindOf(err), err)
			}
			_ = a.(io.Closer).Close()
		}
	}
}
