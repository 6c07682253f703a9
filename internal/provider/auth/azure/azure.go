// Package azure obtains tokens of Microsoft Entra ID for models at Azure, by a client secret, by a token of a federated
// identity, or by the managed identity of the machine or app.
package azure

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/boundedfile"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/provider/auth"
	"github.com/callwright/callwright/internal/redact"
)

const (
	// DefaultScope is the scope of tokens for models
	// (https://learn.microsoft.com/azure/ai-foundry/openai/how-to/managed-identity).
	DefaultScope = "https://cognitiveservices.azure.com/.default"

	defaultAuthority = "https://login.microsoftonline.com"
	defaultMetadata  = "http://169.254.169.254"

	assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
	maxTokenFile  = 64 << 10
)

// A Config selects the identity that requests tokens. Empty fields have the values of the variables that the Azure SDKs
// read.
type Config struct {
	Place  string // path of the setting, for errors
	Tenant string // default: AZURE_TENANT_ID
	Client string // default: AZURE_CLIENT_ID
	// Secret returns the client secret, or "" for none. Nil means AZURE_CLIENT_SECRET.
	Secret func() (string, error)
	// TokenFile is the path of a file with the token of a federated identity. The default is AZURE_FEDERATED_TOKEN_FILE.
	TokenFile string
	Scope     string // default: DefaultScope
	// Env looks up environment variables.
	Env func(name string) (value string, ok bool)
	// Now returns the current time. Nil means time.Now.
	Now func() time.Time
}

// A source is a source of tokens: its description, and the function that obtains a token.
type source struct {
	name  string
	fetch func(ctx context.Context) (auth.ExpiringCredential[string], error)
}

// New creates a source of credentials. It sends no request before the first token is needed. The error names the
// missing setting.
func New(c Config) (*auth.Token, error) {
	f := &fetcher{Config: c, client: auth.NewClient()}
	if f.Now == nil {
		f.Now = time.Now
	}
	f.Tenant, f.Client, f.Scope = cmp.Or(c.Tenant, f.env("AZURE_TENANT_ID")), cmp.Or(c.Client, f.env("AZURE_CLIENT_ID")),
		cmp.Or(c.Scope, DefaultScope)
	f.TokenFile = cmp.Or(c.TokenFile, f.env("AZURE_FEDERATED_TOKEN_FILE"))
	s, err := f.source()
	if err != nil {
		return nil, err
	}
	return auth.NewToken(auth.TokenConfig{Source: s.name, Header: auth.Bearer, Fetch: s.fetch, Hidden: f.hiddenTexts, Now: f.Now}), nil
}

// A fetcher requests tokens.
type fetcher struct {
	Config
	client *http.Client
}

func (f *fetcher) env(name string) string {
	v, _ := f.Env(name)
	return strings.TrimSpace(v)
}

// source returns the source of tokens: the configured one, else one from the environment.
func (f *fetcher) source() (source, error) {
	secret := f.env("AZURE_CLIENT_SECRET") != ""
	switch {
	case f.Config.Secret != nil, secret && f.Config.TokenFile == "":
		if f.Config.Secret == nil {
			f.Config.Secret = func() (string, error) { return f.env("AZURE_CLIENT_SECRET"), nil }
		}
		return source{"the client secret of " + cmp.Or(f.Client, "no client"), f.bySecret}, f.hasClient()
	case f.TokenFile != "":
		return source{"the federated token in " + f.TokenFile, f.byFile}, f.hasClient()
	case f.env("IDENTITY_ENDPOINT") != "":
		return source{"the managed identity of App Service", f.byAppService}, nil
	}
	return source{"the managed identity of the machine", f.byMachine}, nil
}

// hasClient returns an error if the tenant or the client is missing.
func (f *fetcher) hasClient() error {
	switch {
	case f.Tenant == "":
		return auth.Missing(f.Place+".tenant", "AZURE_TENANT_ID is not set: set tenant, or export AZURE_TENANT_ID=...")
	case f.Client == "":
		return auth.Missing(f.Place+".client", "AZURE_CLIENT_ID is not set: set client, or export AZURE_CLIENT_ID=...")
	}
	return nil
}

// hiddenTexts returns the texts that errors must not contain.
func (f *fetcher) hiddenTexts() []string {
	var out []string
	if f.Config.Secret != nil {
		if s, err := f.Config.Secret(); err == nil {
			out = append(out, s)
		}
	}
	return append(out, f.env("IDENTITY_HEADER"))
}

// bySecret requests a token with the client secret
// (https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow).
func (f *fetcher) bySecret(ctx context.Context) (auth.ExpiringCredential[string], error) {
	secret, err := f.Config.Secret()
	if err != nil {
		return auth.ExpiringCredential[string]{}, auth.Missing(f.Place+".secret", "%v", err)
	}
	return f.asClient(ctx, secret, url.Values{"client_secret": {secret}})
}

// byFile requests a token with the federated token in TokenFile
// (https://learn.microsoft.com/azure/aks/workload-identity-overview). It reads the file at every call, since the file
// is rewritten before the token expires.
func (f *fetcher) byFile(ctx context.Context) (auth.ExpiringCredential[string], error) {
	text, err := boundedfile.Read(f.TokenFile, maxTokenFile)
	if err != nil {
		return auth.ExpiringCredential[string]{}, auth.Missing(f.Place+".token_file", "%v: is the identity of the workload set up?", err)
	}
	token := strings.TrimSpace(string(text))
	return f.asClient(ctx, token, url.Values{"client_assertion_type": {assertionType}, "client_assertion": {token}})
}

