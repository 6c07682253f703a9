package main

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/jsonlines"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/schema"
)

// A schemaLine is an input line of callwright schema --batch.
type schemaLine struct {
	ID     json.RawMessage `json:"id"`
	Target string          `json:"target"`
	Tool   *struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"tool"`
	Arguments *string `json:"arguments"` // arguments for the translated schema, as JSON text
}

// A translated is an output line of schema --batch: the tool for the target and the losses of the translation.
type translated struct {
	ID          json.RawMessage `json:"id,omitempty"`
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema"`
	Lost        []adapter.Lost  `json:"lost"`
	*checkedArguments
}

// checkedArguments contains the arguments converted back for the original schema, and their violations of it.
type checkedArguments struct {
	Undone     string                 `json:"undone"`
	Valid      bool                   `json:"valid"`
	Violations []callwright.Violation `json:"violations"`
}

func newTranslated(t *adapter.Translation, tool adapter.Tool, names *adapter.Names) *translated {
	sent := t.TranslateTool(tool, names)
	return &translated{Name: sent.Name, Description: sent.Description, Schema: sent.Parameters, Lost: append([]adapter.Lost{}, t.Lost...)}
}

// translateLine returns the output for a line of a batch. fallback is the target of a line without one.
func translateLine(line []byte, fallback adapter.Target) (*translated, error) {
	var job schemaLine
	if err := jsonlines.Read(line, &job); err != nil {
		return nil, err
	}
	if err := checkSchemaLine(line, &job, fallback); err != nil {
		return nil, err
	}
	tool := adapter.Tool{Name: job.Tool.Name, Description: job.Tool.Description, Parameters: job.Tool.Parameters}
	target := adapter.Target(job.Target)
	t, err := adapter.Translate(target, tool.Parameters)
	if err != nil {
		return nil, err
	}
	out := newTranslated(t, tool, adapter.NewNames(target.ToolNames(), []string{tool.Name}))
	if out.ID = job.ID; out.ID == nil {
		out.ID = json.RawMessage("null")
	}
	if job.Arguments == nil {
		return out, nil
	}
	s, err := schema.Compile(tool.Parameters)
	if err != nil {
		return nil, err
	}
	undone := t.Undo([]byte(*job.Arguments))
	out.checkedArguments = &checkedArguments{Undone: string(undone), Violations: []callwright.Violation{}}
	for _, v := range s.Validate(undone) {
		out.Violations = append(out.Violations, callwright.Violation{Path: v.Path, Keyword: v.Keyword, Message: v.Message})
	}
	out.Valid = len(out.Violations) == 0
	return out, nil
}

// checkSchemaLine returns an error for a line without a tool or a target, and for a member that looks like a
// misspelling.
func checkSchemaLine(line []byte, job *schemaLine, fallback adapter.Target) error {
	if err := jsonlines.CheckSlips(line, jsonlines.Members[schemaLine]()); err != nil {
		return err
	}
	if job.Tool == nil {
		return errors.New("expected a member tool")
	}
	if job.Target == "" {
		job.Target = string(fallback)
	}
	if job.Target == "" {
		return errors.New("expected a member target: " + strings.Join(targetNames(), ", "))
	}
	if !slices.Contains(adapter.Targets(), adapter.Target(job.Target)) {
		return unknownTarget(job.Target)
	}
	return nil
}
