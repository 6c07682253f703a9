package evalcmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/spelling"
	"github.com/spf13/pflag"
)

// A Setting is something that a flag says, and perhaps a variable of the environment.
type Setting struct {
	Flag     string
	Variable string // "" where there is none
	Value    string // what stands for the value in the help; "" for yes or no
	Default  string
	Meaning  string
	Words    []string // the values that it may have, nil where there are others
	Live     bool     // whether it says nothing to an offline run

	set func(s *settings, text string) error
	// empty says that a variable without text is a value, and not the same as one that is not set.
	empty bool
	// list says that the flag may be repeated: each adds to the values.
	list bool
}

// prefix stands before the names of variables.
const prefix = "OPENROUTER_"

// noted are the remarks of settings that are no errors.
type noted struct{ notes []string }

func (n *noted) note(format string, args ...any) {
	n.notes = append(n.notes, fmt.Sprintf(format, args...))
}

// given are the values that a command line gives, by flags.
type given map[string][]string

// A flagValue is a flag of the table. Its text is read with the variables, so that errors of both are the same.
type flagValue struct {
	s  *Setting
	to given
}

var _ pflag.Value = flagValue{}

// Set keeps a value.
func (f flagValue) Set(text string) error {
	if !f.s.list {
		f.to[f.s.Flag] = nil
	}
	f.to[f.s.Flag] = append(f.to[f.s.Flag], text)
	return nil
}

// String is the value, or nothing.
func (f flagValue) String() string {
	if f.s == nil {
		return ""
	}
	return strings.Join(f.to[f.s.Flag], ",")
}

// Type is the placeholder of the value in the help.
func (f flagValue) Type() string {
	if f.s.Value == "" {
		return "bool"
	}
	return f.s.Value
}

// addFlags adds a flag for each setting.
func (g given) addFlags(flags *pflag.FlagSet) {
	for i := range table {
		s := &table[i]
		usage := s.Meaning
		if s.list {
			usage += "; may be repeated"
		}
		if s.Default != "" {
			usage += " (default: " + s.Default + ")"
		}
		f := flags.VarPF(flagValue{s, g}, s.Flag, "", usage)
		if s.Value == "" {
			f.NoOptDefVal = "true"
		}
	}
}

// use is how the settings stand in the usage of the command.
func use() string {
	var b strings.Builder
	for i := range table {
		s := &table[i]
		b.WriteString(" [--" + s.Flag)
		if s.Value != "" {
			b.WriteString(" " + s.Value)
		}
		b.WriteByte(']')
		if s.list {
			b.WriteString("...")
		}
	}
	return b.String()
}

// read makes settings of a command line and, where it says nothing, of the environment. An error names the flag or the
// variable that it is about.
func (g given) read(env func(string) (string, bool)) (*settings, error) {
	s := newSettings()
	for i := range table {
		row := &table[i]
		for _, text := range g[row.Flag] {
			if err := row.take(s, text); err != nil {
				return nil, fmt.Errorf("--%s: %w", row.Flag, err)
			}
		}
		if len(g[row.Flag]) > 0 || row.Variable == "" {
			s.told[row.Flag] = len(g[row.Flag]) > 0
			continue
		}
		text, ok := env(row.Variable)
		if !ok || strings.TrimSpace(text) == "" && !row.empty {
			continue
		}
		s.told[row.Flag], s.fromEnv[row.Flag] = true, true
		if err := row.take(s, text); err != nil {
			return nil, fmt.Errorf("%s: %w", row.Variable, err)
		}
	}
	return s, nil
}

// take takes a value.
func (row *Setting) take(s *settings, text string) error {
	text = strings.TrimSpace(text)
	if row.Words != nil && !slices.Contains(row.Words, text) {
		if near := config.Nearest(text, row.Words); near != "" {
			return fmt.Errorf("%q is none of its values: did you mean %s?", text, near)
		}
		return fmt.Errorf("expected %s, got %q", spelling.Or(row.Words), text)
	}
	return row.set(s, text)
}