// asClient requests a token from the tenant's token endpoint. Errors do not contain secret.
func (f *fetcher) asClient(ctx context.Context, secret string, form url.Values) (auth.ExpiringCredential[string], error) {
	form.Set("grant_type", "client_credentials")
	form.Set("client_id", f.Client)
	form.Set("scope", f.Scope)
	authority := strings.TrimRight(cmp.Or(f.env("AZURE_AUTHORITY_HOST"), defaultAuthority), "/")
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, authority+"/"+url.PathEscape(f.Tenant)+"/oauth2/v2.0/token",
		strings.NewReader(form.Encode()))
	if err != nil {
		return auth.ExpiringCredential[string]{}, auth.Missing(f.Place, "AZURE_AUTHORITY_HOST is not a valid URL: correct it")
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return f.ask(f.client, req, "Entra ID", secret)
}

// byAppService requests a token from the identity endpoint of Azure App Service
// (https://learn.microsoft.com/azure/app-service/overview-managed-identity).
func (f *fetcher) byAppService(ctx context.Context) (auth.ExpiringCredential[string], error) {
	return f.byIdentity(ctx, f.env("IDENTITY_ENDPOINT"), "2019-08-01", "X-Identity-Header", f.env("IDENTITY_HEADER"))
}

// byMachine requests a token from the machine's metadata service
// (https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token).
func (f *fetcher) byMachine(ctx context.Context) (auth.ExpiringCredential[string], error) {
	host := strings.TrimRight(cmp.Or(f.env("AZURE_POD_IDENTITY_AUTHORITY_HOST"), defaultMetadata), "/")
	return f.byIdentity(ctx, host+"/metadata/identity/oauth2/token", "2018-02-01", "Metadata", "true")
}

// byIdentity requests a token of a managed identity. The request contains the client, if set, to select one of several
// identities.
func (f *fetcher) byIdentity(ctx context.Context, address, version, header, value string) (auth.ExpiringCredential[string], error) {
	query := url.Values{"api-version": {version}, "resource": {strings.TrimSuffix(f.Scope, "/.default")}}
	if f.Client != "" {
		query.Set("client_id", f.Client)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"?"+query.Encode(), nil)
	if err != nil {
		return auth.ExpiringCredential[string]{}, auth.Missing(f.Place, "the address of the managed identity is invalid: correct IDENTITY_ENDPOINT")
	}
	req.Header.Set(header, value)
	return f.ask(auth.NewLocalClient(), req, "the managed identity", value)
}

// An answer is the response of a token endpoint. Its numbers may be JSON numbers or strings.
type answer struct {
	Token       string          `json:"access_token"`
	In          json.RawMessage `json:"expires_in"`
	On          json.RawMessage `json:"expires_on"`
	Error       string          `json:"error"`
	Description string          `json:"error_description"`
}

// ask sends a token request and decodes the response. who names the endpoint in errors, which do not contain secret.
func (f *fetcher) ask(client *http.Client, req *http.Request, who, secret string) (auth.ExpiringCredential[string], error) {
	began := f.Now()
	status, body, err := auth.Ask(client, req)
	if err != nil {
		return auth.ExpiringCredential[string]{}, auth.Unavailable(f.Place, "%s returned no token: %v%s", who, err, f.remedy())
	}
	var a answer
	_ = json.Unmarshal(body, &a) // a body that is not JSON has no token
	if status/100 == 2 && a.Token != "" {
		return auth.ExpiringCredential[string]{Value: a.Token, End: f.end(&a, began)}, nil
	}
	text := strings.TrimPrefix(auth.ShortenText(redact.Of(secret).Text(a.Error+": "+a.Description)), ":")
	if auth.IsTransient(status) {
		return auth.ExpiringCredential[string]{}, auth.Unavailable(f.Place, "%s returned no token (status %d): %s", who, status, text)
	}
	return auth.ExpiringCredential[string]{}, auth.Missing(f.Place, "%s returned no token (status %d): %s", who, status,
		cmp.Or(strings.TrimSpace(text), "correct the client and its secret"))
}

// remedy returns advice for the error if no managed identity service responds, "" for other sources.
func (f *fetcher) remedy() string {
	if f.Config.Secret != nil || f.TokenFile != "" {
		return ""
	}
	return fmt.Sprintf(": does this machine have a managed identity? Else set %s.tenant, client and secret", f.Place)
}

// end returns the time of expiry of a token, by its lifetime after began, its time of expiry, or else DefaultLife.
func (f *fetcher) end(a *answer, began time.Time) time.Time {
	if n, ok := number(a.In); ok {
		return began.Add(auth.Seconds(n))
	}
	if n, ok := number(a.On); ok {
		return time.Unix(n, 0)
	}
	return began.Add(auth.DefaultLife)
}

func number(v json.RawMessage) (int64, bool) {
	text := cmp.Or(jsonx.TextOf(v), string(v))
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n > 0
}
