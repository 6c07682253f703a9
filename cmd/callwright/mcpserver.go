package main

import (
	"cmp"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/mcptool"
)

// serverConfig converts an MCP server of the configuration file for mcptool.Open. env looks up environment variables.
func serverConfig(s *config.MCPServer, env func(string) (string, bool)) (c mcptool.Config, err error) {
	if s.Command.Line != "" {
		if c, err = mcptool.ParseCommand(s.Command.Line); err != nil {
			return c, err
		}
	} else {
		c.Command = s.Command.Words
	}
	own, err := s.Environ(env)
	if err != nil {
		return c, err
	}
	c.Env = append(c.Env, own...) // later entries take precedence
	c.Name, c.Dir, c.URL = s.Name, string(s.Dir), cmp.Or(s.URL, c.URL)
	c.Header, err = s.Header(env)
	return c, err
}
