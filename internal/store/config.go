package store

import (
	"cmp"
	"log/slog"
	"strings"
	"time"

	"github.com/callwright/callwright"
)

// A Config is the configuration of a Store. URL or Dir is required.
type Config struct {
	// URL is the address of a NATS server, nats://host:4222 or tls://host:4222. Several addresses of one cluster are
	// separated by commas.
	URL string
	// Dir is the data directory of a NATS server inside this process. It is created if it does not exist. Dir is ignored
	// if URL is set.
	Dir string
	// Join permits a Dir that another process has locked. The Store then uses the server of that process, and locks Dir
	// itself when that process ends. Without Join, Open fails for such a Dir.
	Join bool

	Credentials    string // path of a credentials file with a JWT and a key, as nsc writes it
	User, Password string
	// CurrentPassword, if not nil, replaces Password. It is called for each connection, so that the password may change.
	CurrentPassword func() string
	TLS             TLS

	// Space is the name of an installation. Gateways with the same Space share all data, and several installations can
	// share a cluster. The default is DefaultSpace.
	Space string
	// Keep holds the limits of stored data by kind. Other kinds have the limits returned by Bounds. The limits of Answers,
	// Reports and Traces are set elsewhere.
	Keep map[Kind]Limits
	// Logger logs lost and restored connections to NATS. Nil disables logging.
	Logger *slog.Logger
	// Now returns the current time for data that the Store expires itself. Nil means time.Now.
	Now func() time.Time
}

// A TLS names PEM files. CA holds the certificate authorities of the servers; "" means the system's. Cert and Key are
// the client certificate and its key.
type TLS struct{ CA, Cert, Key string }

// DefaultSpace is the default of Config.Space.
const DefaultSpace = "callwright"

// A Kind names a kind of stored data. Each kind has its own NATS stream.
type Kind string

// The kinds of stored data. The string is a part of the stream's name.
const (
	Facts      Kind = "facts"    // learned facts about models
	Runs       Kind = "runs"     // journals of agent runs
	Queues     Kind = "queues"   // queues of evaluation runs
	Signatures Kind = "vault"    // reasoning signatures and other opaque state of tool calls
	Counters   Kind = "counters" // current usage of keys, for their limits
	Answers    Kind = "answers"  // model responses that later requests may refer to
	Reports    Kind = "reports"  // reports of requests
	Traces     Kind = "traces"   // traces of requests
	Keys       Kind = "keys"     // keys created at run time, with their history
	Usage      Kind = "usage"    // usage of keys by day and model

	cooldowns Kind = "cooldowns" // cooldowns of the keys and hosts of providers
	turns     Kind = "turns"     // conversation turns of stored responses
	summaries Kind = "summaries" // summaries of traces
)

// label returns the name of the kind in messages.
func (k Kind) label() string {
	if k == Signatures {
		return "reasoning signatures"
	}
	return string(k)
}

// Limits are the limits of stored data of a kind. Above Bytes, the oldest entries are deleted; Runs, Queues and Keys
// reject new entries instead. Entries expire at Age, counted from the time of writing, or for Runs and Queues from the
// last change. Zero Age means that entries never expire.
type Limits struct {
	Bytes int64
	Age   time.Duration
}

const mebi = 1 << 20

// A row is a Kind with the settings of its stream.
type row struct {
	kind   Kind
	limits Limits
	// lasting makes a full stream reject new entries instead of deleting old ones.
	lasting bool
	// whole returns a subject pattern for all messages that expire together with the message of the given subject tokens,
	// such as those of a run. Nil means that each message expires separately.
	whole func(tokens []string) []string
	// relaxed allows a server in this process to acknowledge a write before it is on disk.
	relaxed bool
	latest  int64 // maximum number of messages per subject, 0 for no limit
}

// rows lists all kinds with their default limits.
var rows = []row{
	{kind: Facts, limits: Limits{Bytes: 32 * mebi}, latest: 1},
	{kind: Runs, limits: Limits{Bytes: 1024 * mebi}, lasting: true, whole: wholeRun},
	{kind: Queues, limits: Limits{Bytes: 1024 * mebi}, lasting: true, latest: 1, whole: wholeQueue},
	{kind: Signatures, limits: Limits{Bytes: 64 * mebi, Age: time.Hour}, relaxed: true, latest: 32},
	{kind: Counters, limits: Limits{Bytes: 16 * mebi}, relaxed: true, latest: 1},
	{kind: cooldowns, limits: Limits{Bytes: mebi, Age: 2 * time.Hour}, relaxed: true, latest: 1},
	{kind: Answers, latest: 1},
	{kind: turns, latest: 1},
	{kind: Reports, relaxed: true, latest: 1},
	{kind: Traces, relaxed: true},
	{kind: summaries, relaxed: true, latest: 1},
	{kind: Keys, limits: Limits{Bytes: 256 * mebi}, lasting: true, latest: 64},
	{kind: Usage, limits: Limits{Bytes: 256 * mebi, Age: 400 * 24 * time.Hour}, relaxed: true, latest: 1},
}

// Bounds returns the default Limits of a kind. They are zero for an unknown kind.
func Bounds(k Kind) Limits {
	for _, r := range rows {
		if r.kind == k {
			return r.limits
		}
	}
	return Limits{}
}

const opOpen = "store.open"

// validate returns an error if the Config is invalid.
func (c *Config) validate() error {
	if c.URL == "" && c.Dir == "" {
		return callwright.Errorf(opOpen, callwright.KindInvalid, "", "expected the address of a NATS server or a folder, got neither")
	}
	for _, r := range c.Space {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' && r != '-' {
			return callwright.Errorf(opOpen, callwright.KindInvalid, "", "expected a space of a to z, 0 to 9, '_' and '-', got %q", c.Space)
		}
	}
	for k, l := range c.Keep {
		if Bounds(k) == (Limits{}) {
			return callwright.Errorf(opOpen, callwright.KindInvalid, "", "unknown kind of data %q for a limit", k)
		}
		if l.Bytes < 0 || l.Age < 0 {
			return callwright.Errorf(opOpen, callwright.KindInvalid, "", "expected limits of at least 0 for %s, got %d bytes and %v", k, l.Bytes, l.Age)
		}
	}
	return nil
}

// limits returns the configured limits of a kind, or its defaults.
func (c *Config) limits(r *row) bounds {
	l := c.Keep[r.kind]
	return bounds{bytes: cmp.Or(l.Bytes, r.limits.Bytes), age: cmp.Or(l.Age, r.limits.Age)}
}

// bounds are the limits of a stream. Zero or negative values mean no limit.
type bounds struct {
	bytes int64
	age   time.Duration
	count int64 // maximum number of messages
}

// place returns the directory or the addresses of the server, for errors and Health. Addresses are returned without
// credentials.
func (c *Config) place() string {
	if c.URL == "" {
		return c.Dir
	}
	var hosts []string
	for address := range strings.SplitSeq(c.URL, ",") {
		address = strings.TrimSpace(address)
		if at := strings.LastIndexByte(address, '@'); at >= 0 {
			scheme, _, _ := strings.Cut(address, "://")
			address = scheme + "://" + address[at+1:]
		}
		hosts = append(hosts, address)
	}
	return strings.Join(hosts, ",")
}
