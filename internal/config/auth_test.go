package config_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/provider/auth/authtest"
)

// Each setting of credentials changes the address of the models, or where the credentials are from. Nothing is asked for that.
func TestAuth(t *testing.T) {
	dir := t.TempDir()
	google := filepath.Join(dir, "google.json")
	text := `{"type":"authorized_user","client_id":"c","client_secret":"s","refresh_token":"r"}`
	if err := os.WriteFile(google, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config"), []byte("[profile work]\nregion = eu-west-3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const runtime, vertex = "https://bedrock-runtime.", "https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/europe-west1"
	for _, c := range []struct{ name, text, env, address, source string }{
		{"region of the environment", "bedrock: {}", "AWS_REGION=eu-north-1", runtime + "eu-north-1.amazonaws.com/openai/v1", "the role of the machine"},
		{"other variable", "bedrock: {}", "AWS_DEFAULT_REGION=eu-north-1", runtime + "eu-north-1.amazonaws.com/openai/v1", "the role of the machine"},
		{"region", "bedrock: {auth: {aws: {region: us-west-2}}}", "AWS_REGION=eu-north-1", runtime + "us-west-2.amazonaws.com/openai/v1", "the role of the machine"},
		{"profile", "bedrock: {auth: {aws: {profile: work}}}", "AWS_CONFIG_FILE=" + filepath.Join(dir, "config"), runtime + "eu-west-3.amazonaws.com/openai/v1", "the profile work"},
		{"role", "bedrock: {auth: {aws: {region: us-west-2, role: 'arn:x'}}}", "AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b", runtime + "us-west-2.amazonaws.com/openai/v1", "AWS_ACCESS_KEY_ID, by which the role arn:x is assumed"},
		{"Claude", "bedrock-anthropic: {auth: {aws: {region: us-west-2}}}", "", runtime + "us-west-2.amazonaws.com", "the role of the machine"},
		{"Claude by its wire", "bedrock: {wire: anthropic, auth: {aws: {region: us-west-2}}}", "", runtime + "us-west-2.amazonaws.com", "the role of the machine"},
		{"a name of its own", "claude: {wire: anthropic, auth: {aws: {region: us-west-2}}}", "", runtime + "us-west-2.amazonaws.com", "the role of the machine"},
		{"key of Bedrock", "bedrock: {}", "AWS_REGION=eu-north-1 AWS_BEARER_TOKEN_BEDROCK=k", runtime + "eu-north-1.amazonaws.com/openai/v1", ""},
		{"an address of its own", "bedrock: {base_url: 'https://vpce.test/openai/v1', auth: {aws: {region: us-west-2}}}", "", "https://vpce.test/openai/v1", "the role of the machine"},
		{"project and location", "vertex: {auth: {google: {project: p, location: europe-west1, credentials: '" + google + "'}}}", "", vertex + "/publishers/google", "the login of gcloud in " + google},
		{"those of the environment", "vertex-anthropic: {}", "GOOGLE_CLOUD_PROJECT=p CLOUD_ML_REGION=europe-west1 HOME=/none", vertex + "/publishers/anthropic", "the metadata server of the machine"},
		{"global", "vertex-openai: {}", "GOOGLE_CLOUD_PROJECT=p HOME=/none", "https://aiplatform.googleapis.com/v1/projects/p/locations/global/endpoints/openapi", "the metadata server of the machine"},
		{"Azure", "azure: {base_url: 'https://r.openai.azure.com/openai/v1', auth: {azure: {tenant: t, client: c, secret: s}}}", "", "https://r.openai.azure.com/openai/v1", "the client secret of c"},
		{"Azure by its endpoint", "azure: {auth: {azure: {tenant: t, client: c, token_file: /f}}}", "AZURE_OPENAI_ENDPOINT=https://r.openai.azure.com/", "https://r.openai.azure.com/openai/v1", "the federated token in /f"},
		{"identity of Azure", "azure: {base_url: 'https://r.openai.azure.com/openai/v1', auth: {azure: {}}}", "", "https://r.openai.azure.com/openai/v1", "the managed identity of the machine"},
		{"a command", "lab: {base_url: 'http://a.test/v1', api_key: {command: [/bin/secret, --key]}}", "", "http://a.test/v1", "the command secret"},
	} {
		t.Run(c.name, func(t *testing.T) {
			look := env(strings.Fields(c.env)...)
			conf := parse(t, "providers: {"+c.text+"}", strings.Fields(c.env)...)
			if w := conf.Warnings(); len(w) != 0 {
				t.Errorf("warnings %v", w)
			}
			r := registry(t, conf, config.WithEnv(look))
			name, _, _ := strings.Cut(c.text, ":")
			p, _, err := r.Endpoint(name)
			if err != nil {
				t.Fatal(err)
			}
			if p.Address() != c.address || p.Credentials() != c.source {
				t.Errorf("got %s with the credentials of %q", p.Address(), p.Credentials())
			}
			sources := conf.CredentialSources(look)
			if c.source == "" && len(sources) != 0 || c.source != "" && (len(sources) != 1 || sources[0] != config.CredentialSource{Provider: name, Source: c.source}) {
				t.Errorf("sources %v", sources)
			}
		})
	}
}

// The sources of credentials have no key: neither one of the file, nor one of a variable, nor those of a list.
func TestCredentialSourcesHaveNoKey(t *testing.T) {
	for value, want := range map[string]string{
		"sk-secret": "", "env:LAB_KEY": "", "'${LAB_KEY}'": "", "[sk-secret, env:LAB_KEY]": "", "[{key: sk-secret, weight: 2}]": "",
		"file:/keys/lab": "the file /keys/lab",
	} {
		conf := parse(t, "providers: {lab: {base_url: 'http://a.test/v1', api_key: "+value+"}}", "LAB_KEY=sk-secret")
		got := ""
		for _, s := range conf.CredentialSources(env("LAB_KEY=sk-secret")) {
			got += s.Source
		}
		if got != want {
			t.Errorf("%s: got the source %q, want %q", value, got, want)
		}
	}
}

// What contradicts itself is an error with its place; what is missing here is a warning, as a variable is that is not set.
func TestAuthChecks(t *testing.T) {
	for text, want := range map[string]string{
		"bedrock: {auth: {}}":                    "providers.bedrock.auth: expected aws, google or azure, got none",
		"bedrock: {auth: {aws: {}, google: {}}}": "providers.bedrock.auth: expected one of aws, google and azure, got aws and google: remove one",
		"bedrock: {api_key: k, auth: {aws: {}}}": "providers.bedrock.api_key: auth already sets the credentials: remove auth or api_key",
		"bedrock: {auth: {aws: {regoin: x}}}":    "unknown key \"regoin\": did you mean region?",
		"azure: {base_url: 'https://r.test/openai/v1', auth: {azure: {secret: s, token_file: f}}}": "providers.azure.auth.azure.token_file: secret is already set: remove secret or token_file",
		"lab: {base_url: 'http://a.test/v1', api_key: {expires_in: 5m}}":                           "providers.lab.api_key: expected command, the program that prints the key: {command: [prog, args]}",
		"lab: {base_url: 'http://a.test/v1', api_key: {command: [a], expires_in: 5}}":              "providers.lab.api_key.expires_in: expected a duration such as 10s or 5m",
		"lab: {base_url: 'http://a.test/v1', api_key: 'file:'}":                                    "providers.lab.api_key: expected the name of a file after file:",
		"bedrock: {}": "warning: providers.bedrock.auth.aws.region: AWS_REGION is not set: set region, or export AWS_REGION=...",
		"vertex: {auth: {google: {project: p, credentials: /none.json}}}": "warning: providers.vertex.auth.google.credentials: open /none.json: no such file or directory",
		"vertex: {}": "warning: providers.vertex.auth.google.project: GOOGLE_CLOUD_PROJECT is not set",
		"azure: {base_url: 'https://r.test/openai/v1', auth: {azure: {tenant: t, client: c, secret: env:NONE}}}": "warning: providers.azure.auth.azure.secret: NONE is not set: export NONE=...",
		"lab: {base_url: 'http://a.test/v1', api_key: 'file:/none/key'}":                                         "warning: providers.lab.api_key: the file /none/key cannot be used: no such file or directory",
		"lab: {base_url: 'http://a.test/v1', headers: {X-A: 'file:/none/key'}}":                                  "warning: providers.lab.headers.X-A: the file /none/key cannot be used: no such file or directory",
	} {
		c, err := config.Parse([]byte("providers: {"+text+"}"), env("HOME=/none", "AWS_CONFIG_FILE=/none", "AWS_SHARED_CREDENTIALS_FILE=/none"))
		var got []string
		if err != nil {
			got = append(got, err.Error())
		} else {
			for _, w := range c.Warnings() {
				got = append(got, "warning: "+w.Error())
			}
		}
		all := strings.Join(got, "\n")
		if !strings.Contains(positions.ReplaceAllString(all, ""), want) || !positions.MatchString(all) {
			t.Errorf("%s: got %s\nwant %s", text, all, want)
		}
	}
}

// positions are lines and columns.
var positions = regexp.MustCompile(`\b1:\d+: `)

// The keys of clients, the password of NATS and headers of the collector may stand in files, by a name from the folder of the configuration.
func TestSecretsInFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"client": "sesame\n", "nats": "natspass\n", "tenant": "seven\n", "tool": "tooltoken\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "callwright.yaml")
	conf := `
keys: [file:client, {name: ci, key: "file:client", previous: "file:tenant"}]
state: {nats: {url: nats://a.test, user: u, password: "file:nats"}}
telemetry: {endpoint: "http://a.test", headers: {X-Tenant: "file:tenant"}}
providers: {lab: {base_url: "http://a.test/v1"}}
agent: {mcp: {s: {url: "http://a.test", headers: {Authorization: "file:tool"}}}}
`
	if err := os.WriteFile(file, []byte(strings.Replace(conf, "{name: ci, key: \"file:client\"", "{name: ci, key: \"file:nats\"", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(file, env())
	if err != nil || len(c.Warnings()) != 0 {
		t.Fatal(err, c.Warnings())
	}
	if got := c.PresentedKey(env()); got != "sesame" {
		t.Errorf("the key is %q", got)
	}
	if _, keys, err := c.Access("", env()); err != nil || len(keys) != 2 {
		t.Errorf("keys %v, %v", keys, err)
	}
	if got, err := c.State.NATS.Secret(env()); got != "natspass" || err != nil || c.State.NATS.CurrentSecret()() != "natspass" {
		t.Errorf("the password is %q, %v", got, err)
	}
	if got, err := c.Telemetry.RevealedHeaders(env()); got["X-Tenant"] != "seven" || err != nil || c.Telemetry.CurrentHeaders()()["X-Tenant"] != "seven" {
		t.Errorf("headers %v, %v", got, err)
	}
	if got, err := c.Agent.MCP[0].Header(env()); got.Get("Authorization") != "tooltoken" || err != nil {
		t.Errorf("headers %v, %v", got, err)
	}
	files := strings.Join(c.Files(), " ")
	for _, name := range []string{"client", "nats", "tenant"} {
		if !strings.Contains(files, filepath.Join(dir, name)) {
			t.Errorf("%s is not looked at: %s", name, files)
		}
	}
	if plain := parse(t, "state: {nats: {url: nats://a.test}}\ntelemetry: {headers: {X-A: b}}"); plain.State.NATS.CurrentSecret() != nil || plain.Telemetry.CurrentHeaders() != nil {
		t.Error("what is in no file changes")
	}
}

// A token is shared by all models of a provider, whatever settings they have, and is used again until it ends. Another scope is asked for where it is set.
func TestSharedToken(t *testing.T) {
	clock := authtest.NewClock(time.Now())
	entra := &authtest.Azure{Issuer: authtest.NewIssuer(clock, time.Hour)}
	srv := httptest.NewServer(http.StripPrefix("/azure", entra))
	defer srv.Close()
	lab := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); !entra.IsValid(token) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = w.Write([]byte(`{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hi."},"finish_reason":"stop"}]}`))
	}))
	defer lab.Close()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte(authtest.AzureSecret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := "providers: {azure: {base_url: '" + lab.URL + "/openai/v1', discover: off, auth: {azure: {tenant: tenant-1, client: client-1, secret: 'file:" + secret + "'SCOPE}}}}\n" +
		"models: {azure/b: {caps: {parallel_tools: no}}}"
	ask := func(r *config.Registry, model string) error {
		client, err := r.Resolve(model)
		if err != nil {
			return err
		}
		_, err = client.Generate(t.Context(), &callwright.Request{Model: callwright.ModelID(model), Messages: []callwright.Message{callwright.UserText("Hi")}})
		return err
	}
	look := env("AZURE_AUTHORITY_HOST=" + srv.URL + "/azure")
	r := registry(t, parse(t, strings.Replace(text, "SCOPE", "", 1)), config.WithEnv(look), config.WithClock(clock.Now))
	for _, model := range []string{"azure/a", "azure/b", "azure/a", "azure/c"} {
		if err := ask(r, model); err != nil {
			t.Error(err)
		}
	}
	if entra.TokenCount() != 1 || entra.UseCount() != 4 {
		t.Errorf("%d tokens were given, and used %d times", entra.TokenCount(), entra.UseCount())
	}
	r = registry(t, parse(t, strings.Replace(text, "SCOPE", ", scope: other/.default", 1)), config.WithEnv(look), config.WithClock(clock.Now))
	if err := ask(r, "azure/a"); err == nil || !strings.Contains(err.Error(), "other/.default") || strings.Contains(err.Error(), authtest.Canary) {
		t.Errorf("got %v", err)
	}
}

