// Package google obtains access tokens of Google Cloud for models at Vertex AI, by Application Default Credentials: a
// credentials file of a service account, a user or a federated identity, or else the machine's metadata server
// (https://cloud.google.com/docs/authentication/application-default-credentials).
package google

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"github.com/callwright/callwright/internal/boundedfile"
	"github.com/callwright/callwright/internal/provider/auth"
	"github.com/callwright/callwright/internal/redact"
)

const (
	scope    = "https://www.googleapis.com/auth/cloud-platform"
	maxFile  = 1 << 20
	metadata = "metadata.google.internal"

	// globalLocation is the location without a specific region.
	globalLocation = "global"
)

// A Config selects the identity, the project and the location. Empty fields have the values of the variables that
// Google's SDKs read.
type Config struct {
	Place    string // path of the setting, for errors
	Project  string // default: GOOGLE_CLOUD_PROJECT, GCLOUD_PROJECT, ANTHROPIC_VERTEX_PROJECT_ID, or the project in the credentials file
	Location string // default: GOOGLE_CLOUD_LOCATION, GOOGLE_CLOUD_REGION, CLOUD_ML_REGION, or global
	// Credentials is the path of a credentials file. The default is GOOGLE_APPLICATION_CREDENTIALS, or the file that
	// gcloud wrote.
	Credentials string
	// Env looks up environment variables.
	Env func(name string) (value string, ok bool)
	// Now returns the current time. Nil means time.Now.
	Now func() time.Time
}

// New creates a source of credentials. It sends no request before the first token is needed. The error names the
// missing setting.
func New(c Config) (*auth.Token, error) {
	f := &fetcher{Config: c, client: auth.NewClient()}
	if f.Now == nil {
		f.Now = time.Now
	}
	path, named := f.path()
	file, err := read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		return auth.NewToken(auth.TokenConfig{Source: "the metadata server of the machine", Header: auth.Bearer,
			Fetch: f.byMachine, Now: f.Now}), nil
	case err != nil:
		return nil, auth.Missing(f.Place+".credentials", "%v: correct the file, or write it with `gcloud auth application-default login`", err)
	}
	var further http.Header
	if quota := cmp.Or(f.env("GOOGLE_CLOUD_QUOTA_PROJECT"), file.Quota); quota != "" {
		further = http.Header{"X-Goog-User-Project": {quota}}
	}
	fetch := func(ctx context.Context) (auth.ExpiringCredential[string], error) { return f.byFile(ctx, path) }
	return auth.NewToken(auth.TokenConfig{Source: file.words() + " in " + path, Header: auth.Bearer, Further: further,
		Fetch: fetch, Hidden: hiddenTexts(path), Now: f.Now}), nil
}

// Vars returns the variables of Vertex AI's address: endpoint, project and location. The error names the missing
// setting.
func Vars(c Config) (map[string]string, error) {
	f := &fetcher{Config: c}
	location := cmp.Or(c.Location, f.env("GOOGLE_CLOUD_LOCATION"), f.env("GOOGLE_CLOUD_REGION"), f.env("CLOUD_ML_REGION"), globalLocation)
	project := cmp.Or(c.Project, f.env("GOOGLE_CLOUD_PROJECT"), f.env("GCLOUD_PROJECT"), f.env("ANTHROPIC_VERTEX_PROJECT_ID"))
	if project == "" {
		path, _ := f.path()
		if file, err := read(path); err == nil {
			project = cmp.Or(file.Project, file.Quota)
		}
	}
	if project == "" {
		return nil, auth.Missing(c.Place+".project", "GOOGLE_CLOUD_PROJECT is not set: set project, or export GOOGLE_CLOUD_PROJECT=...")
	}
	return map[string]string{"project": project, "location": location, "endpoint": endpoint(location)}, nil
}

