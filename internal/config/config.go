package config

import (
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config/internal/cloudauth"
	"github.com/callwright/callwright/internal/fitness"
	"github.com/callwright/callwright/internal/provider"
)

// DefaultListen is the default address on which the gateway listens.
const DefaultListen = "127.0.0.1:8787"

// A Config is the decoded contents of a configuration file. The zero Config has the built-in providers, with API keys
// from the environment, and no aliases. A Config must not be changed after a Registry was created from it.
//
// The struct tags also, default, example and jsonschema contain the alternative names of a key, its default value, an
// example value and its description.
type Config struct {
	Listen            string               `json:"listen,omitempty" default:"127.0.0.1:8787" example:"127.0.0.1:8787" jsonschema:"the address on which the gateway listens. An address beyond loopback needs keys"`
	State             State                `json:"state,omitempty" default:"in memory" jsonschema:"where the gateway stores its state"`
	Keys              []AccessKey          `json:"keys,omitempty" default:"none" jsonschema:"the keys of clients: strings, or mappings with a name, a scope and limits. env:NAME is read from the environment, file:PATH from a file"`
	KeysFile          Path                 `json:"keys_file,omitempty" default:"none" example:"keys.yaml" jsonschema:"a file with further keys, each with a name. It is read again when it changes"`
	Groups            KeyGroups            `json:"groups,omitempty" default:"none" jsonschema:"groups of keys by name. The limits of a group apply to all its keys together"`
	PricesFile        Path                 `json:"prices_file,omitempty" default:"the built-in prices" example:"prices.yaml" jsonschema:"a file with prices of models, which take precedence over the built-in prices"`
	Server            Server               `json:"server,omitempty" jsonschema:"limits of connections, and TLS"`
	Hosts             []string             `json:"hosts,omitempty" default:"loopback and the machine's name" jsonschema:"further host names under which clients may reach a gateway without keys"`
	Origins           []string             `json:"origins,omitempty" default:"none" jsonschema:"origins of web pages that may use the gateway, such as https://app.example.com; an asterisk matches any characters"`
	Passthrough       Passthrough          `json:"passthrough,omitempty" default:"[embeddings]" example:"[embeddings, audio]" jsonschema:"the kinds of other requests that are forwarded to the provider of their model, unchanged except for the model name and the key. With none or an empty list, no such request is forwarded"`
	HostedTools       HostedTools          `json:"hosted_tools,omitempty" jsonschema:"MCP tools that the gateway runs in place of tools that a provider runs, if the provider of the model is not known to run them or has another API"`
	Limits            Limits               `json:"limits,omitempty" jsonschema:"limits of one request"`
	Budget            Budget               `json:"budget,omitzero" default:"no limit" jsonschema:"the budget of all keys, and of requests without a key, together"`
	DrainTime         time.Duration        `json:"drain_time,omitempty" default:"5m" jsonschema:"how long running requests may continue after the gateway is told to stop"`
	Metrics           Switch               `json:"metrics,omitempty" default:"on" jsonschema:"whether /metrics has metrics for Prometheus. If the gateway has keys, /metrics needs a key with the verb metrics"`
	UI                Switch               `json:"ui,omitempty" default:"on" jsonschema:"whether the dashboard is served at /ui/. If the gateway has keys, the dashboard needs a key with the verb ui"`
	Telemetry         Telemetry            `json:"telemetry,omitempty" default:"none" jsonschema:"the collector that gets an OpenTelemetry span for each request"`
	Alerts            Alerts               `json:"alerts,omitempty" default:"none" jsonschema:"a webhook that gets problems of the gateway, and budgets that are 80 or 100 percent used"`
	Trace             Trace                `json:"trace,omitempty" default:"none" jsonschema:"where requests and answers are recorded, to inspect and replay them"`
	Cache             callwright.CacheMode `json:"cache,omitempty" default:"auto" jsonschema:"the use of prompt caches of all models: auto (the client's settings, and those that the provider's API needs in addition), client (only the client's settings) or off"`
	Discover          provider.Discovery   `json:"discover,omitempty" default:"auto" jsonschema:"which providers are queried for the capabilities of their models, in the background: auto (loopback and private addresses, and OpenRouter), on (all that describe their models) or off"`
	Providers         Providers            `json:"providers,omitempty" default:"from the environment" jsonschema:"providers by name. Providers of the table need no settings"`
	Models            Models               `json:"models,omitempty" also:"modelOverrides" default:"none" jsonschema:"aliases, and settings of models: of one provider/model, of all models with a name, or of a pattern with an asterisk"`
	Agent             Agent                `json:"agent,omitempty" default:"none" jsonschema:"settings of agent runs, for callwright run"`
	Experimental      Experimental         `json:"experimental,omitempty" default:"none" jsonschema:"a setting of other programs: nativeToolCalling, true or false, for all models without another mode"`
	CallRules         CallRules            `json:"call_rules,omitempty" default:"none" jsonschema:"rules that refuse tool calls, or have them approved by a person, for all models"`
	TransformSettings                      // for all models, applied before the transforms of a model
	parsed
}

