package store

import (
	"cmp"
	"log/slog"
	"strings"
	"time"

	"github.com/callwright/callwright"
)

// A Config names the place of a Store's data. It needs URL or Dir.
type Config struct {
	// URL is the address of a NATS server, nats://host:4222 or tls://host:4222, or several of one cluster with commas
	// between.
	URL string
	// Dir is the folder of a server inside the process. It is created where it does not exist. Dir is used where URL is
	// empty.
	Dir string
	// Join makes a Store whose folder another process has locked use the server of that process, and lock the folder when
	// that process ends. Without Join, Open fails.
	Join bool

	Credentials    string // a file with a JWT and a key, as nsc writes it
	User, Password string
	// CurrentPassword returns the password in place of Password, at each connection: it may change. Nil for one that
	// does not.
	CurrentPassword func() string
	TLS             TLS

	// Space is the name of an installation, for installations that share a cluster; the default is "callwright". Gateways
	// with the same Space share all data.
	Space string
	// Keep are the limits of stored data by kind. Kinds that are not in Keep have the limits of Bounds. Answers, reports
	// and traces have limits of their own.
	Keep map[Kind]Limits
	// Logger logs lost and restored connections to NATS; nil logs nothing.
	Logger *slog.Logger
	// Now returns the current time, for data that the store itself expires; nil is time.Now.
	Now func() time.Time
}

// A TLS has the names of files in PEM form. CA has the certificate authorities of the servers, "" for those of the
// machine. Cert and Key are the client's certificate and its key.
type TLS struct{ CA, Cert, Key string }

// DefaultSpace is the space of a Config that names none.
const DefaultSpace = "callwright"

// A Kind is the kind of data in a stream.
type Kind string

// The kinds.
const (
	Facts      Kind = "facts"    // about models
	Runs       Kind = "runs"     // of agents
	Queues     Kind = "queues"   // of measurements
	Signatures Kind = "vault"    // opaque state of calls
	Counters   Kind = "counters" // of the usage of keys
	Answers    Kind = "answers"  // that clients go on from
	Reports    Kind = "reports"  // of requests
	Traces     Kind = "traces"   // of requests
	Keys       Kind = "keys"     // that are made while gateways run, with their history
	Usage      Kind = "usage"    // of keys, by day and model

	cooldowns Kind = "cooldowns" // of keys and hosts of providers
	turns     Kind = "turns"     // of the conversations of answers
	summaries Kind = "summaries" // of traces
)

// Limits bound the stored data of a kind. At Bytes the oldest entries are deleted, but for runs and queues, which
// reject new entries. Age counts from the time of writing, for runs and queues from their last change. A zero Age keeps
// entries forever.
type Limits struct {
	Bytes int64
	Age   time.Duration
}

const mebi = 1 << 20

// A row is a kind with the settings of its stream.
type row struct {
	kind   Kind
	limits Limits
	// lasting says that no data of the kind may be lost: a full stream rejects new entries.
	lasting bool
	// whole returns the pattern of the subjects that are removed together when their last change is too old; nil where
	// each message is removed by its own age.
	whole func(tokens []string) []string
	// relaxed says that a write need not be on disk at once.
	relaxed bool
	latest  int64 // how many messages of one subject are kept, 0 for all
}

// rows has every kind.
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

// Bounds returns the Limits of a kind that is not in Config.Keep.
func Bounds(k Kind) Limits {
	for _, r := range rows {
		if r.kind == k {
			return r.limits
		}
	}
	return Limits{}
}

const opOpen = "store.open"

// validate reports why a Config cannot be used.
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
			return callwright.Errorf(opOpen, callwright.KindInvalid, "", "there is nothing of the kind %q to bound", k)
		}
		if l.Bytes < 0 || l.Age < 0 {
			return callwright.Errorf(opOpen, callwright.KindInvalid, "", "expected bounds from 0 for %s, got %d bytes and %v", k, l.Bytes, l.Age)
		}
	}
	return nil
}

// limits are the bounds of a row.
func (c *Config) limits(r *row) bounds {
	l := c.Keep[r.kind]
	return bounds{bytes: cmp.Or(l.Bytes, r.limits.Bytes), age: cmp.Or(l.Age, r.limits.Age)}
}

// bounds are the limits of a stream. A value that is not positive is no limit.
type bounds struct {
	bytes int64
	age   time.Duration
	count int64 // of messages
}

// place returns the name of the state's place for errors and Health. An address is shown without parts that could be a
// password.
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
