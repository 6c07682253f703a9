// Package foreignfile converts configuration files of LiteLLM, claude-code-router and Bifrost into configurations of
// the gateway.
//
// The formats are described at https://docs.litellm.ai/docs/proxy/configs and
// https://docs.litellm.ai/docs/proxy/config_settings, in the README.md of github.com/musistudio/claude-code-router, and
// at https://docs.getbifrost.ai/deployment-guides/config-json/providers and
// https://docs.getbifrost.ai/deployment-guides/config-json/governance. Secrets are never copied: the result refers to
// environment variables instead.
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

// A Result is the result of a conversion.
type Result struct {
	Program string // name of the program of the source file
	Text    []byte // the configuration as YAML; nil if nothing could be converted
	// Missing lists the settings without a counterpart, one sentence each, by their keys in the source file. It contains
	// no values of settings, except names of models.
	Missing []string
}

// ErrNeither is the error for a text that is not a configuration of a supported program.
var ErrNeither = errors.New("expected a configuration of LiteLLM (model_list), of claude-code-router (Providers) or of Bifrost (providers with keys)")

// Import converts a file of another program, which it recognises by the keys. It returns an error if the text cannot be
// parsed or is not a file of a supported program.
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

// programOf returns the name of the program that a file belongs to. A file of claude-code-router may lack its routes.
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

// read parses a text in YAML, JSON or JSON5, whose root must be a mapping.
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
		return nil, fmt.Errorf("expected at most %d values, including repetitions by aliases", maxValues)
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

// messageOf returns the message of the YAML parser without the excerpt of the text, which may contain secrets.
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

// withoutComments returns a JSON5 text, which begins with a brace, without its comments and with spaces for tabs. It
// returns any other text unchanged.
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