// parsed has the positions, warnings and files of a configuration that was parsed from text.
type parsed struct {
	places   map[string]position // positions of values, by path such as models.fast.mode
	warnings []*Error
	files    []string
}

// Experimental contains settings with the names that they have in configuration files of other programs.
type Experimental struct {
	NativeToolCalling *bool `json:"nativeToolCalling,omitempty" default:"none" jsonschema:"true means mode native, false means mode [text, native]"`
}

// Limits are the maximum sizes of a request to the gateway. The gateway answers a larger request with status 413.
type Limits struct {
	Body     int64 `json:"body,omitempty" default:"33554432" jsonschema:"bytes of the body"`
	Messages int   `json:"messages,omitempty" default:"20000" jsonschema:"messages, or items, of a conversation"`
	Parts    int   `json:"parts,omitempty" default:"100000" jsonschema:"parts of all messages together"`
	Tools    int   `json:"tools,omitempty" default:"20000" jsonschema:"declared tools"`
}

// A Trace configures the log of requests and answers.
type Trace struct {
	File    Path          `json:"file,omitempty" default:"none" example:"trace.jsonl" jsonschema:"the file to which the gateway appends requests and answers; only its owner can read it. If it is a folder, or its name ends in a slash, the trace has several files. callwright run uses --trace instead"`
	NATS    Switch        `json:"nats,omitempty" default:"off" jsonschema:"whether the trace is stored on the NATS of state.nats in place of a file, for all gateways together"`
	Age     time.Duration `json:"age,omitempty" default:"720h" jsonschema:"how long requests in a folder or on NATS are kept"`
	Bytes   int64         `json:"bytes,omitempty" default:"1073741824" jsonschema:"the approximate size of a folder or of the trace on NATS, in bytes"`
	Content *bool         `json:"content,omitempty" default:"true" jsonschema:"whether the trace has content. Without it, texts, arguments and bodies are replaced by their lengths, and the trace cannot be replayed. It applies to --trace, too"`
}

// State configures the stores of the gateway: their place and their size limits.
type State struct {
	Dir  string `json:"dir,omitempty" default:"none" jsonschema:"a local folder for all state of one gateway and of commands"`
	NATS NATS   `json:"nats,omitzero" default:"none" jsonschema:"a NATS server or cluster for state shared by gateways: its address, or an object with the keys below"`

	Answers    Retention `json:"answers,omitzero" default:"1h, 16777216 bytes, 4096" jsonschema:"limits of the stored answers that later requests may continue (previous_response_id)"`
	Reports    Retention `json:"reports,omitzero" default:"168h, 8388608 bytes, 1000" jsonschema:"limits of the stored reports of requests"`
	Signatures Retention `json:"vault,omitzero" default:"1h, 67108864 bytes, 100000" jsonschema:"limits of the stored opaque state of providers, such as reasoning signatures, that clients drop"`

	Facts    Bounds `json:"facts,omitzero" default:"33554432 bytes, until each fact expires" jsonschema:"on NATS, limits of the facts about models"`
	Runs     Bounds `json:"runs,omitzero" default:"1073741824 bytes, no age" jsonschema:"on NATS, limits of agent runs. A run that did not change for this age is removed. Beyond this size, no data are added"`
	Evals    Bounds `json:"evals,omitzero" default:"1073741824 bytes, no age" jsonschema:"on NATS, limits of the measurements of callwright eval, as for runs"`
	Counters Bounds `json:"counters,omitzero" default:"16777216 bytes, until a minute after the period of each limit" jsonschema:"limits of the usage counters of keys and conversations"`
}

// NATS contains the address of a NATS server or cluster and the credentials for it.
type NATS struct {
	URL         string          `json:"url,omitempty" default:"none" example:"nats://host:4222" jsonschema:"the address, nats:// or tls://; several addresses of one cluster are separated by commas"`
	Credentials Path            `json:"credentials,omitempty" default:"none" example:"gateway.creds" jsonschema:"a credentials file of nsc"`
	User        string          `json:"user,omitempty" default:"none" jsonschema:"the user name"`
	Password    provider.Secret `json:"password,omitempty" default:"none" jsonschema:"the password of the user, env:NAME or file:PATH"`
	TLS         NATSTLS         `json:"tls,omitzero" default:"the machine's authorities" jsonschema:"files in PEM form: ca, cert, key"`
	Space       string          `json:"space,omitempty" default:"callwright" jsonschema:"the name of this installation in a shared cluster"`
}

