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
	Listen            string               `json:"listen,omitempty" default:"127.0.0.1:8787" example:"127.0.0.1:8787" jsonschema:"the address the gateway listens on; beyond loopback it needs keys"`
	State             State                `json:"state,omitempty" default:"in memory" jsonschema:"where state is kept"`
	Keys              []AccessKey          `json:"keys,omitempty" default:"none" jsonschema:"what clients must present, as a bearer token or where else their SDK puts a key: keys alone, or each with a name, what it is for and its limits; env:NAME is read from the environment, file:PATH from a file"`
	KeysFile          Path                 `json:"keys_file,omitempty" default:"none" example:"keys.yaml" jsonschema:"a file with further keys, each with a name, which is read again when it changes"`
	Groups            KeyGroups            `json:"groups,omitempty" default:"none" jsonschema:"groups of keys by name, and what the keys of each may use together"`
	PricesFile        Path                 `json:"prices_file,omitempty" default:"the built-in prices" example:"prices.yaml" jsonschema:"a file with what models cost, over the prices that are built in"`
	Server            Server               `json:"server,omitempty" jsonschema:"what clients may take of the gateway"`
	Hosts             []string             `json:"hosts,omitempty" default:"loopback and the machine's name" jsonschema:"further names by which a gateway without keys may be called"`
	Origins           []string             `json:"origins,omitempty" default:"none" jsonschema:"web pages that may use the gateway, by origin such as https://app.example.com; an asterisk stands for any characters"`
	Passthrough       Passthrough          `json:"passthrough,omitempty" default:"[embeddings]" example:"[embeddings, audio]" jsonschema:"the kinds of requests that go on to the provider of the model they name, byte for byte but for that name and the key, as nothing in them is to be healed; none, or an empty list, for no such request"`
	HostedTools       HostedTools          `json:"hosted_tools,omitempty" jsonschema:"what is run for tools that a client's API has its provider run, where the model's provider speaks another API or is not known to run them"`
	Limits            Limits               `json:"limits,omitempty" jsonschema:"what one request may hold"`
	Budget            Budget               `json:"budget,omitzero" default:"no limit" jsonschema:"what all keys, and whoever asks without one, may spend together"`
	DrainTime         time.Duration        `json:"drain_time,omitempty" default:"5m" jsonschema:"how long running requests may take when the gateway is told to end"`
	Metrics           Switch               `json:"metrics,omitempty" default:"on" jsonschema:"whether Prometheus finds figures at /metrics; with keys it needs one with the verb metrics"`
	UI                Switch               `json:"ui,omitempty" default:"on" jsonschema:"whether there are pages for a browser at /ui/; with keys they need one with the verb ui"`
	Telemetry         Telemetry            `json:"telemetry,omitempty" default:"none" jsonschema:"where a span of OpenTelemetry goes for each request"`
	Alerts            Alerts               `json:"alerts,omitempty" default:"none" jsonschema:"a webhook that is told of problems of the gateway and of budgets that are used up"`
	Trace             Trace                `json:"trace,omitempty" default:"none" jsonschema:"what is written down of requests and answers, to be looked at and played again"`
	Cache             callwright.CacheMode `json:"cache,omitempty" default:"auto" jsonschema:"what is asked of the prompt caches of all models: what the client says and what the provider's API needs beside it, the client's words alone, or nothing"`
	Discover          provider.Discovery   `json:"discover,omitempty" default:"auto" jsonschema:"which providers are asked, beside requests, what their models can do: with auto those at loopback and private addresses and OpenRouter, with on all whose answers say something, with off none"`
	Providers         Providers            `json:"providers,omitempty" default:"the table's" jsonschema:"providers by name; of the ones in the table all members may be left out"`
	Models            Models               `json:"models,omitempty" also:"modelOverrides" default:"none" jsonschema:"aliases, overrides of one provider/model or of all models of a name, and patterns with an asterisk"`
	Agent             Agent                `json:"agent,omitempty" default:"none" jsonschema:"settings of agent runs, for callwright run"`
	Experimental      Experimental         `json:"experimental,omitempty" default:"none" jsonschema:"taken over from the files of other programs: nativeToolCalling, true or false, for all models of which nothing else is said"`
	CallRules         CallRules            `json:"call_rules,omitempty" default:"none" jsonschema:"rules that refuse calls of tools, or have a person asked, by tool, arguments and key; they hold for all models"`
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
	NativeToolCalling *bool `json:"nativeToolCalling,omitempty" default:"not said" jsonschema:"true is mode native, false mode [text, native]"`
}

