package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/cmd/callwright/internal/jsonlines"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/probe"
	"github.com/callwright/callwright/mcptool"
)

// servedTools returns the commands that callwright mcp offers as MCP tools. file is the configuration file.
func servedTools(a *app, file string) []mcptool.ServedTool {
	return []mcptool.ServedTool{
		{
			Name: "parse", Effects: agent.EffectsNone,
			Description: "Read the tool calls out of the text of a model's answer: those that may be run, with arguments that satisfy their schemas, those that " +
				"may not and why, the visible text, the reasoning, and everything that was changed. Only declared tools are called.",
			Schema: schemaOf(`"text": {"type": "string", "description": "the answer; it, chunks or native_calls"},
				"chunks": {"type": "array", "items": {"type": "string"}, "description": "the answer in pieces, as it was streamed"},
				"tools": {"description": "the declared tools, as any API or MCP has them: a list, one alone, or the body of a request"},
				"model": {"type": "string", "description": "the model that wrote it; settles ties"},
				"dialect": {"type": "string", "description": "the textual format that was asked for; settles ties"},
				"context": {"type": "object", "properties": {"reasoning_primed": {"type": "boolean"}, "tool_choice": {}}},
				"native_calls": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}, "arguments": {}}}},
				"id": {"description": "given back as it is"}`),
			Run: jsonTool(func(_ context.Context, line []byte) (any, error) {
				return parseLine(line, parseJob{policy: callwright.PolicyHeal})
			}),
		},
		{
			Name: "doctor", Effects: agent.EffectsNone,
			Description: "Find what a provider would refuse in a saved conversation, and mend it; or write it in the form of another API.",
			Schema: schemaOf(`"conversation": {"description": "the body of a request, or its messages alone, as JSON or as text"},
				"wire": {"type": "string", "description": "the API of the conversation; without it, told by its shape"},
				"to": {"type": "string", "description": "the API in whose form it is written"},
				"model": {"type": "string", "description": "the model that the conversation goes on with, as provider/name"}`, "conversation"),
			Run: doctorTool,
		},
		{
			Name: "schema", Effects: agent.EffectsNone,
			Description: "Translate a tool's JSON Schema for a provider, and say what is lost; with arguments, undo the translation and hold them against the original.",
			Schema: schemaOf(`"target": {"type": "string", "enum": `+string(toJSONArray(targetNames()))+`},
				"tool": {"type": "object", "properties": {"name": {"type": "string"}, "description": {"type": "string"}, "parameters": {"description": "a JSON Schema"}}},
				"arguments": {"type": "string", "description": "JSON text for the translated schema"},
				"id": {"description": "given back as it is"}`, "target", "tool"),
			Run: jsonTool(func(_ context.Context, line []byte) (any, error) { return translateLine(line, "") }),
		},
		{
			Name:        "probe", // not read-only: it costs money and stores facts
			Description: "Ask a live model what it can do, with some dozens of small requests: tools, streams, schemas and more. The answer has each check and a score.",
			Schema:      schemaOf(`"model": {"type": "string", "description": "the model, as provider/name"}`, "model"),
			Run: jsonTool(func(ctx context.Context, line []byte) (any, error) {
				return probeTool(ctx, a, file, line)
			}),
		},
	}
}

// schemaOf returns the JSON Schema of an object. members is the content of "properties" as JSON.
func schemaOf(members string, required ...string) json.RawMessage {
	return json.RawMessage(`{"type": "object", "properties": {` + members + `}, "required": ` + string(toJSONArray(required)) + `}`)
}

// toJSONArray returns strings as a JSON array.
func toJSONArray(texts []string) []byte {
	out := []byte{'['}
	for i, t := range texts {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsonx.AppendQuote(out, t)
	}
	return append(out, ']')
}

// jsonTool adapts a function for ServedTool.Run: its result is encoded as JSON.
func jsonTool(answer func(ctx context.Context, line []byte) (any, error)) func(context.Context, json.RawMessage) (json.RawMessage, error) {
	return func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error) {
		got, err := answer(ctx, arguments)
		if err != nil {
			return nil, err
		}
		return jsonx.Marshal(got)
	}
}

// readMembers decodes the arguments of a call. An unknown or misspelled member is an error.
func readMembers[T any](line []byte) (*T, error) {
	into := new(T)
	if err := jsonlines.Read(line, into); err != nil {
		return nil, err
	}
	return into, jsonlines.CheckSlips(line, jsonlines.Members[T]())
}

// A doctorLine contains the arguments of the MCP tool "doctor".
type doctorLine struct {
	Conversation json.RawMessage `json:"conversation"`
	Wire         string          `json:"wire"`
	To           string          `json:"to"`
	Model        string          `json:"model"`
}

func doctorTool(_ context.Context, line json.RawMessage) (json.RawMessage, error) {
	job, err := readMembers[doctorLine](line)
	if err != nil {
		return nil, err
	}
	if jsonx.IsNull(job.Conversation) {
		return nil, errors.New("expected a member conversation")
	}
	d := doctorCommand{wire: job.Wire, to: job.To, model: job.Model}
	if err := d.check(); err != nil {
		return nil, err
	}
	text := []byte(job.Conversation)
	if s, ok := jsonx.String(job.Conversation); ok {
		text = []byte(s)
	}
	found, err := d.examine(text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := found.write(&b); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// A probeLine contains the arguments of the MCP tool "probe".
type probeLine struct {
	Model string `json:"model"`
}

func probeTool(ctx context.Context, a *app, file string, line []byte) (any, error) {
	job, err := readMembers[probeLine](line)
	if err != nil {
		return nil, err
	}
	if job.Model == "" {
		return nil, errors.New("expected a member model")
	}
	live, err := openLive(ctx, a, file, job.Model)
	if err != nil {
		return nil, err
	}
	defer live.done()
	card, failed := probe.Run(ctx, live.model, probe.Options{})
	if card == nil {
		return nil, failed
	}
	kept, err := live.keep(ctx, card)
	if err := errors.Join(failed, err); err != nil {
		return nil, err
	}
	return struct {
		*probe.Card
		Kept string `json:"kept"`
	}{card, kept}, nil
}
