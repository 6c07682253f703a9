package main

// compact are modules that are compiled for size: without inlining, which makes a program smaller and its functions
// slower. On the path of each request are of them the metrics, the spans where they are sent, and the rules in CEL where
// there are some; validators, JSON and TLS are compiled for speed. "-gcflags=PATTERN=-l" is described by
// "go help build", "-l" by https://pkg.go.dev/cmd/compile.
var compact = []string{
	"cel.dev", "github.com/antlr4-go", "github.com/goccy", "github.com/google", "github.com/modelcontextprotocol",
	"github.com/munnerz", "github.com/nats-io",
	"github.com/prometheus", "github.com/segmentio", "github.com/spf13", "github.com/yosida95", "github.com/yuin",
	"go.opentelemetry.io", "go.yaml.in", "golang.org/x/oauth2",
	"google.golang.org",
}

// compactOwn are packages of this module that are compiled so, too: commands, reports, pages, the simulator, the reader
// of a configuration, and the records of a request (health, ledger, trace). The gateway, the wires, and all that looks
// at an answer are compiled for speed.
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
