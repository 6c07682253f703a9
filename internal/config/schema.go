package config

import (
	"encoding/json"
	"reflect"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect/describe"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/alert"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/callrule"
	"github.com/callwright/callwright/internal/config/internal/rulename"
	"github.com/callwright/callwright/internal/config/internal/tuned"
	"github.com/callwright/callwright/internal/errorkind"
	"github.com/callwright/callwright/internal/fitness"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/transform"
	"github.com/google/jsonschema-go/jsonschema"
)

// Schema returns a JSON Schema of the configuration for editors, derived from the structs and their tags. It accepts
// every configuration that [Parse] accepts. It does not check conditions between several keys.
func Schema() []byte {
	s := schemaOf(reflect.TypeFor[Config]())
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = "Configuration of callwright"
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic("config: the schema cannot be written: " + err.Error()) // a struct tag is invalid
	}
	return append(out, '\n')
}

// expanded is a regular expression for a string with a variable such as ${NAME}.
const expanded = `\$\{`

// namedSchema returns the schema of a type whose form in a file differs from the Go type. ok is false for other types.
func namedSchema(t reflect.Type) (s *jsonschema.Schema, ok bool) {
	switch t {
	case reflect.TypeFor[callwright.WireName]():
		return choice(wires...), true
	case reflect.TypeFor[callwright.Policy]():
		return choice(policies...), true
	case reflect.TypeFor[callwright.StreamCalls]():
		return choice(streamings...), true
	case reflect.TypeFor[callwright.StrictTools]():
		return choice(strictnesses...), true
	case reflect.TypeFor[callwright.CacheMode]():
		return choice(cachings...), true
	case reflect.TypeFor[callwright.ToolsOverLimit]():
		return choice(overLimits...), true
	case reflect.TypeFor[provider.Discovery]():
		return choice(discoveries...), true
	case reflect.TypeFor[time.Duration]():
		return &jsonschema.Schema{Type: "string", Pattern: `[0-9](ns|us|ms|s|m|h)$|` + expanded}, true
	case reflect.TypeFor[provider.Secret]():
		return &jsonschema.Schema{Type: "string"}, true
	case reflect.TypeFor[Members]():
		return &jsonschema.Schema{Types: []string{"object", "null"}}, true
	case reflect.TypeFor[TransformNames]():
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "array", Items: choice(transform.Names("")...)}}}, true
	case reflect.TypeFor[NATS]():
		return natsSchema(), true
	case reflect.TypeFor[Passthrough]():
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{choice(passthroughs()...),
			{Type: "array", Items: choice(provider.PassageNames()...)}}}, true
	case reflect.TypeFor[Params]():
		return paramsSchema(), true
	case reflect.TypeFor[Switch]():
		return choice(switchWords...), true
	case reflect.TypeFor[Constrain]():
		return choice(constrainWords...), true
	case reflect.TypeFor[ProbeWhen]():
		return choice(probeWhens...), true
	case reflect.TypeFor[callcheck.Action]():
		return choice(callrule.Actions...), true
	case reflect.TypeFor[callrule.OnError]():
		return choice(callrule.OnErrors...), true
	case reflect.TypeFor[describe.Form]():
		return choice(describe.Forms()...), true
	case reflect.TypeFor[describe.Parser]():
		return choice(describe.Parsers()...), true
	case reflect.TypeFor[describe.SchemaStyle]():
		return choice(describe.Styles()...), true
	case reflect.TypeFor[ToolFormat]():
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, structSchema(reflect.TypeFor[describe.Description]())}}, true
	case reflect.TypeFor[Facts]():
		return factsSchema(), true
	case reflect.TypeFor[Modes]():
		return modesSchema(), true
	case reflect.TypeFor[Providers]():
		return namedOf(schemaOf(reflect.TypeFor[Provider]())), true
	case reflect.TypeFor[Models]():
		return namedOf(schemaOf(reflect.TypeFor[Model]())), true
	}
	return agentSchema(t)
}

