package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/alert"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/callrule"
	"github.com/callwright/callwright/internal/config/internal/cloudauth"
	"github.com/callwright/callwright/internal/config/internal/foreign"
	"github.com/callwright/callwright/internal/config/internal/reserved"
	"github.com/callwright/callwright/internal/config/internal/variable"
	"github.com/callwright/callwright/internal/config/internal/yamlnode"
	"github.com/callwright/callwright/internal/errorkind"
	"github.com/callwright/callwright/internal/fitness"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/provider"
	"github.com/goccy/go-yaml/ast"
)

// wires are the permitted words of the key wire: the APIs of providers.
var wires = []string{
	string(callwright.WireOpenAI), string(callwright.WireResponses), string(callwright.WireAnthropic), string(callwright.WireGemini),
	string(callwright.WireOllama),
}

// words maps types to their parsers, for types that are decoded from a string.
var words = map[reflect.Type]func(d *decoder, text string) (any, error){
	reflect.TypeFor[callwright.WireName](): wordOf[callwright.WireName]("wire", wires),
	reflect.TypeFor[callwright.Policy](): func(_ *decoder, text string) (any, error) {
		p, err := callwright.ParsePolicy(text)
		return p, suggest(err, "policy", text, policies)
	},
	reflect.TypeFor[callwright.StreamCalls](): func(_ *decoder, text string) (any, error) {
		s, err := callwright.ParseStreamCalls(text)
		return s, suggest(err, "stream_calls", text, streamings)
	},
	reflect.TypeFor[callwright.StrictTools](): func(_ *decoder, text string) (any, error) {
		s, err := callwright.ParseStrictTools(text)
		return s, suggest(err, "strict_tools", text, strictnesses)
	},
	reflect.TypeFor[callwright.CacheMode](): func(_ *decoder, text string) (any, error) {
		m, err := callwright.ParseCacheMode(text)
		return m, suggest(err, "cache", text, cachings)
	},
	reflect.TypeFor[Switch]():    wordOf[Switch]("switch", switchWords),
	reflect.TypeFor[Constrain](): wordOf[Constrain]("constrain", constrainWords),
	reflect.TypeFor[ProbeWhen](): wordOf[ProbeWhen]("probe", probeWhens),
	reflect.TypeFor[callwright.ToolsOverLimit](): func(_ *decoder, text string) (any, error) {
		s, err := callwright.ParseToolsOverLimit(text)
		return s, suggest(err, "tools_over_limit", text, overLimits)
	},
	reflect.TypeFor[errorkind.Class]():     wordOf[errorkind.Class]("kind of failure", errorkind.Classes()),
	reflect.TypeFor[fitness.Prefer]():      wordOf[fitness.Prefer]("preference", fitness.Preferences()),
	reflect.TypeFor[access.Verb]():         wordOf[access.Verb]("verb", verbs),
	reflect.TypeFor[access.Period]():       wordOf[access.Period]("period", periods),
	reflect.TypeFor[Unpriced]():            wordOf[Unpriced]("unpriced", unpriceds),
	reflect.TypeFor[alert.Family]():        wordOf[alert.Family]("family of events", alertFamilies),
	reflect.TypeFor[time.Time]():           readMoment,
	reflect.TypeFor[callcheck.Action]():    wordOf[callcheck.Action]("action", callrule.Actions),
	reflect.TypeFor[callrule.OnError]():    wordOf[callrule.OnError]("on_error", callrule.OnErrors),
	reflect.TypeFor[callrule.Expression](): readExpression,
	reflect.TypeFor[provider.Discovery]():  wordOf[provider.Discovery]("discover", discoveries),
	reflect.TypeFor[agent.ToolUseMode]():   wordOf[agent.ToolUseMode]("tool_use_mode", toolUseModes),
	reflect.TypeFor[agent.FailurePolicy](): wordOf[agent.FailurePolicy]("tool_failure_policy", failurePolicies),
	reflect.TypeFor[agent.VerifyWhen]():    wordOf[agent.VerifyWhen]("verifier", verifyTimes),
	reflect.TypeFor[agent.Approval]():      wordOf[agent.Approval]("approval", approvals),
	reflect.TypeFor[callwright.Choice]():   readChoice,
	reflect.TypeFor[Path]():                readPath,
	reflect.TypeFor[cloudauth.Path](): func(d *decoder, text string) (any, error) {
		name, err := d.file(text)
		return cloudauth.Path(name), err
	},
	reflect.TypeFor[callwright.ModelID](): func(_ *decoder, text string) (any, error) { return callwright.ModelID(text), nil },
	reflect.TypeFor[time.Duration]():      readDuration,
	reflect.TypeFor[provider.Secret]():    readSecret,
}

