package runcmd

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// ofOneCall are the flags that apply to one execution of the command. They are not stored with a run.
var ofOneCall = map[string]bool{"state": true, "resume": true, "answer": true, "json": true, "notes": true, "yes": true,
	"wait": true, "trace": true}

// ofFiles are the flags with file names. They are stored as absolute paths, so that a run can be resumed in any folder.
var ofFiles = map[string]bool{"config": true, "tools": true, "conversation": true}

// setup returns the flags that are stored with a run, as a JSON object of their values.
func (r *command) setup(c *cobra.Command) json.RawMessage {
	flags := map[string][]string{}
	c.Flags().Visit(func(f *pflag.Flag) {
		if ofOneCall[f.Name] {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for i, v := range values {
			if full, err := filepath.Abs(v); ofFiles[f.Name] && !isJSON(v) && err == nil {
				values[i] = full
			}
		}
		flags[f.Name] = values
	})
	return jsonOf(flags)
}

// recall restores the stored flags of a run, which flags of the command line override, and reloads the configuration.
func (r *command) recall(c *cobra.Command, at *place) error {
	s, err := agent.Status(c.Context(), at.journal, agent.RunID(r.resume))
	if callwright.KindOf(err) == callwright.KindNotFound {
		return fmt.Errorf("%w: callwright runs lists the runs in the folder of --state or of the configuration", state.SettingError("--resume", err))
	}
	if err != nil {
		return err
	}
	var flags map[string][]string
	if json.Unmarshal(s.Setup, &flags) != nil {
		return nil // another program started the run
	}
	for name, values := range flags {
		f := c.Flags().Lookup(name)
		if f == nil || f.Changed {
			continue
		}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			err = list.Replace(values)
			f.Changed = true
		} else {
			err = c.Flags().Set(name, strings.Join(values, ""))
		}
		if err != nil {
			return err
		}
	}
	if _, ok := flags["config"]; !ok {
		return nil
	}
	conf, _, err := r.in.Config(c.Context(), r.config)
	if err != nil {
		return err
	}
	return at.share(c.Context(), r.in, conf)
}

// again returns the command line that continues a run. The other settings are stored with the run.
func (r *command) again() string {
	switch {
	case r.state != "":
		return "callwright run --state " + ShellWord(r.state)
	case r.config != "":
		return "callwright run --config " + ShellWord(r.config)
	}
	return "callwright run"
}

// ShellWord quotes a word for a POSIX shell if necessary.
func ShellWord(word string) string {
	odd := func(c rune) bool {
		return c != filepath.Separator && c <= unicode.MaxASCII && !unicode.IsLetter(c) && !unicode.IsDigit(c) &&
			!strings.ContainsRune("/._-+:@%,=", c)
	}
	if !strings.ContainsFunc(word, odd) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// isJSON reports whether a value of --tools is JSON and not a file name.
func isJSON(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
}
