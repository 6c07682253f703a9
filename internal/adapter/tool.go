package adapter

import "strings"

// A Tool is a tool as it is declared: its name, what it is for, and the schema of its arguments.
type Tool struct {
	Name        string
	Description string
	Parameters  []byte
}

// Sent returns the tool as it is sent: under its name of Names, with the translated schema, and with what the schema cannot say at its
// root after the description.
func (t *Translation) Sent(tool Tool, names *Names) Tool {
	tool.Name, tool.Parameters = names.Sent(tool.Name), t.Schema
	if t.Words != "" {
		tool.Description = strings.TrimSpace(tool.Description + " " + t.Words)
	}
	return tool
}