// Limits are the maximum sizes of a request to the gateway. The gateway answers a larger request with status 413.
type Limits struct {
	Body     int64 `json:"body,omitempty" default:"33554432" jsonschema:"bytes of the body"`
	Messages int   `json:"messages,omitempty" default:"20000" jsonschema:"messages, or items, of a conversation"`
	Parts    int   `json:"parts,omitempty" default:"100000" jsonschema:"parts of messages, all together"`
	Tools    int   `json:"tools,omitempty" default:"20000" jsonschema:"declared tools"`
}

// A Trace configures the log of requests and answers.
type Trace struct {
	File    Path          `json:"file,omitempty" default:"none" example:"trace.jsonl" jsonschema:"the file to which the gateway appends what it was asked and answered, readable for its owner alone; a folder, or a name that ends in a slash, gets files of its own. callwright run has --trace for it"`
	NATS    Switch        `json:"nats,omitempty" default:"off" jsonschema:"on: the trace is kept on the NATS of state.nats in place of a file, for all gateways together"`
	Age     time.Duration `json:"age,omitempty" default:"720h" jsonschema:"how long requests are kept that are written to a folder or to NATS"`
	Bytes   int64         `json:"bytes,omitempty" default:"1073741824" jsonschema:"about how many bytes are kept of what is written to a folder or to NATS"`
	Content *bool         `json:"content,omitempty" default:"true" jsonschema:"whether it has what was said: without, lengths take the place of texts, arguments and bodies, and it cannot be played. It holds for --trace, too"`
}

// State configures the stores of the gateway: their place and their size limits.
type State struct {
	Dir  string `json:"dir,omitempty" default:"none" jsonschema:"a folder of this machine, for what is learned of models, below runs for the runs of agents, below evals and probes for evaluations and cards of probes that the dashboard shows, and below nats for what a gateway keeps for its clients"`
	NATS NATS   `json:"nats,omitzero" default:"none" jsonschema:"a NATS server or cluster on which gateways share all of that: its address, or an object with the keys below"`

	Answers    Retention `json:"answers,omitzero" default:"1h, 16777216 bytes, 4096" jsonschema:"how much is kept of the answers that requests may go on from (previous_response_id)"`
	Reports    Retention `json:"reports,omitzero" default:"168h, 8388608 bytes, 1000" jsonschema:"how much is kept of the reports of requests"`
	Signatures Retention `json:"vault,omitzero" default:"1h, 67108864 bytes, 100000" jsonschema:"how much is kept of the state of calls that clients have no place for"`

	Facts    Bounds `json:"facts,omitzero" default:"33554432 bytes, as long as each holds" jsonschema:"on NATS, how much is kept of what is known of models"`
	Runs     Bounds `json:"runs,omitzero" default:"1073741824 bytes, for good" jsonschema:"on NATS, how much is kept of the runs of agents: one that has not gone on for so long is removed, and while all have so many bytes nothing is added"`
	Evals    Bounds `json:"evals,omitzero" default:"1073741824 bytes, for good" jsonschema:"on NATS, how much is kept of the measurements of callwright eval, likewise"`
	Counters Bounds `json:"counters,omitzero" default:"16777216 bytes, a minute longer than each limit asks for" jsonschema:"how much is kept of what keys and conversations have used"`
}

// NATS contains the address of a NATS server or cluster and the credentials for it.
type NATS struct {
	URL         string          `json:"url,omitempty" default:"none" example:"nats://host:4222" jsonschema:"the address, nats:// or tls://; several of one cluster with commas between"`
	Credentials Path            `json:"credentials,omitempty" default:"none" example:"gateway.creds" jsonschema:"a file of credentials, as nsc writes it"`
	User        string          `json:"user,omitempty" default:"none" jsonschema:"the name of a user"`
	Password    provider.Secret `json:"password,omitempty" default:"none" jsonschema:"the password of the user, env:NAME or file:PATH"`
	TLS         NATSTLS         `json:"tls,omitzero" default:"what the machine trusts" jsonschema:"files in PEM form: ca, cert, key"`
	Space       string          `json:"space,omitempty" default:"callwright" jsonschema:"tells installations apart that share a cluster"`
}

