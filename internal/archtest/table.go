package archtest

// A Package is a package of this module, with the packages of the module that it may import, and its size limits.
type Package struct {
	Path     string   // below the module; "." is the root; a final "/..." means all below too
	Layer    int      // 0 leaves, 1 vocabulary, 2 parts, 3 programs
	Beside   []string // packages of the same layer that it may import; a final "/..." as above
	Below    []string // when not nil: the only packages of lower layers that it may import
	Only     []string // when not empty: the only ones that may import it
	TestOnly bool     // it is made for tests, which alone import it, and other test suites

	// MaxLines and MaxFields are used in place of those of Sizes where they are not zero.
	MaxLines, MaxFields int
}

// An Owner is third-party code and the packages that may import it. Of several that fit an import the longest counts.
type Owner struct {
	Path     string   // a module, or a part of one
	Packages []string // paths as in Package; empty: only tests and test suites may
}

// Sizes are the limits of this module.
var Sizes = Limits{PackageLines: 5000, FileLines: 500, FuncLines: 60, Fields: 25}

// Exceptions are the struct types that have more fields than their limit for now.
var Exceptions = []string{}

// Packages has every package there may be, whether it exists yet or not.
var Packages = []Package{
	{Path: "internal/archtest", Layer: 0},
	{Path: "internal/jsonx", Layer: 0},
	{Path: "internal/mint", Layer: 0},
	{Path: "internal/version", Layer: 0},
	{Path: "internal/toolglob", Layer: 0},
	{Path: "internal/htmltemplate", Layer: 0, MaxLines: 1800},
	{Path: "internal/toolserver", Layer: 0, MaxLines: 100},
	{Path: "internal/callid", Layer: 0},
	{Path: "internal/factlist", Layer: 0},
	{Path: "internal/pool", Layer: 0},
	{Path: "internal/lru", Layer: 0},
	{Path: "internal/spelling", Layer: 0},
	{Path: "internal/grammar", Layer: 0},
	{Path: "internal/prompt", Layer: 0, Beside: []string{"internal/jsonx"}, Only: []string{"dialect", "reliable/internal/documentschema", "reliable/internal/outbound", "cmd/..."}, MaxLines: 800},
	{Path: "internal/record", Layer: 0},
	{Path: "internal/filelock", Layer: 0},
	{Path: "internal/processgroup", Layer: 0, MaxLines: 100},
	{Path: "internal/processgroup/grouptest", Layer: 0, TestOnly: true, MaxLines: 100},
	{Path: "internal/boundedfile", Layer: 0},
	{Path: "internal/secretfile", Layer: 0, Beside: []string{"internal/boundedfile"}, MaxLines: 250},
	{Path: "internal/atomicfile", Layer: 0, Beside: []string{"internal/filelock"}},
	{Path: "internal/jsonpatch", Layer: 0, Beside: []string{"internal/jsonx", "internal/spelling"}, Only: []string{"workspace", "internal/jsonpatch/..."}},
	{Path: "internal/testclock", Layer: 0, Only: []string{"internal/access/counterstest", "internal/archive/archivetest", "internal/trace/logtest", "internal/signaturetest"}},
	{Path: "internal/jsonpatch/patchtest", Layer: 0, Beside: []string{"internal/jsonx", "internal/jsonpatch"}, TestOnly: true},
	{Path: "internal/freeport", Layer: 0, TestOnly: true},
	{Path: "internal/longtest", Layer: 0, TestOnly: true},
	{Path: "internal/prerequisite", Layer: 0, TestOnly: true},
	{Path: "internal/perfpage", Layer: 0},
	{Path: "internal/terminalsvg", Layer: 0, TestOnly: true, MaxLines: 100},
	{Path: "internal/bfcl", Layer: 0},
	{Path: "internal/modeltable", Layer: 0, MaxLines: 100},
	{Path: "internal/capsgen", Layer: 0, Beside: []string{"caps"}},
	{Path: "docs", Layer: 0, Only: []string{"cmd/..."}}, // the pages, for callwright docs
	{Path: "sse", Layer: 0},
	{Path: "schema", Layer: 0, Beside: []string{"internal/jsonx", "internal/lru", "internal/pool"}},
	{Path: "internal/compose", Layer: 0, Beside: []string{"internal/jsonx"}},
	{Path: "internal/adapter", Layer: 0, Beside: []string{"internal/jsonx", "internal/lru", "schema"}},
	{Path: "schema/adapter", Layer: 0, Beside: []string{"caps", "internal/adapter"}}, // the public part of the implementation
	{Path: "internal/backslash", Layer: 0},
	{Path: "repair", Layer: 0, Beside: []string{"internal/backslash", "internal/jsonx"}},
	{Path: "internal/shelftest", Layer: 0, Beside: []string{"caps"}, TestOnly: true},
	{Path: "internal/factfile", Layer: 0, Beside: []string{"caps", "internal/atomicfile", "internal/boundedfile"}, Only: []string{"internal/config"}},
	{Path: "internal/modestat", Layer: 0, MaxLines: 400},
	{Path: "internal/remedystat", Layer: 0, Beside: []string{"internal/modestat"}, MaxLines: 300},
	{Path: "caps", Layer: 0, Beside: []string{"internal/jsonx", "internal/modestat", "internal/remedystat", "internal/modeltable"}, MaxFields: 54}, // a field for each fact
	{Path: "internal/constraint", Layer: 0, Beside: []string{"dialect", "internal/jsonx", "internal/lru"}},                                         // grammars of answers
	{Path: "dialect", Layer: 0, Beside: []string{"internal/jsonx", "repair", "dialect/internal/arith", "dialect/internal/callshape", "dialect/internal/chars", "dialect/internal/codeblock", "dialect/internal/definition", "dialect/internal/harmony", "dialect/internal/hash",
		"dialect/internal/label", "dialect/internal/literal", "dialect/internal/markup", "dialect/internal/pairs", "dialect/internal/parts", "dialect/internal/render", "dialect/internal/result", "dialect/internal/shown", "dialect/internal/split", "dialect/internal/toolname", "dialect/internal/tristate", "dialect/internal/yaml", "internal/prompt"}, MaxLines: 10250}, // all formats, some 600 lines of table, and one scanner, whose methods share their states
	{Path: "dialect/internal/arith", Layer: 0},
	{Path: "dialect/internal/callshape", Layer: 0, Beside: []string{"internal/jsonx", "dialect/internal/chars", "dialect/internal/tristate"}},
	{Path: "dialect/internal/codeblock", Layer: 0, Beside: []string{"internal/jsonx", "dialect/internal/tristate"}},
	{Path: "dialect/internal/chars", Layer: 0},
	{Path: "dialect/internal/harmony", Layer: 0},
	{Path: "dialect/internal/hash", Layer: 0, Beside: []string{"internal/jsonx"}},
	{Path: "dialect/internal/label", Layer: 0, Beside: []string{"dialect/internal/chars", "dialect/internal/tristate"}},
	{Path: "dialect/internal/literal", Layer: 0, Beside: []string{"internal/backslash", "internal/jsonx", "repair", "dialect/internal/arith", "dialect/internal/chars", "dialect/internal/markup"}},
	{Path: "dialect/internal/markup", Layer: 0, Beside: []string{"internal/backslash", "internal/jsonx", "dialect/internal/chars", "dialect/internal/tristate"}},
	{Path: "dialect/internal/definition", Layer: 0, Beside: []string{"internal/jsonx", "dialect/internal/literal"}},
	{Path: "dialect/internal/pairs", Layer: 0, Beside: []string{"dialect/internal/chars", "dialect/internal/tristate"}},
	{Path: "dialect/internal/parts", Layer: 0, Beside: []string{"internal/jsonx", "dialect/internal/markup"}},
	{Path: "dialect/internal/render", Layer: 0, Beside: []string{"internal/jsonx", "dialect/internal/literal", "dialect/internal/markup", "dialect/internal/result"}},
	{Path: "dialect/internal/result", Layer: 0, Beside: []string{"internal/jsonx"}},
	{Path: "dialect/internal/shown", Layer: 0, Beside: []string{"dialect/internal/chars", "dialect/internal/harmony", "dialect/internal/tristate"}},
	{Path: "dialect/internal/split", Layer: 0},
	{Path: "dialect/internal/toolname", Layer: 0, Beside: []string{"dialect/internal/chars"}},
	{Path: "dialect/internal/tristate", Layer: 0},
	{Path: "dialect/internal/yaml", Layer: 0, Beside: []string{"internal/jsonx"}},
	{Path: "dialect/describe", Layer: 0, Beside: []string{"internal/jsonx", "repair", "dialect"}},
	{Path: "dialect/internal/dialecttest", Layer: 0, Beside: []string{"internal/jsonx", "repair", "dialect"}, TestOnly: true},

	{Path: ".", Layer: 1, Below: []string{"caps", "internal/jsonx"}, MaxLines: 2050},
	{Path: "internal/feature", Layer: 1, Beside: []string{"."}},
	{Path: "internal/companion", Layer: 1, Beside: []string{".", "internal/progress"}, MaxLines: 210}, // of every layer above: state of requests that programs do not see
	{Path: "internal/fingerprint", Layer: 1, Beside: []string{".", "internal/companion"}},
	{Path: "internal/errorkind", Layer: 1, Beside: []string{"."}, MaxLines: 150},
	{Path: "internal/callcheck", Layer: 1, Beside: []string{"."}, MaxLines: 200}, // how stages ask the call rules, which embedding programs do not compile
	{Path: "internal/notice", Layer: 1, Beside: []string{"."}, MaxLines: 100},
	{Path: "internal/progress", Layer: 1, Beside: []string{"."}, MaxLines: 450},
	{Path: "internal/notes", Layer: 1, Beside: []string{"."}},
	{Path: "internal/outcome", Layer: 1, Beside: []string{".", "internal/notes"}, MaxLines: 300},
	{Path: "internal/health", Layer: 1, Beside: []string{".", "internal/companion", "internal/outcome"}, MaxLines: 800},
	{Path: "internal/claim", Layer: 1, Beside: []string{"."}, Only: []string{"agent", "internal/telemetry", "internal/trace/story", "reliable"}, MaxLines: 1800},
	{Path: "internal/redact", Layer: 1, Beside: []string{"."}, MaxLines: 500},

	{Path: "internal/wire", Layer: 2, Beside: []string{"internal/wire/internal/kit", "internal/wire/turnmemo"}, Only: []string{"internal/provider", "internal/gateway", "simulate", "internal/wire/...", "cmd/..."}},
	{Path: "internal/wire/turnmemo", Layer: 2, Only: []string{"internal/wire/...", "internal/gateway"}, MaxLines: 400}, // histories of the last requests
	{Path: "internal/wire/internal/kit", Layer: 2, Beside: []string{"internal/wire/definition", "internal/wire/internal/citation", "internal/wire/turnmemo"}},
	{Path: "internal/wire/definition", Layer: 2, Only: []string{"internal/callrule", "internal/wire/...", "reliable/..."}, MaxLines: 200}, // members of definitions that stages ask for
	{Path: "internal/wire/credential", Layer: 2, MaxLines: 300},                                                 // places of credentials in requests of every API
	{Path: "internal/wire/searchform", Layer: 2, Only: []string{"reliable/internal/toolsearch"}, MaxLines: 400}, // the forms of tool search in two APIs
	{Path: "internal/wire/hostedform", Layer: 2, Only: []string{"internal/hosted"}, MaxLines: 700},              // the forms of hosted tools in four APIs
	{Path: "internal/wire/internal/citation", Layer: 2, MaxLines: 1200},                                         // sources that answers name, in one form for all APIs
	{Path: "internal/wire/internal/promptcache", Layer: 2, Beside: []string{"internal/wire/internal/kit"}},      // cache markers, for the APIs that share their form
	{Path: "internal/wire/internal/refusal/answerform", Layer: 2},
	{Path: "internal/wire/internal/refusal", Layer: 2, MaxLines: 1000, Beside: []string{"internal/wire/internal/refusal/answerform"}}, // providers' wording, which any API may pass on
	{Path: "internal/wire/openai", Layer: 2, Beside: []string{"internal/wire", "internal/wire/turnmemo", "internal/wire/definition", "internal/wire/internal/citation", "internal/wire/internal/kit", "internal/wire/internal/promptcache", "internal/wire/internal/refusal"}},
	{Path: "internal/wire/responses", Layer: 2, Beside: []string{"internal/wire", "internal/wire/definition", "internal/wire/internal/citation", "internal/wire/internal/kit", "internal/wire/internal/promptcache", "internal/wire/openai", "internal/wire/responses/internal/items"}, MaxLines: 5100}, // one vendor, one shape of errors
	{Path: "internal/wire/responses/internal/items", Layer: 2, Beside: []string{"internal/wire", "internal/wire/credential", "internal/wire/internal/kit"}},
	{Path: "internal/wire/anthropic", Layer: 2, Beside: []string{"internal/wire", "internal/wire/turnmemo", "internal/wire/internal/citation", "internal/wire/internal/kit", "internal/wire/internal/promptcache", "internal/wire/internal/refusal"}},
	{Path: "internal/wire/gemini", Layer: 2, Beside: []string{"internal/wire", "internal/wire/internal/citation", "internal/wire/internal/kit", "internal/wire/internal/refusal"}},
	{Path: "internal/wire/ollama", Layer: 2, Beside: []string{"internal/wire", "internal/wire/turnmemo", "internal/wire/internal/kit", "internal/wire/internal/refusal"}},
	{Path: "internal/wire/codecs", Layer: 2, Beside: []string{"internal/wire/..."}},
	{Path: "internal/wire/wiretest", Layer: 2, Beside: []string{"internal/wire"}, TestOnly: true},
	{Path: "interop", Layer: 2},
	{Path: "signature", Layer: 2},
	{Path: "internal/restore", Layer: 2, Beside: []string{"signature"}, Only: []string{"reliable", "reliable/internal/outbound"}},
	{Path: "internal/signaturetest", Layer: 2, Beside: []string{"signature"}, TestOnly: true},
	{Path: "internal/access", Layer: 2, MaxLines: 3000},
	{Path: "internal/keyring", Layer: 2, Beside: []string{"internal/access"}, MaxLines: 1500},
	{Path: "internal/keyring/logtest", Layer: 2, Beside: []string{"internal/keyring"}, TestOnly: true},
	{Path: "internal/ledger", Layer: 2, Beside: []string{"internal/access"}, MaxLines: 800},
	{Path: "internal/ledger/ledgertest", Layer: 2, Beside: []string{"internal/ledger"}, TestOnly: true},
	{Path: "internal/openapi", Layer: 0, Only: []string{"internal/gateway", "internal/keyapi", "internal/reporttypes", "cmd/..."}, MaxLines: 800},
	{Path: "internal/keyapi", Layer: 2, Beside: []string{"internal/access", "internal/keyring", "internal/ledger"}, Only: []string{"internal/dashboard", "cmd/..."}, MaxLines: 1000},
	{Path: "internal/alert", Layer: 2, Beside: []string{"internal/access"}, Only: []string{"internal/config", "internal/config/internal/alertset", "cmd/..."}, MaxLines: 1000},
	{Path: "internal/access/counterstest", Layer: 2, Beside: []string{"internal/access"}, TestOnly: true},
	{Path: "transform", Layer: 2, Only: []string{"internal/transformset", "reliable", "reliable/internal/learning", "reliable/internal/outbound", "internal/config", "internal/config/internal/tuned", "internal/gateway", "internal/dashboard", "cmd/..."}}, // functions of programs, which stages call by name
	{Path: "internal/transformset", Layer: 2, Beside: []string{"transform"}, Only: []string{"reliable", "reliable/internal/learning", "reliable/internal/outbound", "internal/config", "internal/config/internal/tuned"}},
	{Path: "reliable", Layer: 2, Beside: []string{"reliable/internal/culprit", "internal/restore", "internal/session", "internal/transformset", "transform", "signature", "reliable/internal/judge", "reliable/internal/outbound", "reliable/internal/inbound", "reliable/internal/correction", "reliable/internal/form", "internal/latertext", "reliable/internal/learning", "reliable/internal/modes", "reliable/internal/opening", "reliable/internal/placing", "reliable/internal/quoted", "reliable/internal/remedy", "reliable/internal/toolsearch", "reliable/internal/translate"},
		Only: []string{"internal/config", "internal/config/internal/chooser", "internal/gateway", "internal/dashboard", "internal/probe/bymode", "cmd/..."}, MaxLines: 3200}, // the run of a request, and the report on a saved conversation
	// Searches for deferred tools: the ranking, and the two APIs that have such a search.
	{Path: "reliable/internal/modes", Layer: 2, Beside: []string{"reliable/internal/correction", "reliable/internal/inbound"}, MaxLines: 500},
	{Path: "reliable/internal/culprit", Layer: 2, MaxLines: 1000},
	{Path: "reliable/internal/remedy", Layer: 2, Beside: []string{"reliable/internal/correction", "reliable/internal/inbound", "reliable/internal/outbound"}, MaxLines: 700},
	{Path: "reliable/internal/placing", Layer: 2, MaxLines: 300},
	{Path: "reliable/internal/toolsearch", Layer: 2, Beside: []string{"internal/wire/definition", "internal/wire/searchform"}, MaxLines: 1000},
	{Path: "reliable/internal/judge", Layer: 2, Beside: []string{"internal/wire/definition", "reliable/internal/control", "reliable/internal/freetext", "reliable/internal/swallowed", "reliable/internal/toolsearch"}, MaxLines: 2100},
	{Path: "reliable/internal/translate", Layer: 2, Beside: []string{"internal/wire/definition", "reliable/internal/judge", "reliable/internal/toolsearch"}}, // translation of tools and schemas for a receiver, with its caches
	{Path: "reliable/internal/documentschema", Layer: 2, Beside: []string{"reliable/internal/judge", "reliable/internal/translate"}, MaxLines: 300},
	{Path: "reliable/internal/decoding", Layer: 2, Beside: []string{"reliable/internal/judge"}}, // constraints on answers
	{Path: "reliable/internal/outbound", Layer: 2, Beside: []string{"reliable/internal/decoding", "internal/restore", "internal/transformset", "transform", "signature", "reliable/internal/documentschema", "reliable/internal/judge", "reliable/internal/translate"}, MaxLines: 2100},
	{Path: "reliable/internal/eventqueue", Layer: 2},
	{Path: "reliable/internal/clientform", Layer: 2, Beside: []string{"reliable/internal/judge"}, MaxLines: 500},
	{Path: "reliable/internal/freetext", Layer: 2, MaxLines: 500},
	{Path: "reliable/internal/swallowed", Layer: 2, MaxLines: 500},
	{Path: "reliable/internal/control", Layer: 2, MaxLines: 500},
	{Path: "reliable/internal/document", Layer: 2, MaxLines: 500},
	{Path: "reliable/internal/askedform", Layer: 2, Beside: []string{"reliable/internal/judge"}, MaxLines: 200},
	{Path: "internal/latertext", Layer: 2},
	{Path: "internal/unread", Layer: 0, Only: []string{"reliable/internal/inbound"}, MaxLines: 200},
	{Path: "reliable/internal/opening", Layer: 2, Beside: []string{"reliable/internal/quoted"}, MaxLines: 500},
	{Path: "reliable/internal/quoted", Layer: 2, MaxLines: 500},
	{Path: "reliable/internal/form", Layer: 2, Beside: []string{"signature"}, MaxLines: 500},
	{Path: "reliable/internal/unpack", Layer: 2, Beside: []string{"reliable/internal/judge"}, MaxLines: 500},
	{Path: "reliable/internal/inbound", Layer: 2, Beside: []string{"reliable/internal/askedform", "reliable/internal/clientform", "reliable/internal/document", "reliable/internal/eventqueue", "reliable/internal/form", "reliable/internal/judge", "internal/latertext", "reliable/internal/opening", "reliable/internal/toolsearch", "reliable/internal/unpack"}, MaxLines: 2450, MaxFields: 26}, // the forms in which models miss what was asked of them are read where the answer ends
	{Path: "reliable/internal/correction", Layer: 2, Beside: []string{"reliable/internal/judge", "reliable/internal/outbound", "reliable/internal/inbound"}, MaxLines: 2000},
	{Path: "reliable/internal/learning", Layer: 2, Beside: []string{"internal/transformset", "internal/evidence", "transform", "reliable/internal/translate", "reliable/internal/outbound", "reliable/internal/inbound", "reliable/internal/modes", "reliable/internal/opening"}, MaxLines: 2000}, // facts learned from answers and refusals
	{Path: "provider", Layer: 2, Beside: []string{"internal/provider"}}, // the options of programs, over the implementation
	{Path: "internal/provider", Layer: 2, Beside: []string{"internal/session", "internal/wire/...", "internal/provider/internal/balance", "internal/provider/internal/eventstream", "internal/provider/internal/http1"}, MaxFields: 26, MaxLines: 5400},
	{Path: "internal/provider/internal/eventstream", Layer: 2, MaxLines: 250},
	{Path: "internal/provider/auth", Layer: 2, Only: []string{"internal/provider/auth/...", "internal/config/internal/cloudauth"}, MaxLines: 500},
	{Path: "internal/provider/auth/aws", Layer: 2, Beside: []string{"internal/provider/auth"}, Only: []string{"internal/config/internal/cloudauth"}, MaxLines: 800},
	{Path: "internal/provider/auth/azure", Layer: 2, Beside: []string{"internal/provider/auth"}, Only: []string{"internal/config/internal/cloudauth"}, MaxLines: 300},
	{Path: "internal/provider/auth/google", Layer: 2, Beside: []string{"internal/provider/auth"}, Only: []string{"internal/config/internal/cloudauth"}, MaxLines: 300},
	{Path: "internal/provider/auth/command", Layer: 2, Beside: []string{"internal/processgroup", "internal/provider/auth"}, Only: []string{"internal/config/internal/cloudauth"}, MaxLines: 300},
	{Path: "internal/provider/auth/authtest", Layer: 2, TestOnly: true, MaxLines: 800},
	{Path: "internal/provider/internal/http1", Layer: 2},
	{Path: "internal/provider/internal/balance", Layer: 2, MaxLines: 1200},
	{Path: "internal/probe", Layer: 2, Beside: []string{"internal/evidence"}},
	{Path: "internal/conformance", Layer: 2, Below: []string{}, Only: []string{"cmd/..."}}, // imports no package of ours, so that it hides no error of one
	{Path: "internal/probe/bymode", Layer: 2, Beside: []string{"internal/probe", "reliable"}, Only: []string{"internal/probe/background", "cmd/..."}, MaxLines: 400},
	{Path: "internal/probe/cardfile", Layer: 2, Beside: []string{"internal/probe"}, Only: []string{"internal/config", "cmd/..."}},
	{Path: "internal/probe/background", Layer: 2, Beside: []string{"internal/probe", "internal/probe/bymode"}, Only: []string{"internal/config", "internal/config/internal/tuned"}},
	{Path: "internal/config/internal/cloudauth", Layer: 2, Beside: []string{"internal/provider", "internal/provider/auth/..."}, MaxLines: 300},
	{Path: "internal/config/internal/card", Layer: 2, MaxLines: 100},
	{Path: "internal/config/internal/fault", Layer: 0, MaxLines: 100},
	{Path: "internal/config/internal/foreign", Layer: 0, MaxLines: 100},
	{Path: "internal/config/internal/foreignkey", Layer: 0, MaxLines: 250},
	{Path: "internal/config/internal/foreignfile", Layer: 2, Beside: []string{"internal/provider", "internal/wire/codecs"}, MaxLines: 2600}, // files of three programs
	{Path: "internal/config/internal/alertset", Layer: 2, Beside: []string{"internal/alert", "internal/provider"}, MaxLines: 100},
	{Path: "internal/config/internal/barename", Layer: 0, Beside: []string{"internal/spelling"}, MaxLines: 200},
	{Path: "internal/config/internal/excerpt", Layer: 0, MaxLines: 50},
	{Path: "internal/config/internal/targetlist", Layer: 2, Beside: []string{"internal/provider"}, MaxLines: 100},
	{Path: "internal/config/internal/insideplay", Layer: 2, Beside: []string{"internal/provider", "simulate"}, MaxLines: 50},
	{Path: "internal/config/internal/modellist", Layer: 2, Beside: []string{"internal/provider"}, MaxLines: 200},
	{Path: "internal/config/internal/namepattern", Layer: 0, MaxLines: 50},
	{Path: "internal/config/internal/ollamahost", Layer: 0, MaxLines: 100},
	{Path: "internal/config/internal/unusable", Layer: 2, MaxLines: 50},
	{Path: "internal/config/internal/chooser", Layer: 2, Beside: []string{"internal/config/internal/unusable", "internal/fitness", "internal/provider", "reliable"}, MaxLines: 200},
	{Path: "internal/config/internal/variable", Layer: 0, MaxLines: 100},
	{Path: "internal/config/internal/yamlnode", Layer: 0, Beside: []string{"internal/config/internal/variable", "internal/jsonx"}, MaxLines: 150},
	{Path: "internal/config/internal/yamltext", Layer: 0, MaxLines: 150},
	{Path: "internal/config/internal/reserved", Layer: 2, Beside: []string{"internal/wire/codecs"}, MaxLines: 50},
	{Path: "internal/config/internal/rulename", Layer: 2, MaxLines: 100},
	{Path: "internal/config/internal/tuned", Layer: 2, Beside: []string{"internal/callrule", "internal/transformset", "internal/probe/background", "internal/provider", "transform"}, MaxLines: 500},
	{Path: "internal/conversation", Layer: 2}, // a conversation as JSON, in the vocabulary itself
	{Path: "agent", Layer: 2, Beside: []string{"internal/conversation"}},
	{Path: "agent/toolfile", Layer: 2, Beside: []string{"agent", "internal/processgroup"}},
	{Path: "agent/filejournal", Layer: 2, Beside: []string{"agent", "internal/fileerror"}},
	{Path: "internal/journaltest", Layer: 2, Beside: []string{"agent"}, TestOnly: true},
	{Path: "internal/hosted", Layer: 2, Beside: []string{"internal/wire/hostedform"}, Only: []string{"internal/gateway", "cmd/..."}, MaxLines: 700},
	{Path: "mcptool", Layer: 2, Beside: []string{"agent"}},
	{Path: "directive", Layer: 2, Beside: []string{"directive/internal/answer", "internal/evidence", "internal/latertext"}},
	{Path: "directive/internal/answer", Layer: 2},
	{Path: "workspace", Layer: 2},
	{Path: "workspace/filestore", Layer: 2, Beside: []string{"workspace", "internal/fileerror"}},
	{Path: "workspace/statetool", Layer: 2, Beside: []string{"agent", "workspace"}},
	{Path: "internal/workspacetest", Layer: 2, Beside: []string{"workspace"}, TestOnly: true},
	{Path: "internal/recorded", Layer: 2, Beside: []string{"simulate"}, Only: []string{"cmd/..."}},
	{Path: "internal/archive", Layer: 2, MaxLines: 1000},
	{Path: "internal/archive/archivetest", Layer: 2, Beside: []string{"internal/archive"}, TestOnly: true, MaxLines: 1000},
	{Path: "internal/session", Layer: 2, MaxLines: 200},
	{Path: "internal/fitness", Layer: 2, MaxLines: 600},
	{Path: "internal/bound", Layer: 2, Beside: []string{"internal/access"}, MaxLines: 600},
	{Path: "internal/callrule", Layer: 2, Beside: []string{"internal/wire/definition"}, Only: []string{"internal/config", "internal/config/internal/tuned"}, MaxLines: 800},
	{Path: "internal/trace", Layer: 2, Beside: []string{"internal/conversation", "internal/session", "internal/trace/internal/textsearch", "internal/wire/credential"}},
	{Path: "internal/trace/internal/textsearch", Layer: 0, Beside: []string{"internal/jsonx"}, MaxLines: 300},
	{Path: "internal/trace/story", Layer: 2, Beside: []string{"internal/outcome", "internal/trace"}, MaxLines: 800},
	{Path: "internal/trace/logtest", Layer: 2, Beside: []string{"internal/conversation", "internal/trace"}, TestOnly: true},
	{Path: "internal/eval", Layer: 2, Beside: []string{"agent", "internal/conversation", "directive", "internal/trace", "simulate", "workspace", "workspace/statetool"}, MaxFields: 26}, // a count for each thing that reports show
	{Path: "internal/eval/filequeue", Layer: 2, Beside: []string{"internal/eval", "internal/fileerror"}},
	{Path: "internal/eval/queuetest", Layer: 2, Beside: []string{"internal/eval"}, TestOnly: true},
	{Path: "internal/eval/internal/terms", Layer: 2},
	{Path: "internal/eval/catalog", Layer: 2, Beside: []string{"internal/eval/internal/terms"}, Only: []string{"cmd/..."}},
	{Path: "internal/eval/profile", Layer: 2, Beside: []string{"internal/eval/internal/terms"}, Only: []string{"cmd/..."}},
	{Path: "internal/eval/report", Layer: 2, Beside: []string{"internal/eval", "internal/eval/report/internal/failing", "internal/eval/report/internal/grid", "internal/eval/report/internal/layout", "internal/stats"}, MaxLines: 2000},
	{Path: "internal/eval/report/internal/failing", Layer: 2, Beside: []string{"internal/eval", "internal/eval/report/internal/grid"}, MaxLines: 300},
	{Path: "internal/eval/report/internal/grid", Layer: 0, Beside: []string{"internal/jsonx"}},
	{Path: "internal/eval/report/internal/layout", Layer: 0, Beside: []string{"internal/eval/report/internal/grid", "internal/htmltemplate"}},
	{Path: "internal/stats", Layer: 0},
	{Path: "internal/store/internal/backlog", Layer: 2},
	{Path: "internal/store/internal/rejoin", Layer: 2},
	{Path: "internal/store/internal/refusal", Layer: 2, MaxLines: 100},
	{Path: "internal/store/internal/traceindex", Layer: 2, Beside: []string{"internal/trace"}, MaxLines: 200},
	{Path: "internal/store/internal/serverlog", Layer: 2, MaxLines: 100},
	{Path: "internal/store/internal/socket", Layer: 2},
	{Path: "internal/store", Layer: 2, Beside: []string{"internal/access", "internal/keyring", "internal/ledger", "agent", "internal/archive", "internal/eval", "internal/fileerror", "internal/trace", "signature", "internal/store/internal/backlog", "internal/store/internal/refusal", "internal/store/internal/rejoin", "internal/store/internal/serverlog", "internal/store/internal/socket", "internal/store/internal/traceindex"}, Only: []string{"cmd/..."}, MaxLines: 5400},
	{Path: "internal/store/natstest", Layer: 2, TestOnly: true},
	{Path: "simulate", Layer: 2, Beside: []string{"internal/wire/..."}, MaxLines: 9500}, // five APIs from their documentation, so that no codec is tested against itself
	{Path: "internal/evidence", Layer: 2},
	{Path: "internal/fileerror", Layer: 2},
	{Path: "internal/disktest", Layer: 2, TestOnly: true},
	{Path: "internal/testcert", Layer: 2, TestOnly: true},

	{Path: "internal/config", Layer: 3, MaxFields: 28, MaxLines: 6900}, // one reader of all files, which knows where everything stands
	{Path: "internal/gateway", Layer: 3, MaxFields: 29, Beside: []string{"internal/gateway/internal/clientconn"}},
	{Path: "internal/gateway/internal/clientconn", Layer: 3},
	{Path: "internal/telemetry", Layer: 3, Beside: []string{"internal/gateway"}, MaxLines: 2000},
	{Path: "internal/dashboard", Layer: 3, Beside: []string{"internal/dashboard/internal/counted", "internal/dashboard/internal/evallist", "internal/dashboard/internal/figures", "internal/dashboard/internal/humane", "internal/dashboard/internal/inplace", "internal/dashboard/internal/keyform", "internal/dashboard/internal/modellist", "internal/dashboard/internal/recordview", "internal/dashboard/internal/runlist", "internal/dashboard/internal/steps", "internal/dashboard/internal/tracelist", "internal/dashboard/internal/guard"}, MaxLines: 2300},
	{Path: "internal/dashboard/internal/evallist", Layer: 2, Beside: []string{"internal/eval", "internal/eval/report", "internal/trace"}, MaxLines: 500},
	{Path: "internal/dashboard/internal/counted", Layer: 2, MaxLines: 200},
	{Path: "internal/dashboard/internal/keyform", Layer: 2, Beside: []string{"internal/access", "internal/keyring"}, MaxLines: 300},
	{Path: "internal/dashboard/internal/guard", Layer: 3, MaxLines: 500},
	{Path: "internal/dashboard/internal/runlist", Layer: 2, Beside: []string{"agent"}, MaxLines: 500},
	{Path: "internal/dashboard/internal/figures", Layer: 2, Beside: []string{"internal/archive"}, MaxLines: 500},
	{Path: "internal/dashboard/internal/humane", Layer: 0, MaxLines: 300}, // numbers and times in words
	{Path: "internal/dashboard/internal/inplace", Layer: 2, MaxLines: 500},
	{Path: "internal/dashboard/internal/modellist", Layer: 2, Beside: []string{"internal/access", "internal/dashboard/internal/figures"}, MaxLines: 300},
	{Path: "internal/dashboard/internal/recordview", Layer: 2, Beside: []string{"internal/trace"}, MaxLines: 500},
	{Path: "internal/dashboard/internal/tracelist", Layer: 2, Beside: []string{"internal/archive", "internal/trace"}, MaxLines: 500},
	{Path: "internal/dashboard/internal/static", Layer: 0, MaxLines: 500},
	{Path: "internal/dashboard/internal/steps", Layer: 2, Beside: []string{"internal/conversation", "internal/dashboard/internal/inplace", "internal/provider", "internal/trace", "internal/wire/codecs"}, MaxLines: 500},
	{Path: "internal/reporttypes", Layer: 3, Beside: []string{"internal/gateway"}, MaxLines: 300},
	{Path: "internal/reliability", Layer: 3, MaxLines: 10},                                                                                             // tests alone
	{Path: "internal/classes", Layer: 3, Beside: []string{"internal/config", "internal/gateway"}, MaxLines: 10},                                        // tests alone
	{Path: "internal/pairwise", Layer: 3, MaxLines: 10},                                                                                                // tests alone
	{Path: "cmd/callwright", Layer: 3, Beside: []string{"internal/config", "internal/gateway", "internal/telemetry", "internal/dashboard", "cmd/..."}, MaxLines: 5200}, // a file or two for each command
	{Path: "cmd/...", Layer: 3, Beside: []string{"internal/config", "internal/gateway", "internal/telemetry", "internal/dashboard", "cmd/..."}},
}

