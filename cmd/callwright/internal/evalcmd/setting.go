package evalcmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/spelling"
	"github.com/spf13/pflag"
)

// A Setting is a flag of the command, with an optional environment variable.
type Setting struct {
	Flag     string
	Variable string // environment variable; "" for none
	Value    string // placeholder in the help; "" for a Boolean
	Default  string
	Meaning  string
	Words    []string // permitted values; nil if not restricted
	Live     bool     // has no effect in an offline run

	set func(s *settings, text string) error
	// empty means that a variable with an empty value is set.
	empty bool
	// list means that the flag may be repeated, and that its values accumulate.
	list bool
}

// prefix is the prefix of the environment variables for settings.
const prefix = "OPENROUTER_"

// noted collects remarks about settings that are not errors.
type noted struct{ notes []string }

func (n *noted) note(format string, args ...any) {
	n.notes = append(n.notes, fmt.Sprintf(format, args...))
}

// given maps each flag of a command line to its values, which are not parsed yet.
type given map[string][]string

// A flagValue is the value of a flag in the table. given.read parses it later, so that flags and environment variables
// have equal errors.
type flagValue struct {
	s  *Setting
	to given
}

var _ pflag.Value = flagValue{}

// Set stores the text of a flag. It is parsed later.
func (f flagValue) Set(text string) error {
	if !f.s.list {
		f.to[f.s.Flag] = nil
	}
	f.to[f.s.Flag] = append(f.to[f.s.Flag], text)
	return nil
}

// String returns the texts of the flag, separated by commas.
func (f flagValue) String() string {
	if f.s == nil {
		return ""
	}
	return strings.Join(f.to[f.s.Flag], ",")
}

// Type returns the placeholder of the flag's value in the help.
func (f flagValue) Type() string {
	if f.s.Value == "" {
		return "bool"
	}
	return f.s.Value
}

// addFlags adds a flag for each row of the table of settings.
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

// use returns the flags for the usage line of the command.
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

// read returns the settings of a command line and, for missing flags, of the environment. An error names the flag or
// the variable.
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

// take parses a text and sets the setting in s.
func (row *Setting) take(s *settings, text string) error {
	text = strings.TrimSpace(text)
	if row.Words != nil && !slices.Contains(row.Words, text) {
		if near := config.Nearest(text, row.Words); near != "" {
			return fmt.Errorf("unknown value %q: did you mean %s?", text, near)
		}
		return fmt.Errorf("expected %s, got %q", spelling.Or(row.Words), text)
	}
	return row.set(s, text)
}
