package main

// compact are module path prefixes that are compiled without inlining, which makes the program smaller and the code
// slower. On the path of a request they only provide metrics, enabled tracing and configured CEL rules. Validators,
// JSON and TLS are not listed. "go help build" describes "-gcflags=PATTERN=-l", https://pkg.go.dev/cmd/compile
// describes "-l".
var compact = []string{
	"cel.dev", "encoding/gob", "encoding/xml", "expvar", "github.com/antlr4-go", "github.com/beorn7", "github.com/cenkalti",
	"github.com/goccy", "github.com/google", "github.com/klauspost", "github.com/minio", "github.com/modelcontextprotocol",
	"github.com/munnerz", "github.com/nats-io", "github.com/prometheus", "github.com/segmentio", "github.com/spf13",
	"github.com/yosida95", "github.com/yuin", "go.opentelemetry.io", "go.yaml.in", "golang.org/x/oauth2", "golang.org/x/text",
	"golang.org/x/time", "google.golang.org", "net/http/pprof", "text/template",
}

// compactOwn are packages of this module that are also compiled without inlining: commands, reports, pages, the
// simulator, the configuration, schema adapters (their results are cached), checks of servers, credentials, and the
// records of a request (health, ledger, trace). The gateway, the wires and all
// packages that process responses are not listed.
var compactOwn = []string{
	"agent", "cmd", "directive", "internal/adapter", "internal/alert", "internal/archive", "internal/bfcl", "internal/claim",
	"internal/config", "internal/conformance", "internal/dashboard", "internal/eval", "internal/grammar", "internal/health", "internal/htmltemplate",
	"internal/keyapi", "internal/keyring", "internal/ledger", "internal/openapi", "internal/probe", "internal/provider/auth",
	"internal/store", "internal/telemetry", "internal/trace", "interop", "mcptool", "simulate", "workspace",
}

// compilerFlags returns the go build flags that compile the packages of compact and compactOwn without inlining.
func compilerFlags(module string) []string {
	var out []string
	for _, path := range compact {
		out = append(out, "-gcflags="+path+"/...=-l")
	}
	for _, path := range compactOwn {
		out = append(out, "-gcflags="+module+"/"+path+"/...=-l")
	}
	return out
}
