// Package foreignfile turns configuration files of LiteLLM, of claude-code-router and of Bifrost into one of ours.
//
// The formats are those of https://docs.litellm.ai/docs/proxy/configs with
// https://docs.litellm.ai/docs/proxy/config_settings, of the README.md of github.com/musistudio/claude-code-router, and
// of https://docs.getbifrost.ai/deployment-guides/config-json/providers with
// https://docs.getbifrost.ai/deployment-guides/config-json/governance. Secrets are never copied: the result names
// environment variables for them.
package foreignfile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/callwright/callwright/internal/config/internal/foreignkey"
	"github.com/callwright/callwright/internal/config/internal/yamltext"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"
)

// A Result is the translation of a file.
type Result struct {
	Program string // whose file it is
	Text    []byte // the configuration as YAML; nil where nothing could be taken
	// Missing lists the settings without a counterpart, one sentence each, by the keys of the file. Values of keys are
	// left out, except names of models.
	Missing []string
}

// ErrNeither is the error for a text that is no configuration of a known program.
var ErrNeither = errors.New("expected a configuration of LiteLLM (model_list), of claude-code-router (Providers) or of Bifrost (providers with keys)")

// Import translates a file of another program, which it recognises by the keys. A text that cannot be read, or that is
// of none of the programs, is an error.
func Import(text []byte) (*Result, error) {
	root, err := read(text)
	if err != nil {
		return nil, err
	}
	d := newDraft(root)
	d.program = programOf(root)
	switch program := d.program; program {
	case foreignkey.LiteLLM:
		readLiteLLM(d, root)
		return d.result(program), nil
	case foreignkey.ClaudeCodeRouter:
		readRouter(d, root)
		return d.result(program), nil
	case foreignkey.Bifrost:
		readBifrost(d, root)
		return d.result(program), nil
	}
	return nil, ErrNeither
}

// programOf returns the program of a file. A file of claude-code-router may lack its routes.
func programOf(root *object) string {
	keys := root.keys()
	if program := foreignkey.Program(keys); program != "" {
		return program
	}
	if _, ok := root.list("Providers"); ok {
		return foreignkey.ClaudeCodeRouter
	}
	if isBifrost(root) {
		return foreignkey.Bifrost
	}
	return ""
}

// read parses a text in YAML, JSON or JSON5 as a mapping.
func read(text []byte) (*object, error) {
	if message, line, column := yamltext.Check(text); message != "" {
		return nil, fmt.Errorf("%d:%d: %s", line, column, message)
	}
	file, err := parser.ParseBytes(withoutComments(text), 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, errors.New("not YAML or JSON: " + messageOf(err))
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil, ErrNeither
	}
	if valuesOf(file.Docs[0].Body, map[string]int{}) > maxValues {
		return nil, fmt.Errorf("it holds more than %d values with those that its aliases repeat", maxValues)
	}
	var tree any
	if err := yaml.NodeToValue(file.Docs[0].Body, &tree, yaml.UseOrderedMap(), yaml.AllowDuplicateMapKey()); err != nil {
		return nil, errors.New("not YAML or JSON: " + messageOf(err))
	}
	if items, ok := tree.(yaml.MapSlice); ok {
		return newObject("", items), nil
	}
	return nil, ErrNeither
}

// messageOf returns the message of the YAML reader, without the lines of the text, which may hold secrets.
func messageOf(err error) string {
	at, ok := errors.AsType[yaml.Error](err)
	if !ok {
		return "it cannot be read"
	}
	if t := at.GetToken(); t != nil && t.Position != nil {
		return fmt.Sprintf("line %d: %s", t.Position.Line, yamltext.Plain(at.GetMessage()))
	}
	return yamltext.Plain(at.GetMessage())
}

// withoutComments returns a text of JSON5, which begins with a brace, without its comments, and with blanks for tabs.
// Any other text stays.
func withoutComments(text []byte) []byte {
	s := strings.TrimLeft(strings.TrimPrefix(string(text), "\ufeff"), " \t\r\n")
	for strings.HasPrefix(s, "//") {
		_, s, _ = strings.Cut(s, "\n")
		s = strings.TrimLeft(s, " \t\r\n")
	}
	if !strings.HasPrefix(s, "{") {
		return text
	}
	var out strings.Builder
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0 && c == '\\' && i+1 < len(s):
			out.WriteByte(c)
			i++
			c = s[i]
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '"' || c == '\'':
			quote = c
		case c == '\t':
			c = ' '
		case strings.HasPrefix(s[i:], "//"):
			line, _, _ := strings.Cut(s[i:], "\n")
			i += len(line) - 1
			continue
		case strings.HasPrefix(s[i:], "/*"):
			comment, _, _ := strings.Cut(s[i+2:], "*/")
			i += len(comment) + 3
			c = ' '
		}
		out.WriteByte(c)
	}
	return []byte(out.String())
}