// wordOf returns a parser that accepts only the words in all. subject is the name of the value in errors, such as
// "policy".
func wordOf[T ~string](subject string, all []string) func(d *decoder, text string) (any, error) {
	return func(_ *decoder, text string) (any, error) {
		if !slices.Contains(all, text) {
			return nil, unknown(subject, text, all)
		}
		return T(text), nil
	}
}

func readDuration(_ *decoder, text string) (any, error) {
	t, err := time.ParseDuration(text)
	switch _, bare := strconv.Atoi(text); {
	case bare == nil:
		return nil, fmt.Errorf("expected a duration such as 10s or 5m, got %s without a unit", text)
	case err != nil || t <= 0:
		return nil, fmt.Errorf("expected a duration such as 10s, 5m or 1h30m, got %q", text)
	}
	return t, nil
}

// word returns the string value at a location, for a type in words. For a duration it also returns the digits of a
// number, so that the error can mention the missing unit. It reports any other value as an error and returns false.
func (d *decoder) word(at location, t reflect.Type) (string, bool) {
	if _, isNumber := at.node.(*ast.IntegerNode); isNumber && t == reflect.TypeFor[time.Duration]() {
		return at.node.GetToken().Value, true
	}
	return d.text(at)
}

// suggest returns err or, if one of words resembles the text given, an error that suggests that word. It returns nil if
// err is nil.
func suggest(err error, subject, given string, words []string) error {
	if err != nil && Nearest(given, words) != "" {
		return unknown(subject, given, words)
	}
	return err
}

// readSecret parses a secret: env:NAME, file:PATH or the secret itself. It masks a literal secret in the excerpts of
// errors.
func readSecret(d *decoder, text string) (any, error) {
	if name, ok := strings.CutPrefix(text, "env:"); ok {
		if !variable.IsName(name) {
			return nil, fmt.Errorf("expected the name of an environment variable after env:")
		}
	} else if name, ok := strings.CutPrefix(text, "file:"); ok {
		path, err := d.file(name)
		if err != nil {
			return nil, fmt.Errorf("expected the name of a file after file:")
		}
		return provider.NewSecret("file:" + path), nil
	} else if name, ok := foreign.Variable(text); ok {
		return nil, fmt.Errorf("%s is not a reference to a variable: write env:%s", text, name)
	} else if text != "" {
		d.secrets = append(d.secrets, text)
	}
	return provider.NewSecret(text), nil
}

func (l *Providers) read(d *decoder, at location) {
	for _, m := range d.members(at) {
		p := Provider{Name: m.key}
		d.value(m, reflect.ValueOf(&p).Elem())
		*l = append(*l, p)
	}
}

// overrides is the key for settings by model names in configurations of other programs, such as OpenRouter.
const overrides = "modelOverrides"

func (l *Models) read(d *decoder, at location) {
	for _, m := range d.members(at) {
		one := Model{Name: m.key, anyProvider: at.key == overrides && strings.Contains(m.key, "/")}
		d.value(m, reflect.ValueOf(&one).Elem())
		*l = append(*l, one)
	}
}

// switches maps Boolean keys of other programs to the modes that each value means.
var switches = map[string]map[bool]Modes{
	"preferNativeTools": {true: {}, false: {caps.Text, caps.Native}},
	"forceTextMode":     {true: {caps.Text}, false: {}},
}

// experimental is the key that contains nativeToolCalling in configurations of other programs.
const experimental = "experimental"

// modes returns the modes that nativeToolCalling means, or nil if it is not set.
func (e *Experimental) modes() Modes {
	switch on := e.NativeToolCalling; {
	case on == nil:
		return nil
	case *on:
		return Modes{caps.Native}
	}
	return slices.Clone(switches["preferNativeTools"][false])
}

func (m *Modes) read(d *decoder, at location) {
	if at.key == experimental {
		var e Experimental
		d.object(at, reflect.ValueOf(&e).Elem())
		*m = e.modes()
		return
	}
	if s, ok := switches[at.key]; ok {
		if on, ok := d.boolean(at); ok {
			*m = slices.Clone(s[on])
		}
		return
	}
	*m = Modes{}
	nodes := []ast.Node{at.node}
	if list, ok := at.node.(*ast.SequenceNode); ok {
		nodes = list.Values
	}
	for _, n := range nodes {
		one := at
		one.node = n
		text, ok := d.text(one)
		if !ok {
			continue
		}
		modes, err := caps.ParseMode(text)
		switch {
		case err != nil:
			d.fail(one, "%v", suggest(err, "mode", text, caps.ModeNames()))
		case len(modes) == 0 && len(nodes) > 1:
			d.fail(one, "auto cannot be combined with other modes: it chooses the order by the facts about the model")
		}
		for _, mode := range modes {
			if !slices.Contains(*m, mode) {
				*m = append(*m, mode)
			}
		}
	}
}