// agentSchema returns the schema of a type of agent settings or access keys, as namedSchema does. ok is false for other
// types.
func agentSchema(t reflect.Type) (s *jsonschema.Schema, ok bool) {
	switch t {
	case reflect.TypeFor[time.Time]():
		return &jsonschema.Schema{Type: "string"}, true
	case reflect.TypeFor[AccessKey]():
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, structSchema(t)}}, true
	case reflect.TypeFor[ModelLimits]():
		return namedOf(structSchema(reflect.TypeFor[ModelLimit]())), true
	case reflect.TypeFor[KeyGroups]():
		return namedOf(structSchema(reflect.TypeFor[KeyGroup]())), true
	case reflect.TypeFor[Fallback]():
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, structSchema(t)}}, true
	case reflect.TypeFor[Breaker]():
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{choice(string(Off)), structSchema(t)}}, true
	case reflect.TypeFor[errorkind.Class]():
		return choice(errorkind.Classes()...), true
	case reflect.TypeFor[fitness.Prefer]():
		return choice(fitness.Preferences()...), true
	case reflect.TypeFor[access.Verb]():
		return choice(verbs...), true
	case reflect.TypeFor[access.Period]():
		return choice(periods...), true
	case reflect.TypeFor[Unpriced]():
		return choice(unpriceds...), true
	case reflect.TypeFor[alert.Family]():
		return choice(alertFamilies...), true
	case reflect.TypeFor[agent.ToolUseMode]():
		return choice(toolUseModes...), true
	case reflect.TypeFor[agent.FailurePolicy]():
		return choice(failurePolicies...), true
	case reflect.TypeFor[agent.VerifyWhen]():
		return choice(verifyTimes...), true
	case reflect.TypeFor[Approvals]():
		return namedOf(choice(approvals...)), true
	case reflect.TypeFor[callwright.Choice]():
		return &jsonschema.Schema{Type: "string", Examples: []any{"auto", "none", "required"}}, true
	case reflect.TypeFor[ToolPatterns](), reflect.TypeFor[ProfileNames](), reflect.TypeFor[ModelNames](),
		reflect.TypeFor[Files](), reflect.TypeFor[Command]():
		return texts(), true
	case reflect.TypeFor[ToolProfile]():
		return &jsonschema.Schema{AnyOf: append(texts().AnyOf, structSchema(t))}, true
	case reflect.TypeFor[MCPServers]():
		return namedOf(schemaOf(reflect.TypeFor[MCPServer]())), true
	}
	return nil, false
}

// policies are the permitted words of the key policy.
var policies = []string{
	string(callwright.PolicyHeal), string(callwright.PolicyHealHeuristic), string(callwright.PolicyObserve),
	string(callwright.PolicyStrict), string(callwright.PolicyOff),
}

// strictnesses are the permitted words of the key strict_tools.
var strictnesses = []string{string(callwright.StrictAuto), string(callwright.StrictOn), string(callwright.StrictOff)}

// overLimits are the permitted words of the key tools_over_limit.
var overLimits = []string{string(callwright.ToolsSelect), string(callwright.ToolsError)}

// streamings are the permitted words of the key stream_calls.
var streamings = []string{string(callwright.StreamAuto), string(callwright.StreamHeld), string(callwright.StreamFlowing)}

// cachings are the permitted words of the key cache.
var cachings = []string{string(callwright.CacheAuto), string(callwright.CacheClient), string(callwright.CacheOff)}

// discoveries are the permitted words of the key discover.
var discoveries = []string{string(provider.DiscoverOff), string(provider.DiscoverAuto), string(provider.DiscoverOn)}

// choice returns the schema of a string that is one of words, or contains a variable such as ${NAME}.
func choice(words ...string) *jsonschema.Schema {
	s := &jsonschema.Schema{}
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "string", Pattern: expanded}}}
}

// scalar returns the schema of a value of the JSON type kind, such as "integer", or of a string with a variable such as
// ${NAME}.
func scalar(kind string) *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: kind}, {Type: "string", Pattern: expanded}}}
}

// texts returns the schema of a string or a list of strings.
func texts() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "array", Items: &jsonschema.Schema{Type: "string"}}}}
}

