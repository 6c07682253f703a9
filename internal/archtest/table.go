package archtest

// A Room is a package of this module, what it may import of ours and how large it may be.
type Room struct {
	Path   string   // below the module; "." is the root; a final "/..." means all below too
	Floor  int      // 0 leaves, 1 vocabulary, 2 rooms, 3 shells
	Beside []string // on the same floor, what it may import; a final "/..." as above
	Below  []string // when not nil: of the floors below, what it may import
	Only   []string // when not empty: the only ones that may import it
	Suite  bool     // it is made for tests, which alone import it, and other suites

	// MaxLines and MaxFields are used in place of those of Sizes where they are not zero.
	MaxLines, MaxFields int
}

// An Owner is third-party code and the rooms that may import it. Of several that fit an import the longest counts.
type Owner struct {
	Path  string   // a module, or a part of one
	Rooms []string // paths as in Room; empty: only tests and suites may
}

// Sizes are the limits of this module.
var Sizes = Limits{RoomLines: 5000, FileLines: 500, FuncLines: 60, Fields: 25}

// Exceptions are the struct types that have more fields than their limit for now.
var Exceptions = []string{}

// Rooms has every package there may be, whether it exists yet or not.
var Rooms = []Room{
	{Path: "internal/archtest", Floor: 0},
	{Path: "internal/jsonx", Floor: 0},
	{Path: "internal/pool", Floor: 0},
	{Path: "internal/lru", Floor: 0},
	{Path: "internal/spelling", Floor: 0},
	{Path: "internal/record", Floor: 0},
	{Path: "internal/filelock", Floor: 0},
	{Path: "internal/boundedfile", Floor: 0},
	{Path: "internal/atomicfile", Floor: 0, Beside: []string{"internal/filelock"}},
	{Path: "internal/jsonpatch", Floor: 0, Beside: []string{"internal/jsonx", "internal/spelling"}, Only: []string{"workspace", "internal/jsonpatch/..."}},
	{Path: "internal/testclock", Floor: 0, Only: []string{"access/counterstest", "archive/archivetest", "trace/logtest", "vault/vaulttest"}},
	{Path: "internal/jsonpatch/patchtest", Floor: 0, Beside: []string{"internal/jsonx", "internal/jsonpatch"}, Suite: true},
	{Path: "internal/freeport", Floor: 0, Suite: true},
	{Path: "internal/perfpage", Floor: 0},
	{Path: "internal/capsgen", Floor: 0, Beside: []string{"caps"}},
	{Path: "sse", Floor: 0},
	{Path: "schema", Floor: 0, Beside: []string{"internal/jsonx", "internal/lru", "internal/pool"}},
	{Path: "schema/compose", Floor: 0, Beside: []string{"internal/jsonx"}},
	{Path: "schema/lens", Floor: 0, Beside: []string{"internal/jsonx", "internal/lru", "schema"}},
	{Path: "repair", Floor: 0, Beside: []string{"internal/jsonx"}},
	{Path: "caps/shelftest", Floor: 0, Beside: []string{"caps"}, Suite: true},
	{Path: "caps/factfile", Floor: 0, Beside: []string{"caps", "internal/atomicfile", "internal/boundedfile"}, Only: []string{"config"}},
	{Path: "caps", Floor: 0, Beside: []string{"internal/jsonx"}, MaxFields: 50}, // a field for each fact
	{Path: "dialect", Floor: 0, Beside: []string{"internal/jsonx", "repair", "dialect/internal/arith", "dialect/internal/callshape", "dialect/internal/chars", "dialect/internal/definition", "dialect/internal/harmony", "dialect/internal/hash",
		"dialect/internal/label", "dialect/internal/literal", "dialect/internal/markup", "dialect/internal/render", "dialect/internal/result", "dialect/internal/shown", "dialect/internal/toolname", "dialect/internal/yaml"}, MaxLines: 9600}, // all formats and one scanner, which share their states
	{Path: "dialect/internal/arith", Floor: 0, Only: []string{"dialect", "dialect/internal/literal"}},
	{Path: "dialect/internal/callshape", Floor: 0, Beside: []string{"internal/jsonx", "dialect/internal/chars"}, Only: []string{"dialect"}},
	{Path: "dialect/internal/chars", Floor: 0, Only: []string{"dialect", "dialect/internal/callshape", "dialect/internal/label", "dialect/internal/literal", "dialect/internal/markup", "dialect/internal/shown", "dialect/internal/toolname"}},
	{Path: "dialect/internal/harmony", Floor: 0, Only: []string{"dialect"}},
	{Path: "dialect/internal/hash", Floor: 0, Beside: []string{"internal/jsonx"}, Only: []string{"dialect"}},
	{Path: "dialect/internal/label", Floor: 0, Beside: []string{"dialect/internal/chars"}, Only: []string{"dialect"}},
	{Path: "dialect/internal/literal", Floor: 0, Beside: []string{"internal/jsonx", "repair", "dialect/internal/arith", "dialect/internal/chars", "dialect/internal/markup"}, Only: []string{"dialect", "dialect/internal/render"}},
	{Path: "dialect/internal/markup", Floor: 0, Beside: []string{"internal/jsonx", "dialect/internal/chars"}, Only: []string{"dialect", "dialect/internal/literal", "dialect/internal/render"}},
	{Path: "dialect/internal/definition", Floor: 0, Beside: []string{"internal/jsonx"}, Only: []string{"dialect"}},
	{Path: "dialect/internal/render", Floor: 0, Beside: []string{"internal/jsonx", "dialect/internal/literal", "dialect/internal/markup", "dialect/internal/result"}, Only: []string{"dialect"}},
	{Path: "dialect/internal/result", Floor: 0, Beside: []string{"internal/jsonx"}, Only: []string{"dialect", "dialect/internal/render"}},
	{Path: "dialect/internal/shown", Floor: 0, Beside: []string{"dialect/internal/chars"}, Only: []string{"dialect"}},
	{Path: "dialect/internal/toolname", Floor: 0, Beside: []string{"dialect/internal/chars"}, Only: []string{"dialect"}},
	{Path: "dialect/internal/yaml", Floor: 0, Beside: []string{"internal/jsonx"}, Only: []string{"dialect"}},
	{Path: "dialect/describe", Floor: 0, Beside: []string{"internal/jsonx", "repair", "dialect"}},
	{Path: "dialect/dialecttest", Floor: 0, Beside: []string{"internal/jsonx", "repair", "dialect"}, Suite: true},

	{Path: ".", Floor: 1, Below: []string{"caps", "internal/jsonx"}, MaxLines: 2000},

	{Path: "wire", Floor: 2, Beside: []string{"wire/internal/kit"}, Only: []string{"provider", "gateway", "simulate", "wire/...", "cmd/..."}},
	{Path: "wire/internal/kit", Floor: 2, Beside: []string{"wire/internal/citation"}, Only: []string{"wire/..."}},
	{Path: "wire/internal/citation", Floor: 2, Only: []string{"wire/..."}, MaxLines: 1200},                           // sources that answers name, in one form for all APIs
	{Path: "wire/internal/promptcache", Floor: 2, Beside: []string{"wire/internal/kit"}, Only: []string{"wire/..."}}, // what is said about caching, in one form for the APIs that share it
	{Path: "wire/internal/refusal", Floor: 2, Only: []string{"wire/..."}, MaxLines: 1000},                            // providers' wording, which any API may pass on
	{Path: "wire/openai", Floor: 2, Beside: []string{"wire", "wire/internal/citation", "wire/internal/kit", "wire/internal/promptcache", "wire/internal/refusal"}},
	{Path: "wire/responses", Floor: 2, Beside: []string{"wire", "wire/internal/citation", "wire/internal/kit", "wire/internal/promptcache", "wire/openai", "wire/responses/internal/items"}}, // one vendor, one shape of errors
	{Path: "wire/responses/internal/items", Floor: 2, Beside: []string{"wire", "wire/internal/kit"}, Only: []string{"wire/responses"}},
	{Path: "wire/anthropic", Floor: 2, Beside: []string{"wire", "wire/internal/citation", "wire/internal/kit", "wire/internal/promptcache", "wire/internal/refusal"}},
	{Path: "wire/gemini", Floor: 2, Beside: []string{"wire", "wire/internal/citation", "wire/internal/kit", "wire/internal/refusal"}},
	{Path: "wire/ollama", Floor: 2, Beside: []string{"wire", "wire/internal/kit", "wire/internal/refusal"}},
	{Path: "wire/codecs", Floor: 2, Beside: []string{"wire/..."}},
	{Path: "wire/wiretest", Floor: 2, Beside: []string{"wire"}, Suite: true},
	{Path: "interop", Floor: 2},
	{Path: "vault", Floor: 2},
	{Path: "vault/vaulttest", Floor: 2, Beside: []string{"vault"}, Suite: true},
	{Path: "access", Floor: 2, MaxLines: 2300},
	{Path: "access/counterstest", Floor: 2, Beside: []string{"access"}, Suite: true},
	{Path: "transform", Floor: 2, Only: []string{"reliable", "reliable/internal/learning", "reliable/internal/outbound", "config", "config/internal/tuned", "gateway", "dashboard", "cmd/..."}}, // functions of programs, which stages call by name
	{Path: "reliable", Floor: 2, Beside: []string{"transform", "vault", "reliable/internal/judge", "reliable/internal/outbound", "reliable/internal/inbound", "reliable/internal/correction", "reliable/internal/form", "reliable/internal/learning", "reliable/internal/located", "reliable/internal/parallel", "reliable/internal/toolsearch", "reliable/internal/translate"},
		Only: []string{"config", "gateway", "dashboard", "cmd/..."}, MaxLines: 2000},
	// Searches for deferred tools: the ranking, and the two APIs that have such a search.
	{Path: "reliable/internal/toolsearch", Floor: 2, Only: []string{"reliable", "reliable/internal/judge", "reliable/internal/selection", "reliable/internal/inbound"}, MaxLines: 1000},
	{Path: "reliable/internal/judge", Floor: 2, Beside: []string{"reliable/internal/toolsearch"}, Only: []string{"reliable", "reliable/internal/parallel", "reliable/internal/selection", "reliable/internal/outbound", "reliable/internal/inbound", "reliable/internal/unpack", "reliable/internal/correction", "reliable/internal/translate"}, MaxLines: 2000},
	{Path: "reliable/internal/translate", Floor: 2, Beside: []string{"reliable/internal/judge"}, Only: []string{"reliable", "reliable/internal/learning", "reliable/internal/outbound"}}, // what is done to tools and schemas for a receiver, the caches included
	{Path: "reliable/internal/parallel", Floor: 2, Beside: []string{"reliable/internal/judge"}, Only: []string{"reliable", "reliable/internal/outbound"}, MaxLines: 500},
	{Path: "reliable/internal/selection", Floor: 2, Beside: []string{"reliable/internal/judge", "reliable/internal/toolsearch"}, Only: []string{"reliable/internal/outbound"}, MaxLines: 500},
	{Path: "reliable/internal/outbound", Floor: 2, Beside: []string{"transform", "vault", "reliable/internal/judge", "reliable/internal/parallel", "reliable/internal/selection", "reliable/internal/translate"}, Only: []string{"reliable", "reliable/internal/correction", "reliable/internal/learning"}, MaxLines: 2000},
	{Path: "reliable/internal/eventqueue", Floor: 2, Only: []string{"reliable/internal/inbound"}},
	{Path: "reliable/internal/form", Floor: 2, Beside: []string{"vault"}, Only: []string{"reliable", "reliable/internal/inbound"}, MaxLines: 500},
	{Path: "reliable/internal/unpack", Floor: 2, Beside: []string{"reliable/internal/judge"}, Only: []string{"reliable/internal/inbound"}, MaxLines: 500},
	{Path: "reliable/internal/inbound", Floor: 2, Beside: []string{"reliable/internal/eventqueue", "reliable/internal/form", "reliable/internal/judge", "reliable/internal/toolsearch", "reliable/internal/unpack"}, Only: []string{"reliable", "reliable/internal/correction", "reliable/internal/learning"}, MaxLines: 2000},
	{Path: "reliable/internal/correction", Floor: 2, Beside: []string{"reliable/internal/judge", "reliable/internal/outbound", "reliable/internal/inbound"}, Only: []string{"reliable"}, MaxLines: 2000},
	{Path: "reliable/internal/learning", Floor: 2, Beside: []string{"internal/evidence", "transform", "reliable/internal/translate", "reliable/internal/outbound", "reliable/internal/inbound"}, Only: []string{"reliable"}, MaxLines: 2000}, // what answers and refusals teach
	{Path: "reliable/internal/located", Floor: 2, Only: []string{"reliable"}},
	{Path: "provider", Floor: 2, Beside: []string{"wire/...", "provider/internal/http1"}},
	{Path: "provider/internal/http1", Floor: 2, Only: []string{"provider"}},
	{Path: "probe", Floor: 2, Beside: []string{"internal/evidence"}},
	{Path: "probe/cardfile", Floor: 2, Beside: []string{"probe"}, Only: []string{"config", "cmd/..."}},
	{Path: "probe/background", Floor: 2, Beside: []string{"probe"}, Only: []string{"config", "config/internal/tuned"}},
	{Path: "config/internal/tuned", Floor: 2, Beside: []string{"probe/background", "provider", "transform"}, Only: []string{"config"}, MaxLines: 500},
	{Path: "conversation", Floor: 2}, // a conversation as JSON, in the vocabulary itself
	{Path: "agent", Floor: 2, Beside: []string{"conversation"}},
	{Path: "agent/toolfile", Floor: 2, Beside: []string{"agent"}},
	{Path: "agent/filejournal", Floor: 2, Beside: []string{"agent", "internal/fileerror"}},
	{Path: "agent/journaltest", Floor: 2, Beside: []string{"agent"}, Suite: true},
	{Path: "hosted", Floor: 2, Only: []string{"gateway", "cmd/..."}, MaxLines: 1000},
	{Path: "mcptool", Floor: 2, Beside: []string{"agent"}},
	{Path: "directive", Floor: 2, Beside: []string{"directive/internal/answer", "internal/evidence"}},
	{Path: "directive/internal/answer", Floor: 2, Only: []string{"directive"}},
	{Path: "workspace", Floor: 2},
	{Path: "workspace/filestore", Floor: 2, Beside: []string{"workspace", "internal/fileerror"}},
	{Path: "workspace/statetool", Floor: 2, Beside: []string{"agent", "workspace"}},
	{Path: "workspace/workspacetest", Floor: 2, Beside: []string{"workspace"}, Suite: true},
	{Path: "archive", Floor: 2, MaxLines: 1000},
	{Path: "archive/archivetest", Floor: 2, Beside: []string{"archive"}, Suite: true, MaxLines: 1000},
	{Path: "trace", Floor: 2, Beside: []string{"conversation"}},
	{Path: "trace/logtest", Floor: 2, Beside: []string{"conversation", "trace"}, Suite: true},
	{Path: "eval", Floor: 2, Beside: []string{"agent", "conversation", "directive", "trace", "simulate", "workspace", "workspace/statetool"}, MaxFields: 26}, // a count for each thing that reports show
	{Path: "eval/filequeue", Floor: 2, Beside: []string{"eval", "internal/fileerror"}},
	{Path: "eval/queuetest", Floor: 2, Beside: []string{"eval"}, Suite: true},
	{Path: "eval/internal/terms", Floor: 2, Only: []string{"eval/catalog", "eval/profile"}},
	{Path: "eval/catalog", Floor: 2, Beside: []string{"eval/internal/terms"}, Only: []string{"cmd/..."}},
	{Path: "eval/profile", Floor: 2, Beside: []string{"eval/internal/terms"}, Only: []string{"cmd/..."}},
	{Path: "eval/report", Floor: 2, Beside: []string{"eval", "eval/report/internal/grid", "eval/report/internal/layout", "eval/report/internal/stats"}, MaxLines: 2000},
	{Path: "eval/report/internal/grid", Floor: 0, Beside: []string{"internal/jsonx"}, Only: []string{"eval/report", "eval/report/internal/layout"}},
	{Path: "eval/report/internal/layout", Floor: 0, Beside: []string{"eval/report/internal/grid"}, Only: []string{"eval/report"}},
	{Path: "eval/report/internal/stats", Floor: 0, Only: []string{"eval/report"}},
	{Path: "store", Floor: 2, Beside: []string{"access", "agent", "archive", "eval", "internal/fileerror", "trace", "vault", "workspace"}, Only: []string{"cmd/..."}},
	{Path: "store/natstest", Floor: 2, Suite: true},
	{Path: "simulate", Floor: 2, Beside: []string{"wire/..."}, MaxLines: 9500}, // five APIs from their documentation, so that no codec is tested against itself
	{Path: "internal/evidence", Floor: 2},
	{Path: "internal/fileerror", Floor: 2},
	{Path: "internal/disktest", Floor: 2, Suite: true},
	{Path: "internal/testcert", Floor: 2, Suite: true},

	{Path: "config", Floor: 3, MaxFields: 26, MaxLines: 5500}, // one reader of all files, which knows where everything stands
	{Path: "gateway", Floor: 3, Beside: []string{"gateway/internal/clientconn"}},
	{Path: "gateway/internal/clientconn", Floor: 3, Only: []string{"gateway"}},
	{Path: "telemetry", Floor: 3, Beside: []string{"gateway"}, MaxLines: 2000},
	{Path: "dashboard", Floor: 3, Beside: []string{"dashboard/internal/evallist", "dashboard/internal/figures", "dashboard/internal/inplace", "dashboard/internal/runlist", "dashboard/internal/steps", "dashboard/internal/guard"}, MaxLines: 2000},
	{Path: "dashboard/internal/evallist", Floor: 2, Beside: []string{"eval", "eval/report"}, Only: []string{"dashboard"}, MaxLines: 500},
	{Path: "dashboard/internal/guard", Floor: 3, Only: []string{"dashboard"}, MaxLines: 500},
	{Path: "dashboard/internal/runlist", Floor: 2, Beside: []string{"agent"}, Only: []string{"dashboard"}, MaxLines: 500},
	{Path: "dashboard/internal/figures", Floor: 2, Beside: []string{"archive"}, Only: []string{"dashboard"}, MaxLines: 500},
	{Path: "dashboard/internal/inplace", Floor: 2, Only: []string{"dashboard", "dashboard/internal/steps"}, MaxLines: 500},
	{Path: "dashboard/internal/static", Floor: 0, Only: []string{"dashboard"}, MaxLines: 500},
	{Path: "dashboard/internal/steps", Floor: 2, Beside: []string{"conversation", "dashboard/internal/inplace", "provider", "trace", "wire/codecs"}, Only: []string{"dashboard"}, MaxLines: 500},
	{Path: "internal/reliability", Floor: 3, MaxLines: 10},                                                         // tests alone
	{Path: "cmd/callwright", Floor: 3, Beside: []string{"config", "gateway", "telemetry", "dashboard", "cmd/..."}}, // a file or two for each command
	{Path: "cmd/...", Floor: 3, Beside: []string{"config", "gateway", "telemetry", "dashboard", "cmd/..."}},
}