// A key that a program prints is used for as long as the configuration says, and then printed again.
func TestKeyCommand(t *testing.T) {
	cat, err := exec.LookPath("cat")
	if err != nil {
		t.Skip("there is no cat")
	}
	for life, want := range map[string]string{"": "first first second", ", expires_in: 2m": "first second second"} {
		var asked []string
		lab := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hi."},"finish_reason":"stop"}]}`))
		}))
		key := filepath.Join(t.TempDir(), "key")
		clock := authtest.NewClock(time.Now())
		r := registry(t, parse(t, "providers: {lab: {base_url: '"+lab.URL+"/v1', discover: off, api_key: {command: ['"+cat+"', '"+key+"']"+life+"}}}"), config.WithClock(clock.Now))
		client, err := r.Resolve("lab/m")
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"first", "second", "second"} {
			if err := os.WriteFile(key, []byte(text+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := client.Generate(t.Context(), &callwright.Request{Model: "lab/m", Messages: []callwright.Message{callwright.UserText("Hi")}}); err != nil {
				t.Fatal(err)
			}
			clock.Add(6 * time.Minute)
		}
		lab.Close()
		if got := strings.Join(asked, " "); got != want {
			t.Errorf("%q: asked with %s, want %s", life, got, want)
		}
	}
}
