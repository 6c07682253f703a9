package runcmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/completion"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/toolglob"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// settings are the flags that override the agent keys of the configuration. Each key has a flag.
type settings struct {
	misuse func(error) error // see Input
	flags  []*keyFlag
	now    map[string]bool // keys set on this command line, not by a resumed run
}

// flagNames maps agent keys to the names of their flags, if these differ from the key.
var flagNames = map[string]string{"tool_allowlist": "allow", "tool_denylist": "deny"}

// flagOf returns the name of the flag for an agent key of the configuration.
func flagOf(key string) string {
	if name, ok := flagNames[key]; ok {
		return name
	}
	return strings.ReplaceAll(key, "_", "-")
}

// A keyFlag is a flag that sets an agent key of the configuration.
type keyFlag struct {
	key    config.AgentKey
	values []string
}

// A listFlag is a keyFlag that may be repeated.
type listFlag struct{ *keyFlag }

var (
	_ pflag.Value      = (*keyFlag)(nil)
	_ pflag.SliceValue = listFlag{}
)

// Set validates a value of the flag and stores it.
func (k *keyFlag) Set(text string) error { return k.take([]string{text}) }

func (k *keyFlag) take(values []string) error {
	if err := new(config.Agent).Set(k.key.Name, values...); err != nil {
		return err
	}
	k.values = values
	return nil
}

// String returns the flag's values, separated by commas.
func (k *keyFlag) String() string { return strings.Join(k.values, ",") }

// Type returns the placeholder of the flag's value in the help.
func (k *keyFlag) Type() string {
	if k.key.Value == "" {
		return "bool"
	}
	return k.key.Value
}

// Set adds a value to the flag's values.
func (l listFlag) Set(text string) error { return l.Append(text) }

// Append adds a value to the flag's values.
func (l listFlag) Append(text string) error { return l.take(append(slices.Clone(l.values), text)) }

// Replace replaces the flag's values.
func (l listFlag) Replace(values []string) error { return l.take(values) }

// GetSlice returns a copy of the flag's values.
func (l listFlag) GetSlice() []string { return slices.Clone(l.values) }

// add adds a flag for each agent key, unless the command has one with this name.
func (s *settings) add(c *cobra.Command) {
	for _, key := range config.AgentKeys() {
		name := flagOf(key.Name)
		if c.Flags().Lookup(name) != nil {
			continue
		}
		k := &keyFlag{key: key}
		s.flags = append(s.flags, k)
		usage := withFlags(key.Meaning)
		if key.List {
			usage += "; may be repeated"
		}
		if key.Default != "none" && key.Default != "false" {
			usage += " (default: " + key.Default + ")"
		}
		switch {
		case key.List:
			c.Flags().Var(listFlag{k}, name, usage)
		case key.Value == "":
			c.Flags().VarPF(k, name, "", usage).NoOptDefVal = "true"
		default:
			c.Flags().Var(k, name, usage)
		}
		if key.Words != nil {
			completion.Words(c, name, key.Words)
		}
	}
}

// withFlags returns the description of a key with the names of other keys replaced by flag names.
func withFlags(meaning string) string {
	words := strings.Split(meaning, " ")
	for i, word := range words {
		name := strings.TrimRight(word, ",;.:)")
		if strings.Contains(name, "_") && slices.ContainsFunc(config.AgentKeys(), func(k config.AgentKey) bool { return k.Name == name }) {
			words[i] = "--" + flagOf(name) + word[len(name):]
		}
	}
	return strings.Join(words, " ")
}

// use returns the flags for the usage line of the command.
func (s *settings) use() string {
	var b strings.Builder
	for _, k := range s.flags {
		b.WriteString(" [--" + flagOf(k.key.Name))
		if k.key.Value != "" {
			b.WriteString(" " + k.key.Value)
		}
		b.WriteByte(']')
		if k.key.List {
			b.WriteString("...")
		}
	}
	return b.String()
}

// begin records which flags are set, before the stored flags of a resumed run are added.
func (s *settings) begin() {
	s.now = map[string]bool{}
	for _, k := range s.flags {
		s.now[k.key.Name] = k.values != nil
	}
}

// over applies the flags to the configuration. Tools that the configuration denies stay denied.
func (s *settings) over(a *config.Agent) error {
	for _, k := range s.flags {
		values := k.values
		switch {
		case values == nil:
			continue
		case k.key.Name == "tool_denylist":
			values = append(slices.Clone([]string(a.Deny)), values...)
		}
		if err := a.Set(k.key.Name, values...); err != nil {
			return s.misuse(fmt.Errorf("--%s: %w", flagOf(k.key.Name), err))
		}
	}
	return nil
}

// checkPatterns returns an error for a tool pattern of this command line that matches none of the tool names.
func (s *settings) checkPatterns(names []string) error {
	for _, k := range s.flags {
		var said config.Agent
		if !s.now[k.key.Name] || said.Set(k.key.Name, k.values...) != nil {
			continue
		}
		patterns := slices.Concat(said.Allow, said.Deny)
		for _, rule := range said.Approve {
			patterns = append(patterns, rule.Pattern)
		}
		for _, p := range patterns {
			if slices.ContainsFunc(names, func(name string) bool { return toolglob.Matches(p, name) }) {
				continue
			}
			return s.misuse(fmt.Errorf("--%s: %w", flagOf(k.key.Name), unknownTool(p, names)))
		}
	}
	return nil
}

// unknownTool returns the error for a pattern that matches no tool. It suggests the most similar name, or lists the
// names.
func unknownTool(pattern string, names []string) error {
	if near := config.Nearest(pattern, names); near != "" {
		return fmt.Errorf("unknown tool %q: did you mean %s?", pattern, near)
	}
	if len(names) == 0 {
		return fmt.Errorf("unknown tool %q: there are no tools", pattern)
	}
	return fmt.Errorf("unknown tool %q: there are %s", pattern, strings.Join(names[:min(len(names), 20)], ", "))
}

// flagError adds the name of the flag to an error that concerns one.
func (s *settings) flagError(err error) error {
	key, why := "", err
	if e, ok := errors.AsType[*config.KeyError](err); ok {
		key, why = e.Key, e.Err
	} else if e, ok := errors.AsType[*callwright.Error](err); ok && e.Op == "agent.options" {
		if key = strings.TrimPrefix(e.Path, "/"); key == "" {
			return s.misuse(err)
		}
		why = errors.New(e.Message)
	}
	for _, k := range s.flags {
		if k.key.Name == key && k.values != nil {
			return s.misuse(fmt.Errorf("--%s: %w", flagOf(key), why))
		}
	}
	if key != "" {
		return s.misuse(err)
	}
	return err
}