// Owners has every module that may be imported.
var Owners = []Owner{
	{Path: "github.com/santhosh-tekuri/jsonschema", Rooms: []string{"schema"}},
	{Path: "golang.org/x/text", Rooms: []string{"schema"}},
	{Path: "github.com/google/jsonschema-go", Rooms: []string{"schema", "mcptool", "config"}},
	{Path: "github.com/go-json-experiment/json", Rooms: []string{"internal/jsonx"}},
	{Path: "github.com/goccy/go-yaml", Rooms: []string{"config"}},
	{Path: "github.com/modelcontextprotocol/go-sdk", Rooms: []string{"mcptool"}},
	{Path: "github.com/nats-io", Rooms: []string{"store", "store/natstest"}},
	{Path: "go.opentelemetry.io/otel", Rooms: []string{"telemetry"}},
	{Path: "github.com/prometheus", Rooms: []string{"telemetry"}},
	{Path: "github.com/spf13/cobra", Rooms: []string{"cmd/..."}},
	{Path: "github.com/spf13/pflag", Rooms: []string{"cmd/..."}},
	{Path: "github.com/cenkalti/backoff", Rooms: []string{"provider", "store"}},
	{Path: "github.com/sony/gobreaker", Rooms: []string{"provider"}},
	{Path: "golang.org/x/sys/windows", Rooms: []string{"internal/filelock"}},
	{Path: "golang.org/x/term", Rooms: []string{"cmd/..."}},
	{Path: "golang.org/x/time", Rooms: []string{"provider", "agent", "gateway"}},
	{Path: "golang.org/x/sync", Rooms: []string{".", "provider", "probe", "agent", "mcptool", "eval", "store", "gateway", "cmd/..."}},
	{Path: "github.com/cespare/xxhash", Rooms: []string{"reliable"}},
	{Path: "github.com/google/uuid", Rooms: []string{"reliable", "agent", "workspace", "trace", "eval", "store", "simulate", "gateway", "cmd/..."}},

	{Path: "github.com/google/go-cmp"},
	{Path: "github.com/rogpeppe/go-internal"},
	{Path: "pgregory.net/rapid"},
	{Path: "go.uber.org/goleak"},
	{Path: "golang.org/x/tools/txtar"},
	{Path: "github.com/kaptinlin/jsonrepair"},
	{Path: "github.com/evanphx/json-patch"},
	{Path: "github.com/tmaxmax/go-sse"},
	{Path: "github.com/chromedp"},
}

// Embedded are the rooms that a program with tool calls of its own imports. Nothing in Heavy may come with them,
// however far down.
var (
	Embedded = []string{".", "sse", "schema", "schema/compose", "schema/lens", "repair", "dialect", "caps", "vault", "wire/...", "provider", "interop", "transform", "reliable", "agent", "directive", "workspace/..."}
	Heavy    = []string{"github.com/nats-io", "go.opentelemetry.io/otel/sdk", "go.opentelemetry.io/otel/exporters", "github.com/spf13/cobra",
		"github.com/modelcontextprotocol/go-sdk"}
)

// A Light is a room that other programs import for itself alone: nothing in Without may come with it.
type Light struct {
	Room    string
	Without []string
}

// Lights are the rooms that work without judging calls.
var Lights = []Light{
	{Room: "interop", Without: []string{"github.com/santhosh-tekuri/jsonschema", "golang.org/x/text", "github.com/google/uuid"}},
	{Room: "provider", Without: []string{"github.com/santhosh-tekuri/jsonschema", "golang.org/x/text", "github.com/google/uuid"}},
}