// namedOf returns the schema of a mapping from arbitrary names to values with the schema s.
func namedOf(s *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Types: []string{"object", "null"}, AdditionalProperties: s}
}

func factsSchema() *jsonschema.Schema {
	s := &jsonschema.Schema{Types: []string{"object", "null"}, Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: never()}
	for _, k := range caps.Keys() {
		s.Properties[k] = &jsonschema.Schema{Types: []string{"string", "integer", "boolean"}}
		s.PropertyOrder = append(s.PropertyOrder, k)
	}
	return s
}

func paramsSchema() *jsonschema.Schema {
	s := &jsonschema.Schema{Types: []string{"object", "null"}, Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: never()}
	for _, n := range tuned.Neutrals() {
		var of *jsonschema.Schema
		switch n.Kind {
		case tuned.Number:
			of = scalar("number")
		case tuned.Whole:
			of = scalar("integer")
		case tuned.Texts:
			of = texts()
		case tuned.Effort:
			of = choice(tuned.Efforts()...)
		case tuned.Text:
			of = &jsonschema.Schema{Type: "string"}
		}
		s.Properties[n.Name] = of
		s.PropertyOrder = append(s.PropertyOrder, n.Name)
	}
	return s
}

func modesSchema() *jsonschema.Schema {
	names := caps.ModeNames()
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{choice(names...), {Type: "array", Items: choice(names...)}}}
}

func never() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

// schemaOf returns the schema of a Go type by its kind and its tags.
func schemaOf(t reflect.Type) *jsonschema.Schema {
	if s, ok := namedSchema(t); ok {
		return s
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.Bool:
		return scalar("boolean")
	case reflect.Int, reflect.Int64:
		return scalar("integer")
	case reflect.Float64:
		return scalar("number")
	case reflect.Slice:
		return &jsonschema.Schema{Types: []string{"array", "null"}, Items: schemaOf(t.Elem())}
	case reflect.Map:
		return namedOf(schemaOf(t.Elem()))
	case reflect.Struct:
		return structSchema(t)
	}
	return &jsonschema.Schema{Type: "string"}
}

func structSchema(t reflect.Type) *jsonschema.Schema {
	s := &jsonschema.Schema{Types: []string{"object", "null"}, Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: never()}
	add := func(name string, p *jsonschema.Schema) {
		s.Properties[name] = p
		s.PropertyOrder = append(s.PropertyOrder, name)
	}
	for _, k := range keysOf(t) {
		f := t.FieldByIndex(k.index)
		p := schemaOf(f.Type)
		if k.list != "" {
			p = oneOrSeveral(f.Type, t, k.list)
		}
		if k.object != "" {
			object, _ := t.FieldByName(k.object)
			p = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{p, structSchema(object.Type.Elem())}}
		}
		if k.name == "dialect" {
			p = choice(rulename.Dialects()...)
		}
		p.Description = f.Tag.Get("jsonschema")
		if d := f.Tag.Get("default"); d != "" {
			p.Description += " (default: " + d + ")"
		}
		add(k.name, p)
		for _, other := range k.also {
			add(other, otherSchema(f.Type, other, k.name))
		}
	}
	return s
}

// oneOrSeveral returns the schema of a key whose value has the type one, or is a list. The list contains such values,
// or objects with a value and a weight. list is the name of the field of t for the list.
func oneOrSeveral(one, t reflect.Type, list string) *jsonschema.Schema {
	f, _ := t.FieldByName(list)
	element := &jsonschema.Schema{AnyOf: []*jsonschema.Schema{schemaOf(one), structSchema(f.Type.Elem())}}
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{schemaOf(one), {Type: "array", Items: element, MinItems: new(1)}}}
}

// otherSchema returns the schema of other, an alternative name of the key name.
func otherSchema(t reflect.Type, other, name string) *jsonschema.Schema {
	s := schemaOf(t)
	if _, ok := switches[other]; ok {
		s = scalar("boolean")
	}
	if other == experimental {
		s = structSchema(reflect.TypeFor[Experimental]())
	}
	s.Description = "another name of " + strconv.Quote(name)
	return s
}
