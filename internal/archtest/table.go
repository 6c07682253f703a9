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
	{Path: "internal/testclock", Floor: 0, Only: []string{"internal/access/counterstest", "internal/archive/archivetest", "internal/trace/logtest", "internal/signaturetest"}},
	{Path: "internal/jsonpatch/patchtest", Floor: 0, Beside: []string{"internal/jsonx", "internal/jsonpatch"}, Suite: true},
	{Path: "internal/freeport", Floor: 0, Suite: true},
	{Path: "internal/prerequisite", Floor: 0, Suite: true},
	{Path: "internal/perfpage", Floor: 0},
	{Path: "internal/capsgen", Floor: 0, Beside: []string{"caps"}},
	{Path: "sse", Floor: 0},
	{Path: "schema", Floor: 0, Beside: []string{"internal/jsonx", "internal/lru", "internal/pool"}},
	{Path: "internal/compose", Floor: 0, Beside: []string{"internal/jsonx"}},
	{Path: "schema/adapter", Floor: 0, Beside: []string{"internal/jsonx", "internal/lru", "schema"}},
	{Path: "repair", Floor: 0, Beside: []string{"internal/jsonx"}},
	{Path: "internal/shelftest", Floor: 0, Beside: []string{"caps"}, Suite: true},
	{Path: "internal/factfile", Floor: 0, Beside: []string{"caps", "internal/atomicfile", "internal/boundedfile"}, Only: []string{"internal/config"}},
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
	{Path: "dialect/internal/dialecttest", Floor: 0, Beside: []string{"internal/jsonx", "repair", "dialect"}, Suite: true},

	{Path: ".", Floor: 1, Below: []string{"caps", "internal/jsonx"}, MaxLines: 2100},

	{Path: "internal/wire", Floor: 2, Beside: []string{"internal/wire/internal/kit"}, Only: []string{"provider", "internal/gateway", "simulate", "internal/wire/...", "cmd/..."}},
	{Path: "internal/wire/internal/kit", Floor: 2, Beside: []string{"internal/wire/internal/citation"}, Only: []string{"internal/wire/..."}},
	{Path: "internal/wire/internal/citation", Floor: 2, Only: []string{"internal/wire/..."}, MaxLines: 1200},                                    // sources that answers name, in one form for all APIs
	{Path: "internal/wire/internal/promptcache", Floor: 2, Beside: []string{"internal/wire/internal/kit"}, Only: []string{"internal/wire/..."}}, // what is said about caching, in one form for the APIs that share it
	{Path: "internal/wire/internal/refusal", Floor: 2, Only: []string{"internal/wire/..."}, MaxLines: 1000},                                     // providers' wording, which any API may pass on
	{Path: "internal/wire/openai", Floor: 2, Beside: []string{"internal/wire", "internal/wire/internal/citation", "internal/wire/internal/kit", "internal/wire/internal/promptcache", "internal/wire/internal/refusal"}},
	{Path: "internal/wire/responses", Floor: 2, MaxLines: 5050, Beside: []string{"internal/wire", "internal/wire/internal/citation", "internal/wire/internal/kit", "internal/wire/internal/promptcache", "internal/wire/openai", "internal/wire/responses/internal/items"}}, // one vendor, one shape of errors
	{Path: "internal/wire/responses/internal/items", Floor: 2, Beside: []string{"internal/wire", "internal/wire/internal/kit"}, Only: []string{"internal/wire/responses"}},
	{Path: "internal/wire/anthropic", Floor: 2, Beside: []string{"internal/wire", "internal/wire/internal/citation", "internal/wire/internal/kit", "internal/wire/internal/promptcache", "internal/wire/internal/refusal"}},
	{Path: "internal/wire/gemini", Floor: 2, Beside: []string{"internal/wire", "internal/wire/internal/citation", "internal/wire/internal/kit", "internal/wire/internal/refusal"}},
	{Path: "internal/wire/ollama", Floor: 2, Beside: []string{"internal/wire", "internal/wire/internal/kit", "internal/wire/internal/refusal"}},
	{Path: "internal/wire/codecs", Floor: 2, Beside: []string{"internal/wire/..."}},
	{Path: "internal/wire/wiretest", Floor: 2, Beside: []string{"internal/wire"}, Suite: true},
	{Path: "interop", Floor: 2},
	{Path: "signature", Floor: 2},
	{Path: "internal/signaturetest", Floor: 2, Beside: []string{"signature"}, Suite: true},
	{Path: "internal/access", Floor: 2, MaxLines: 2300},
	{Path: "internal/access/counterstest", Floor: 2, Beside: []string{"internal/access"}, Suite: true},
	{Path: "transform", Floor: 2, Only: []string{"reliable", "reliable/internal/learning", "reliable/internal/outbound", "internal/config", "internal/config/internal/tuned", "internal/gateway", "internal/dashboard", "cmd/..."}}, // functions of programs, which stages call by name
	{Path: "reliable", Floor: 2, Beside: []string{"transform", "signature", "reliable/internal/judge", "reliable/internal/outbound", "reliable/internal/inbound", "reliable/internal/correction", "reliable/internal/form", "reliable/internal/learning", "reliable/internal/toolsearch", "reliable/internal/translate"},
		Only: []string{"internal/config", "internal/gateway", "internal/dashboard", "cmd/..."}, MaxLines: 2200}, // the run of a request, and the report on a saved conversation
	// Searches for deferred tools: the ranking, and the two APIs that have such a search.
	{Path: "reliable/internal/toolsearch", Floor: 2, Only: []string{"reliable", "reliable/internal/judge", "reliable/internal/translate", "reliable/internal/inbound"}, MaxLines: 1000},
	{Path: "reliable/internal/judge", Floor: 2, Beside: []string{"reliable/internal/toolsearch"}, Only: []string{"reliable", "reliable/internal/outbound", "reliable/internal/inbound", "reliable/internal/unpack", "reliable/internal/correction", "reliable/internal/translate"}, MaxLines: 2000},
	{Path: "reliable/internal/translate", Floor: 2, Beside: []string{"reliable/internal/judge", "reliable/internal/toolsearch"}, Only: []string{"reliable", "reliable/internal/learning", "reliable/internal/outbound"}}, // what is done to tools and schemas for a receiver, the caches included
	{Path: "reliable/internal/outbound", Floor: 2, Beside: []string{"transform", "signature", "reliable/internal/judge", "reliable/internal/translate"}, Only: []string{"reliable", "reliable/internal/correction", "reliable/internal/learning"}, MaxLines: 2000},
	{Path: "reliable/internal/eventqueue", Floor: 2, Only: []string{"reliable/internal/inbound"}},
	{Path: "reliable/internal/form", Floor: 2, Beside: []string{"signature"}, Only: []string{"reliable", "reliable/internal/inbound"}, MaxLines: 500},
	{Path: "reliable/internal/unpack", Floor: 2, Beside: []string{"reliable/internal/judge"}, Only: []string{"reliable/internal/inbound"}, MaxLines: 500},
	{Path: "reliable/internal/inbound", Floor: 2, Beside: []string{"reliable/internal/eventqueue", "reliable/internal/form", "reliable/internal/judge", "reliable/internal/toolsearch", "reliable/internal/unpack"}, Only: []string{"reliable", "reliable/internal/correction", "reliable/internal/learning"}, MaxLines: 2000},
	{Path: "reliable/internal/correction", Floor: 2, Beside: []string{"reliable/internal/judge", "reliable/internal/outbound", "reliable/internal/inbound"}, Only: []string{"reliable"}, MaxLines: 2000},
	{Path: "reliable/internal/learning", Floor: 2, Beside: []string{"internal/evidence", "transform", "reliable/internal/translate", "reliable/internal/outbound", "reliable/internal/inbound"}, Only: []string{"reliable"}, MaxLines: 2000}, // what answers and refusals teach
	{Path: "provider", Floor: 2, Beside: []string{"internal/wire/...", "provider/internal/http1"}},
	{Path: "provider/internal/http1", Floor: 2, Only: []string{"provider"}},
	{Path: "internal/probe", Floor: 2, Beside: []string{"internal/evidence"}},
	{Path: "internal/probe/cardfile", Floor: 2, Beside: []string{"internal/probe"}, Only: []string{"internal/config", "cmd/..."}},
	{Path: "internal/probe/background", Floor: 2, Beside: []string{"internal/probe"}, Only: []string{"internal/config", "internal/config/internal/tuned"}},
	{Path: "internal/config/internal/tuned", Floor: 2, Beside: []string{"internal/probe/background", "provider", "transform"}, Only: []string{"internal/config"}, MaxLines: 500},
	{Path: "internal/conversation", Floor: 2}, // a conversation as JSON, in the vocabulary itself
	{Path: "agent", Floor: 2, Beside: []string{"internal/conversation"}},
	{Path: "agent/toolfile", Floor: 2, Beside: []string{"agent"}},
	{Path: "agent/filejournal", Floor: 2, Beside: []string{"agent", "internal/fileerror"}},
	{Path: "internal/journaltest", Floor: 2, Beside: []string{"agent"}, Suite: true},
	{Path: "internal/hosted", Floor: 2, Only: []string{"internal/gateway", "cmd/..."}, MaxLines: 1000},
	{Path: "mcptool", Floor: 2, Beside: []string{"agent"}},
	{Path: "directive", Floor: 2, Beside: []string{"directive/internal/answer", "internal/evidence"}},
	{Path: "directive/internal/answer", Floor: 2, Only: []string{"directive"}},
	{Path: "workspace", Floor: 2},
	{Path: "workspace/filestore", Floor: 2, Beside: []string{"workspace", "internal/fileerror"}},
	{Path: "workspace/statetool", Floor: 2, Beside: []string{"agent", "workspace"}},
	{Path: "internal/workspacetest", Floor: 2, Beside: []string{"workspace"}, Suite: true},
	{Path: "internal/archive", Floor: 2, MaxLines: 1000},
	{Path: "internal/archive/archivetest", Floor: 2, Beside: []string{"internal/archive"}, Suite: true, MaxLines: 1000},
	{Path: "internal/trace", Floor: 2, Beside: []string{"internal/conversation"}},
	{Path: "internal/trace/logtest", Floor: 2, Beside: []string{"internal/conversation", "internal/trace"}, Suite: true},
	{Path: "internal/eval", Floor: 2, Beside: []string{"agent", "internal/conversation", "directive", "internal/trace", "simulate", "workspace", "workspace/statetool"}, MaxFields: 26}, // a count for each thing that reports show
	{Path: "internal/eval/filequeue", Floor: 2, Beside: []string{"internal/eval", "internal/fileerror"}},
	{Path: "internal/eval/queuetest", Floor: 2, Beside: []string{"internal/eval"}, Suite: true},
	{Path: "internal/eval/internal/terms", Floor: 2, Only: []string{"internal/eval/catalog", "internal/eval/profile"}},
	{Path: "internal/eval/catalog", Floor: 2, Beside: []string{"internal/eval/internal/terms"}, Only: []string{"cmd/..."}},
	{Path: "internal/eval/profile", Floor: 2, Beside: []string{"internal/eval/internal/terms"}, Only: []string{"cmd/..."}},
	{Path: "internal/eval/report", Floor: 2, Beside: []string{"internal/eval", "internal/eval/report/internal/grid", "internal/eval/report/internal/layout", "internal/eval/report/internal/stats"}, MaxLines: 2000},
	{Path: "internal/eval/report/internal/grid", Floor: 0, Beside: []string{"internal/jsonx"}, Only: []string{"internal/eval/report", "internal/eval/report/internal/layout"}},
	{Path: "internal/eval/report/internal/layout", Floor: 0, Beside: []string{"internal/eval/report/internal/grid"}, Only: []string{"internal/eval/report"}},
	{Path: "internal/eval/report/internal/stats", Floor: 0, Only: []string{"internal/eval/report"}},
	{Path: "internal/store", Floor: 2, Beside: []string{"internal/access", "agent", "internal/archive", "internal/eval", "internal/fileerror", "internal/trace", "signature"}, Only: []string{"cmd/..."}},
	{Path: "internal/store/natstest", Floor: 2, Suite: true},
	{Path: "simulate", Floor: 2, Beside: []string{"internal/wire/..."}, MaxLines: 9500}, // five APIs from their documentation, so that no codec is tested against itself
	{Path: "internal/evidence", Floor: 2},
	{Path: "internal/fileerror", Floor: 2},
	{Path: "internal/disktest", Floor: 2, Suite: true},
	{Path: "internal/testcert", Floor: 2, Suite: true},

	{Path: "internal/config", Floor: 3, MaxFields: 26, MaxLines: 5500}, // one reader of all files, which knows where everything stands
	{Path: "internal/gateway", Floor: 3, Beside: []string{"internal/gateway/internal/clientconn"}},
	{Path: "internal/gateway/internal/clientconn", Floor: 3, Only: []string{"internal/gateway"}},
	{Path: "internal/telemetry", Floor: 3, Beside: []string{"internal/gateway"}, MaxLines: 2000},
	{Path: "internal/dashboard", Floor: 3, Beside: []string{"internal/dashboard/internal/evallist", "internal/dashboard/internal/figures", "internal/dashboard/internal/inplace", "internal/dashboard/internal/runlist", "internal/dashboard/internal/steps", "internal/dashboard/internal/guard"}, MaxLines: 2000},
	{Path: "internal/dashboard/internal/evallist", Floor: 2, Beside: []string{"internal/eval", "internal/eval/report"}, Only: []string{"internal/dashboard"}, MaxLines: 500},
	{Path: "internal/dashboard/internal/guard", Floor: 3, Only: []string{"internal/dashboard"}, MaxLines: 500},
	{Path: "internal/dashboard/internal/runlist", Floor: 2, Beside: []string{"agent"}, Only: []string{"internal/dashboard"}, MaxLines: 500},
	{Path: "internal/dashboard/internal/figures", Floor: 2, Beside: []string{"internal/archive"}, Only: []string{"internal/dashboard"}, MaxLines: 500},
	{Path: "internal/dashboard/internal/inplace", Floor: 2, Only: []string{"internal/dashboard", "internal/dashboard/internal/steps"}, MaxLines: 500},
	{Path: "internal/dashboard/internal/static", Floor: 0, Only: []string{"internal/dashboard"}, MaxLines: 500},
	{Path: "internal/dashboard/internal/steps", Floor: 2, Beside: []string{"internal/conversation", "internal/dashboard/internal/inplace", "provider", "internal/trace", "internal/wire/codecs"}, Only: []string{"internal/dashboard"}, MaxLines: 500},
	{Path: "internal/reliability", Floor: 3, MaxLines: 10}, // tests alone
	{Path: "cmd/callwright", Floor: 3, Beside: []string{"internal/config", "internal/gateway", "internal/telemetry", "internal/dashboard", "cmd/..."}}, // a file or two for each command
	{Path: "cmd/...", Floor: 3, Beside: []string{"internal/config", "internal/gateway", "internal/telemetry", "internal/dashboard", "cmd/..."}},
}

