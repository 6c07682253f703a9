package main

// compact are modules and packages that are compiled for size: without inlining, which makes a program larger and no
// request slower here. None is on the path of a request but the dispatch of metrics and spans; validators, JSON, TLS
// and the packages of the gateway are compiled for speed. "-gcflags=PATTERN=-l" is described by "go help build", "-l"
// by https://pkg.go.dev/cmd/compile.
var compact = []string{
	"cel.dev", "github.com/antlr4-go", "github.com/goccy", "github.com/google", "github.com/modelcontextprotocol",
	"github.com/munnerz", "github.com/nats-io",
	"github.com/prometheus", "github.com/segmentio", "github.com/spf13", "github.com/yosida95", "github.com/yuin",
	"go.opentelemetry.io", "go.yaml.in", "golang.org/x/oauth2",
	"google.golang.org",
}

// compactOwn are packages of this module that are compiled so, too: commands, reports, pages, the simulator, and what
// reads a configuration.
var compactOwn = []string{
	"agent", "cmd", "directive", "internal/archive", "internal/bfcl", "internal/config", "internal/dashboard", "internal/eval",
	"internal/health", "internal/htmltemplate",
	"internal/keyapi", "internal/keyring", "internal/ledger", "internal/probe", "internal/store", "internal/telemetry",
	"internal/trace", "interop", "mcptool", "simulate",
	"workspace",
}

// compilerFlags are the flags of go build that compile these packages for size.
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
