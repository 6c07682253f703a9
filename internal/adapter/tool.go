package adapter

import "strings"

// A Tool is a declared tool. Parameters is the JSON Schema of its arguments.
type Tool struct {
	Name        string
	Description string
	Parameters  []byte
}

// TranslateTool returns the tool for the provider: with its name from names, with the translated schema, and with the
// keywords that the root lost appended to the description.
func (t *Translation) TranslateTool(tool Tool, names *Names) Tool {
	tool.Name, tool.Parameters = names.SentName(tool.Name), t.Schema
	if t.Words != "" {
		tool.Description = strings.TrimSpace(tool.Description + " " + t.Words)
	}
	return tool
}