// Owners has every module that may be imported.
var Owners = []Owner{
	{Path: "github.com/santhosh-tekuri/jsonschema", Rooms: []string{"schema"}},
	{Path: "golang.org/x/text", Rooms: []string{"schema"}},
	{Path: "github.com/google/jsonschema-go", Rooms: []string{"schema", "mcptool", "internal/config"}},
	{Path: "github.com/go-json-experiment/json", Rooms: []string{"internal/jsonx"}},
	{Path: "github.com/goccy/go-yaml", Rooms: []string{"internal/config"}},
	{Path: "github.com/modelcontextprotocol/go-sdk", Rooms: []string{"mcptool"}},
	{Path: "github.com/nats-io", Rooms: []string{"internal/store", "internal/store/natstest"}},
	{Path: "go.opentelemetry.io/otel", Rooms: []string{"internal/telemetry"}},
	{Path: "github.com/prometheus", Rooms: []string{"internal/telemetry"}},
	{Path: "github.com/spf13/cobra", Rooms: []string{"cmd/..."}},
	{Path: "github.com/spf13/pflag", Rooms: []string{"cmd/..."}},
	{Path: "github.com/cenkalti/backoff", Rooms: []string{"provider", "internal/store"}},
	{Path: "github.com/sony/gobreaker", Rooms: []string{"provider"}},
	{Path: "golang.org/x/sys/windows", Rooms: []string{"internal/filelock"}},
	{Path: "golang.org/x/term", Rooms: []string{"cmd/..."}},
	{Path: "golang.org/x/time", Rooms: []string{"provider", "agent", "internal/gateway"}},
	{Path: "golang.org/x/sync", Rooms: []string{".", "provider", "internal/probe", "agent", "mcptool", "internal/eval", "internal/store", "internal/gateway", "cmd/..."}},
	{Path: "github.com/cespare/xxhash", Rooms: []string{"reliable"}},
	{Path: "github.com/google/uuid", Rooms: []string{"reliable", "agent", "workspace", "internal/trace", "internal/eval", "internal/store", "simulate", "internal/gateway", "cmd/..."}},

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
	Embedded = []string{".", "sse", "schema", "internal/compose", "schema/adapter", "repair", "dialect", "caps", "signature", "internal/wire/...", "provider", "interop", "transform", "reliable", "agent", "directive", "workspace/..."}
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