// NATSTLS names the PEM files for TLS connections to NATS.
type NATSTLS struct {
	CA   Path `json:"ca,omitempty" default:"the machine's authorities" jsonschema:"the certificate authority of the servers"`
	Cert Path `json:"cert,omitempty" default:"none" jsonschema:"the client certificate of the gateway"`
	Key  Path `json:"key,omitempty" default:"none" jsonschema:"its private key"`
}

// Providers are providers in the order of the file.
type Providers []Provider

// A Provider is an endpoint with the settings of all its models.
type Provider struct {
	Name     string                     `json:"-"`
	Wire     callwright.WireName        `json:"wire,omitempty" default:"from the table, or openai" jsonschema:"the API of the provider: openai, responses, anthropic, gemini or ollama"`
	BaseURL  string                     `json:"base_url,omitempty" list:"Hosts" default:"from the table" example:"http://127.0.0.1:8000/v1" jsonschema:"the base URL as in the official SDK of the API: with /v1 for openai and responses, without a version for the others; or a list, each element a URL or {url, weight}"`
	APIKey   provider.Secret            `json:"api_key,omitempty" list:"Keys" object:"KeyCommand" default:"from the variable in the table" jsonschema:"the key, env:NAME, file:PATH, or {command, expires_in} for a program that prints it; or a list, each element a key or {key, weight}"`
	Auth     cloudauth.Auth             `json:"auth,omitzero" default:"none" jsonschema:"cloud credentials instead of a key: aws, google or azure"`
	Headers  map[string]provider.Secret `json:"headers,omitempty" default:"none" jsonschema:"headers of every request; a value may be env:NAME or file:PATH"`
	Discover provider.Discovery         `json:"discover,omitempty" default:"discover of the file" jsonschema:"whether the provider is queried for the capabilities of its models: off, auto or on"`
	Settings
	Hosts      []Host                `json:"-"` // all addresses if base_url is a list; the first one is also in BaseURL
	Keys       []Key                 `json:"-"` // all keys if api_key is a list; the first one is also in APIKey
	KeyCommand *cloudauth.KeyCommand `json:"-"` // the command that prints the key, in place of APIKey
	unlisted   bool                  // lists of models omit its models unless requested; set for the simulator that Discover adds
}

// Timeouts limit the phases of one request. In a file they are durations such as 10s or 5m.
type Timeouts struct {
	Connect      time.Duration `json:"connect,omitempty" default:"10s" jsonschema:"until a new connection is open"`
	FirstByte    time.Duration `json:"first_byte,omitempty" default:"10m" jsonschema:"until the headers of the response have arrived; 1m for a stream with a fallback"`
	BetweenBytes time.Duration `json:"between_bytes,omitempty" default:"5m" jsonschema:"between two reads of an answer"`
	Total        time.Duration `json:"total,omitempty" default:"none" jsonschema:"the whole request, with all tries, models and pauses. After it, the client gets 504, or the error event of its API"`
}

// Models are the entries of models in the order of the file.
type Models []Model

// A Model is an entry of the key models. Its fields decide its type. With Model it is an alias of that model. With Any
// it is a group of models. Else it contains settings: of one model if its name is provider/model, of all models of a
// name if the name has no provider, or of all models that match if the name has an asterisk, which stands for any
// characters.
type Model struct {
	Name   string               `json:"-"`
	Model  callwright.ModelID   `json:"model,omitempty" default:"the name" jsonschema:"the model: provider/model, or another alias"`
	Any    []callwright.ModelID `json:"any,omitempty" default:"none" jsonschema:"a group, instead of model: models or aliases. One of them is chosen for each request, and the others are tried after it"`
	Prefer fitness.Prefer       `json:"prefer,omitempty" default:"health" jsonschema:"the order in which members of a group are tried: by health (success rate of the last attempts), cost (of the request), latency (of the last answers) or order (of the list)"`
	Settings
	anyProvider bool // the name is that of a model without a provider, slashes included: meta-llama/llama-3.3-70b-instruct
}

// Warnings returns possible errors that do not prevent the use of the configuration, such as environment variables that
// are not set and keys that this version ignores. Warnings have positions in the text like errors.
func (c *Config) Warnings() []*Error { return c.warnings }

// Files returns the paths of the files that the configuration names and that were read with it.
func (c *Config) Files() []string { return c.files }

// provider returns the configured provider of that name. ok is false if the configuration has none.
func (c *Config) provider(name string) (*Provider, bool) {
	for i := range c.Providers {
		if c.Providers[i].Name == name {
			return &c.Providers[i], true
		}
	}
	return nil, false
}

// model returns the entry of models with exactly that name. It returns false if there is none.
func (c *Config) model(name string) (*Model, bool) {
	for i := range c.Models {
		if c.Models[i].Name == name {
			return &c.Models[i], true
		}
	}
	return nil, false
}