// Owners has every module that may be imported.
var Owners = []Owner{
	{Path: "github.com/santhosh-tekuri/jsonschema", Packages: []string{"schema"}},
	{Path: "golang.org/x/text", Packages: []string{"schema"}},
	{Path: "github.com/yuin/goldmark", Packages: []string{"cmd/..."}},
	{Path: "github.com/google/jsonschema-go", Packages: []string{"schema", "mcptool", "internal/config"}},
	{Path: "github.com/go-json-experiment/json", Packages: []string{"internal/jsonx"}},
	{Path: "cel.dev/cel-go", Packages: []string{"internal/callrule"}},
	{Path: "github.com/goccy/go-yaml", Packages: []string{"internal/config", "internal/config/internal/foreignfile", "internal/config/internal/yamlnode"}},
	{Path: "github.com/modelcontextprotocol/go-sdk", Packages: []string{"mcptool"}},
	{Path: "github.com/nats-io", Packages: []string{"internal/store", "internal/store/internal/refusal", "internal/store/internal/socket", "internal/store/natstest"}},
	{Path: "go.opentelemetry.io/otel", Packages: []string{"internal/telemetry"}},
	{Path: "github.com/prometheus", Packages: []string{"internal/telemetry"}},
	{Path: "github.com/spf13/cobra", Packages: []string{"cmd/..."}},
	{Path: "github.com/spf13/pflag", Packages: []string{"cmd/..."}},
	{Path: "github.com/cenkalti/backoff", Packages: []string{"internal/provider", "internal/store"}},
	{Path: "github.com/sony/gobreaker", Packages: []string{"internal/provider"}},
	{Path: "golang.org/x/sys/windows", Packages: []string{"internal/filelock"}},
	{Path: "golang.org/x/term", Packages: []string{"cmd/..."}},
	{Path: "golang.org/x/time", Packages: []string{"internal/provider", "agent", "internal/gateway"}},
	{Path: "golang.org/x/sync", Packages: []string{".", "internal/provider", "internal/probe", "agent", "mcptool", "internal/eval", "internal/store", "internal/store/internal/backlog", "internal/gateway", "cmd/..."}},
	{Path: "github.com/cespare/xxhash", Packages: []string{"reliable"}},
	{Path: "golang.org/x/oauth2", Packages: []string{"internal/provider/auth/google"}},
	{Path: "github.com/google/uuid", Packages: []string{"internal/mint", "agent", "workspace", "internal/trace", "internal/eval", "internal/store", "simulate", "internal/gateway", "cmd/..."}},

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

// Embedded are the packages that a program with tool calls of its own imports. Nothing in Heavy may come with them,
// however far down.
var (
	Embedded = []string{".", "sse", "schema", "internal/compose", "internal/adapter", "schema/adapter", "repair", "dialect", "caps", "signature", "internal/wire/...", "internal/provider", "provider", "interop", "internal/transformset", "internal/restore", "transform", "reliable", "agent", "directive", "workspace/..."}
	Heavy    = []string{"github.com/nats-io", "cel.dev/cel-go", "go.opentelemetry.io/otel/sdk", "go.opentelemetry.io/otel/exporters", "github.com/spf13/cobra",
		"github.com/modelcontextprotocol/go-sdk", "golang.org/x/oauth2", "cloud.google.com/go"}
)

// A Light is a package that other programs import for itself alone: nothing in Without may come with it.
type Light struct {
	Package string
	Without []string
}

// Lights are the packages that work without judging calls.
var Lights = []Light{
	{Package: "interop", Without: []string{"github.com/santhosh-tekuri/jsonschema", "golang.org/x/text", "github.com/google/uuid"}},
	{Package: "internal/provider", Without: []string{"github.com/santhosh-tekuri/jsonschema", "golang.org/x/text", "github.com/google/uuid"}},
}