// NATSTLS names the PEM files for TLS connections to NATS.
type NATSTLS struct {
	CA   Path `json:"ca,omitempty" default:"what the machine trusts" jsonschema:"who vouches for the servers"`
	Cert Path `json:"cert,omitempty" default:"none" jsonschema:"the certificate of the gateway"`
	Key  Path `json:"key,omitempty" default:"none" jsonschema:"its key"`
}

// Providers are providers in the order of the file.
type Providers []Provider

// A Provider is an endpoint with the settings of all its models.
type Provider struct {
	Name     string                     `json:"-"`
	Wire     callwright.WireName        `json:"wire,omitempty" default:"the table's, else openai" jsonschema:"the API it speaks"`
	BaseURL  string                     `json:"base_url,omitempty" list:"Hosts" default:"the table's" example:"http://127.0.0.1:8000/v1" jsonschema:"what the official SDK of the wire takes: with /v1 for openai, without a version for anthropic; or a list of several, each an address or {url, weight}"`
	APIKey   provider.Secret            `json:"api_key,omitempty" list:"Keys" object:"KeyCommand" default:"the table's variable" jsonschema:"the key, env:NAME, file:PATH, or {command, expires_in} for a program that prints it; or a list of several, each a key or {key, weight}"`
	Auth     cloudauth.Auth             `json:"auth,omitzero" default:"none" jsonschema:"whose credentials requests have in place of a key: one of aws, google and azure"`
	Headers  map[string]provider.Secret `json:"headers,omitempty" default:"none" jsonschema:"headers of every request; a value may be env:NAME or file:PATH"`
	Discover provider.Discovery         `json:"discover,omitempty" default:"that of the file" jsonschema:"whether it is asked what its models can do: off, auto or on"`
	Settings
	Hosts      []Host                `json:"-"` // all addresses if base_url is a list; the first one is also in BaseURL
	Keys       []Key                 `json:"-"` // all keys if api_key is a list; the first one is also in APIKey
	KeyCommand *cloudauth.KeyCommand `json:"-"` // the command that prints the key, in place of APIKey
	unlisted   bool                  // lists of models omit its models unless requested; set for the simulator that Discover adds
}

// Timeouts limit the phases of one request. In a file they are durations such as 10s or 5m.
type Timeouts struct {
	Connect      time.Duration `json:"connect,omitempty" default:"10s" jsonschema:"until a new connection stands"`
	FirstByte    time.Duration `json:"first_byte,omitempty" default:"10m" jsonschema:"until the head of the answer is there; 1m for a stream with a fallback"`
	BetweenBytes time.Duration `json:"between_bytes,omitempty" default:"5m" jsonschema:"silence inside an answer"`
	Total        time.Duration `json:"total,omitempty" default:"none" jsonschema:"the request as a whole, over all tries, models and pauses; beyond it the client gets 504, or the error event of its API"`
}

// Models are the entries of models in the order of the file.
type Models []Model

// A Model is an entry of the key models. Its fields decide its type. With Model it is an alias of that model. With Any
// it is a group of models. Else it contains settings: of one model if its name is provider/model, of all models of a
// name if the name has no provider, or of all models that match if the name has an asterisk, which stands for any
// characters.
type Model struct {
	Name   string               `json:"-"`
	Model  callwright.ModelID   `json:"model,omitempty" default:"the name itself" jsonschema:"what is asked: provider/model, or another alias"`
	Any    []callwright.ModelID `json:"any,omitempty" default:"none" jsonschema:"a group in place of model: models or aliases of which one is chosen for each request, and the others are tried after it"`
	Prefer fitness.Prefer       `json:"prefer,omitempty" default:"health" jsonschema:"which member of a group that can answer is tried first: by health (the success rate of its last calls), cost (of the request), latency (of its last answers) or order (of the list)"`
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