// endpoint returns the host for a location: https://cloud.google.com/vertex-ai/docs/reference/rest, and for us and eu
// https://docs.claude.com/en/api/claude-on-vertex-ai.
func endpoint(location string) string {
	switch location {
	case globalLocation:
		return "aiplatform.googleapis.com"
	case "us", "eu":
		return "aiplatform." + location + ".rep.googleapis.com"
	}
	return location + "-aiplatform.googleapis.com"
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

// path returns the path of the credentials file. named reports whether a setting or a variable names it, in contrast to
// gcloud's file.
func (f *fetcher) path() (path string, named bool) {
	if path := cmp.Or(f.Credentials, f.env("GOOGLE_APPLICATION_CREDENTIALS")); path != "" {
		return path, true
	}
	dir := f.env("CLOUDSDK_CONFIG")
	switch {
	case dir != "":
	case runtime.GOOS == "windows":
		dir = filepath.Join(f.env("APPDATA"), "gcloud")
	default:
		dir = filepath.Join(f.env("HOME"), ".config", "gcloud")
	}
	return filepath.Join(dir, "application_default_credentials.json"), false
}

// A file contains the members of a credentials file, with its secrets.
type file struct {
	Type    string `json:"type"`
	Project string `json:"project_id"`
	Quota   string `json:"quota_project_id"`
	Email   string `json:"client_email"`

	PrivateKey   string `json:"private_key"`
	ClientSecret string `json:"client_secret"`
	RefreshToken string `json:"refresh_token"`

	text []byte
}

// types are the supported types of credentials files, with their descriptions.
var types = map[string]string{
	"service_account": "the service account", "authorized_user": "the login of gcloud", "external_account": "the federated identity",
	"impersonated_service_account": "the impersonated service account", "external_account_authorized_user": "the federated login",
}

func (f *file) words() string {
	if f.Email != "" {
		return types[f.Type] + " " + f.Email
	}
	return types[f.Type]
}

// read reads a credentials file.
func read(path string) (*file, error) {
	text, err := boundedfile.Read(path, maxFile)
	if err != nil {
		return nil, err
	}
	f := &file{text: text}
	if json.Unmarshal(text, f) != nil || types[f.Type] == "" {
		return nil, errors.New(path + ": expected a Google credentials file, in JSON with a type such as service_account")
	}
	return f, nil
}

// hiddenTexts returns a function that returns the secrets in a credentials file, which errors must not contain.
func hiddenTexts(path string) func() []string {
	return func() []string {
		f, err := read(path)
		if err != nil {
			return nil
		}
		return []string{f.PrivateKey, f.ClientSecret, f.RefreshToken}
	}
}

// byFile requests a token with the credentials in a file. It reads the file at every call.
func (f *fetcher) byFile(ctx context.Context, path string) (auth.ExpiringCredential[string], error) {
	file, err := read(path)
	if err != nil {
		return auth.ExpiringCredential[string]{}, auth.Missing(f.Place+".credentials", "%v", err)
	}
	ctx = context.WithValue(ctx, oauth2.HTTPClient, f.client)
	found, err := google.CredentialsFromJSONWithType(ctx, file.text, google.CredentialsType(file.Type), scope)
	if err != nil {
		return auth.ExpiringCredential[string]{}, auth.Missing(f.Place+".credentials", "%s cannot be used: %s", path,
			auth.ShortenText(redact.Of(file.PrivateKey, file.ClientSecret, file.RefreshToken).Text(err.Error())))
	}
	began := f.Now()
	token, err := found.TokenSource.Token()
	if err != nil {
		return auth.ExpiringCredential[string]{}, f.tokenError(err, file)
	}
	return auth.ExpiringCredential[string]{Value: token.AccessToken, End: f.end(token.Expiry, began)}, nil
}

// end returns the time of expiry of a token by the Config's clock. at is the time of expiry by the system clock, and
// began the time of the request by the Config's clock.
func (f *fetcher) end(at, began time.Time) time.Time {
	if at.IsZero() {
		return began.Add(auth.DefaultLife)
	}
	return began.Add(time.Until(at))
}

// tokenError returns the error of a failed token request, without the secrets in file.
func (f *fetcher) tokenError(err error, file *file) error {
	hide := redact.Of(file.PrivateKey, file.ClientSecret, file.RefreshToken)
	said, ok := errors.AsType[*oauth2.RetrieveError](err)
	switch {
	case !ok:
		return auth.Unavailable(f.Place, "Google returned no token: %s", auth.ShortenText(hide.Text(auth.Cause(err).Error())))
	case said.Response != nil && auth.IsTransient(said.Response.StatusCode):
		return auth.Unavailable(f.Place, "Google returned no token (status %d)", said.Response.StatusCode)
	}
	text := strings.Trim(said.ErrorCode+": "+said.ErrorDescription, ": ")
	var body struct {
		Code string `json:"error"`
		Text string `json:"error_description"`
	}
	if text == "" && json.Unmarshal(said.Body, &body) == nil {
		text = strings.Trim(body.Code+": "+body.Text, ": ")
	}
	return auth.Missing(f.Place, "Google returned no token: %s: renew the credentials, those of a user by `gcloud auth application-default login`", auth.ShortenText(hide.Text(text)))
}

// byMachine requests a token from the machine's metadata server
// (https://cloud.google.com/compute/docs/metadata/overview).
func (f *fetcher) byMachine(ctx context.Context) (auth.ExpiringCredential[string], error) {
	host := cmp.Or(f.env("GCE_METADATA_HOST"), metadata)
	address := "http://" + host + "/computeMetadata/v1/instance/service-accounts/default/token"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return auth.ExpiringCredential[string]{}, auth.Missing(f.Place, "GCE_METADATA_HOST is not a valid host: correct it")
	}
	req.Header.Set("Metadata-Flavor", "Google")
	began := f.Now()
	status, body, err := auth.Ask(auth.NewLocalClient(), req)
	const remedy = "run `gcloud auth application-default login`, or set credentials"
	if err != nil {
		return auth.ExpiringCredential[string]{}, auth.Missing(f.Place,
			"there is no credentials file, and no metadata server answers (%v): %s", err, remedy)
	}
	var a struct {
		Token string `json:"access_token"`
		In    int64  `json:"expires_in"`
	}
	if json.Unmarshal(body, &a) != nil || status != http.StatusOK || a.Token == "" {
		return auth.ExpiringCredential[string]{}, auth.Unavailable(f.Place,
			"the metadata server returned no token (status %d): does the machine have a service account?", status)
	}
	end := began.Add(auth.DefaultLife)
	if a.In > 0 {
		end = began.Add(auth.Seconds(a.In))
	}
	return auth.ExpiringCredential[string]{Value: a.Token, End: end}, nil
}
