package config

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/goccy/go-yaml/ast"
)

// These lists are the permitted words of agent settings: tool_use_mode, tool_failure_policy, verifier, approve and
// tool_choice.
var (
	toolUseModes    = []string{string(agent.ModeEnforced), string(agent.ModeRelaxed), string(agent.ModeDisabled)}
	failurePolicies = []string{string(agent.FailuresFatal), string(agent.FailuresTolerated), string(agent.FailuresTold)}
	verifyTimes     = []string{string(agent.VerifyAlways), string(agent.VerifyAuto), string(agent.VerifyNever)}
	approvals       = []string{string(agent.ApproveNever), string(agent.ApproveOnce), string(agent.ApproveAlways)}
	toolChoices     = []string{string(callwright.ChoiceAuto), string(callwright.ChoiceNone), string(callwright.ChoiceRequired)}
)

// allowlist is the key of the patterns of allowed tools. An absent list allows all tools.
const allowlist = "tool_allowlist"

// readChoice reads a tool choice: auto, none, required, or the name of a tool.
func readChoice(_ *decoder, text string) (any, error) {
	switch mode := callwright.ChoiceMode(text); mode {
	case callwright.ChoiceAuto, callwright.ChoiceNone, callwright.ChoiceRequired:
		return callwright.Choice{Mode: mode}, nil
	case "":
		return nil, errors.New("expected auto, none, required or the name of a tool, got nothing")
	}
	return callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{text}}, nil
}

func (l *ToolPatterns) read(d *decoder, at location) {
	failed := len(d.errs)
	if *l = d.names(at); len(*l) == 0 && at.key == allowlist && len(d.errs) == failed {
		d.fail(at, "expected a pattern, got none: leave the list out to allow all tools, or set tool_use_mode: disabled to allow none")
	}
	for _, p := range *l {
		d.pattern(at, p)
	}
}

// pattern reports an invalid pattern of tool names. Patterns have the syntax of [path.Match].
func (d *decoder) pattern(at location, pattern string) {
	if _, err := path.Match(pattern, ""); err != nil {
		d.fail(at, "%q is no pattern for names of tools", callwright.Excerpt(pattern))
	}
}

func (p *ToolProfile) read(d *decoder, at location) {
	switch at.node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		d.object(at, reflect.ValueOf(p).Elem())
	default:
		at.key = allowlist
		p.Allow.read(d, at)
	}
}

func (l *ProfileNames) read(d *decoder, at location) { *l = d.names(at) }

func (l *ModelNames) read(d *decoder, at location) {
	d.eachText(at, func(text string, from location) {
		d.places[fmt.Sprintf("%s[%d]", at.path, len(*l))] = from.position()
		*l = append(*l, callwright.ModelID(text))
	})
}

func (l *Approvals) read(d *decoder, at location) {
	for _, m := range d.members(at) {
		d.pattern(location{node: m.name, path: m.path}, m.key)
		rule := agent.ApprovalRule{Pattern: m.key}
		d.value(m, reflect.ValueOf(&rule.Approval).Elem())
		*l = append(*l, rule)
	}
}

func (l *Files) read(d *decoder, at location) {
	d.eachText(at, func(text string, from location) {
		name, err := d.file(text)
		if err != nil {
			d.fail(from, "%v", err)
			return
		}
		*l = append(*l, name)
	})
}

// readPath reads the path of a file or a folder as the method file does. It keeps a slash at the end, since some
// settings then mean a folder.
func readPath(d *decoder, text string) (any, error) {
	name, err := d.file(text)
	if err == nil && os.IsPathSeparator(text[len(text)-1]) && !os.IsPathSeparator(name[len(name)-1]) {
		name += string(filepath.Separator)
	}
	return Path(name), err
}

// file returns the path name, joined to the folder of the configuration if it is relative. A leading ~/ is the user's
// home folder, from HOME or USERPROFILE.
func (d *decoder) file(name string) (string, error) {
	rest, own := strings.CutPrefix(name, "~/")
	switch {
	case name == "":
		return "", errors.New("expected the name of a file or a folder, got nothing")
	case own:
		for _, variable := range []string{"HOME", "USERPROFILE"} {
			if home, _ := d.env(variable); home != "" {
				return filepath.Join(home, rest), nil
			}
		}
		return "", errors.New("~ cannot be resolved: set HOME")
	case filepath.IsAbs(name):
		return name, nil
	}
	return filepath.Join(d.dir, name), nil
}

func (l *MCPServers) read(d *decoder, at location) {
	for _, m := range d.members(at) {
		s := MCPServer{Name: m.key}
		d.value(m, reflect.ValueOf(&s).Elem())
		*l = append(*l, s)
	}
}

func (c *Command) read(d *decoder, at location) {
	_, isList := at.node.(*ast.SequenceNode)
	d.eachText(at, func(text string, _ location) {
		if isList {
			c.Words = append(c.Words, text)
		} else {
			c.Line = strings.TrimSpace(text)
		}
	})
}
