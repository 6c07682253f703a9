package config_test

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect/describe"
	"github.com/callwright/callwright/internal/callrule"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/config/internal/cloudauth"
	"github.com/callwright/callwright/transform"
)

// reference returns the reference of all keys, a table for each struct, from the tags.
func reference() map[string]string {
	return map[string]string{
		"the configuration":  table(reflect.TypeFor[config.Config]()),
		"a key":              table(reflect.TypeFor[config.AccessKey]()),
		"a group of keys":    table(reflect.TypeFor[config.KeyGroup]()),
		"limits of models":   table(reflect.TypeFor[config.ModelLimit]()),
		"a call rule":        table(reflect.TypeFor[callrule.Setting]()),
		"spend":              table(reflect.TypeFor[config.KeySpend]()),
		"a price":            table(reflect.TypeFor[config.ModelPrice]()),
		"the server":         table(reflect.TypeFor[config.Server]()),
		"tls":                table(reflect.TypeFor[config.TLS]()),
		"telemetry":          table(reflect.TypeFor[config.Telemetry]()),
		"a budget":           table(reflect.TypeFor[config.Budget]()),
		"alerts":             table(reflect.TypeFor[config.Alerts]()),
		"limits":             table(reflect.TypeFor[config.Limits]()),
		"hosted tools":       table(reflect.TypeFor[config.HostedTools]()),
		"state":              table(reflect.TypeFor[config.State]()),
		"nats":               table(reflect.TypeFor[config.NATS]()),
		"nats tls":           table(reflect.TypeFor[config.NATSTLS]()),
		"retention":          table(reflect.TypeFor[config.Retention]()),
		"bounds":             table(reflect.TypeFor[config.Bounds]()),
		"a trace":            table(reflect.TypeFor[config.Trace]()),
		"a provider":         table(reflect.TypeFor[config.Provider]()),
		"timeouts":           table(reflect.TypeFor[config.Timeouts]()),
		"a key command":      table(reflect.TypeFor[cloudauth.KeyCommand]()),
		"aws":                table(reflect.TypeFor[cloudauth.AWS]()),
		"google":             table(reflect.TypeFor[cloudauth.Google]()),
		"azure":              table(reflect.TypeFor[cloudauth.Azure]()),
		"a model":            table(reflect.TypeFor[config.Model]()),
		"a fallback":         table(reflect.TypeFor[config.Fallback]()),
		"bounds of requests": table(reflect.TypeFor[config.BoundSettings]()),
		"retries":            table(reflect.TypeFor[config.Retries]()),
		"a breaker":          table(reflect.TypeFor[config.Breaker]()),
		"a conversation":     table(reflect.TypeFor[config.Conversation]()),
		"an agent":           table(reflect.TypeFor[config.Agent]()),
		"tools of an agent":  table(reflect.TypeFor[config.AgentTools]()),
		"bounds of an agent": table(reflect.TypeFor[config.AgentLimits]()),
		"prices":             table(reflect.TypeFor[config.Prices]()),
		"an MCP server":      table(reflect.TypeFor[config.MCPServer]()),
		"settings":           table(reflect.TypeFor[config.Settings]()),
		"a description":      table(reflect.TypeFor[describe.Description]()),
		"transforms":         table(reflect.TypeFor[config.TransformSettings]()),
		"built in":           transforms(),
		"presets":            presets(),
		"caps":               "`" + strings.Join(caps.Keys(), "`, `") + "`\n",
	}
}

// transforms returns the table of the built-in transforms.
func transforms() string {
	var b strings.Builder
	b.WriteString("| transform | under | does | rules |\n|---|---|---|---|\n")
	for _, t := range transform.Builtins() {
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | `%s` |\n", t.Name, t.Point.Key(), t.Doc, strings.Join(t.Rules, "`, `"))
	}
	return b.String()
}

// presets returns the table of the presets.
func presets() string {
	var b strings.Builder
	b.WriteString("| preset | transforms |\n|---|---|\n")
	for _, p := range transform.Presets() {
		fmt.Fprintf(&b, "| `%s` | `%s` |\n", p.Name, strings.Join(p.Transforms, "`, `"))
	}
	return b.String()
}

func table(t reflect.Type) string {
	var b strings.Builder
	b.WriteString("| key (other names) | default | meaning |\n|---|---|---|\n")
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" || name == "-" {
			continue
		}
		name = "`" + name + "`"
		if also := f.Tag.Get("also"); also != "" {
			name += " (`" + strings.ReplaceAll(also, ",", "`, `") + "`)"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", name, f.Tag.Get("default"), f.Tag.Get("jsonschema"))
	}
	return b.String()
}
