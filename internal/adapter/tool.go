package adapter

import "strings"

// A Tool is a declared tool: its name, its purpose, and the schema of its arguments.
type Tool struct {
	Name        string
	Description string
	Parameters  []byte
}

// TranslateTool returns the tool for the provider: under its name of Names, with the translated schema, and with the
// lost keywords of the root at the end of the description.
func (t *Translation) TranslateTool(tool Tool, names *Names) Tool {
	tool.Name, tool.Parameters = names.SentName(tool.Name), t.Schema
	if t.Words != "" {
		tool.Description = strings.TrimSpace(tool.Description + " " + t.Words)
	}
	return tool
}