func (f *Facts) read(d *decoder, at location) {
	for _, m := range d.members(at) {
		text, ok := d.scalar(m)
		if !ok {
			continue
		}
		fact := caps.Fact{Key: m.key, Value: text, Source: caps.Configured}
		if !slices.Contains(caps.Keys(), m.key) {
			d.failKey(m.name, m.path, "%v", unknown("fact", m.key, caps.Keys()))
			continue
		}
		if _, err := (caps.Caps{}).With(fact); err != nil {
			d.fail(m, "%v", plainFact(err, text))
			continue
		}
		*f = append(*f, fact)
	}
}

// plainFact returns err with a plain description if it is a parse error of a number or a Boolean. value is the text of
// the fact.
func plainFact(err error, value string) error {
	wrong, ok := errors.AsType[*strconv.NumError](err)
	switch {
	case !ok:
		return err
	case wrong.Func == "ParseBool":
		return fmt.Errorf("expected true or false, got %q", value)
	}
	return fmt.Errorf("expected a whole number, got %q", value)
}

// scalar returns the text of a string, number or Boolean. It reports any other value as an error and returns false.
func (d *decoder) scalar(at location) (string, bool) {
	switch at.node.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return d.loose(at, "a value")
	}
	return d.text(at)
}

func (m *Members) read(d *decoder, at location) { m.merge(d, at, at.key, nil) }

// merge adds the members of the mapping at a location as edits below path. Members of nested mappings become separate
// edits. key is the configuration key, for errors.
func (m *Members) merge(d *decoder, at location, key string, path []string) {
	for _, e := range d.members(at) {
		if e.depth > maxDepth {
			d.fail(e, "nested deeper than %d", maxDepth)
			return
		}
		to := append(slices.Clone(path), e.key)
		switch object := e.node.(type) {
		case *ast.MappingNode:
			if len(object.Values) > 0 {
				m.merge(d, e, key, to)
				continue
			}
		case *ast.MappingValueNode:
			m.merge(d, e, key, to)
			continue
		}
		value, ok := d.json(e, nil)
		if ok {
			if err := reserved.Check(key, to, value); err != nil {
				d.failKey(e.name, e.path, "%v", err)
				continue
			}
		}
		switch {
		case !ok:
		case string(value) == "null":
			*m = append(*m, callwright.Edit{Path: to})
		default:
			*m = append(*m, callwright.Edit{Path: to, Value: value})
		}
	}
}

// json appends the value at a location to dst as JSON. Numbers keep their digits. It reports an invalid value as an
// error and returns false.
func (d *decoder) json(at location, dst json.RawMessage) (json.RawMessage, bool) {
	if at.depth > maxDepth {
		d.fail(at, "nested deeper than %d", maxDepth)
		return dst, false
	}
	switch n := at.node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return d.jsonObject(at, dst)
	case *ast.SequenceNode:
		return d.jsonList(at, n.Values, dst)
	case *ast.NullNode:
		return append(dst, "null"...), true
	case *ast.BoolNode:
		return fmt.Append(dst, n.Value), true
	case *ast.IntegerNode:
		return append(dst, yamlnode.Number(n.GetToken().Value, fmt.Sprint(n.Value))...), true
	case *ast.FloatNode:
		if text := yamlnode.Number(n.GetToken().Value, ""); text != "" {
			return append(dst, text...), true
		}
		d.fail(at, "expected a number in JSON form, got %s", n.GetToken().Value)
		return dst, false
	}
	text, loose, ok := d.readText(at)
	switch {
	case !ok:
		if !loose {
			d.fail(at, "expected a value, got %s", yamlnode.Kind(at.node))
		}
		return dst, false
	case !yamlnode.IsQuoted(at.node) && yamlnode.Number(text, "") != "": // too long for the YAML parser, or from a variable
		return append(dst, text...), true
	case !yamlnode.IsQuoted(at.node) && loose && (text == "true" || text == "false"):
		return append(dst, text...), true
	}
	return jsonx.AppendQuote(dst, text), true
}

func (d *decoder) jsonObject(at location, dst json.RawMessage) (json.RawMessage, bool) {
	good := true
	dst = append(dst, '{')
	for i, m := range d.members(at) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonx.AppendQuote(dst, m.key), ':')
		var ok bool
		dst, ok = d.json(m, dst)
		good = good && ok
	}
	return append(dst, '}'), good
}

func (d *decoder) jsonList(at location, values []ast.Node, dst json.RawMessage) (json.RawMessage, bool) {
	good := true
	dst = append(dst, '[')
	for i, n := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		var ok bool
		dst, ok = d.json(at.element(i, n), dst)
		good = good && ok
	}
	return append(dst, ']'), good
}
