// Package result writes the results of tools the way model families are used to.
package result

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Result is the outcome of one call.
type Result struct {
	Name, ID string
	Text     string
	IsError  bool
}

// A Writer writes results as the text of the turn that follows their calls.
type Writer func(b *strings.Builder, results []Result)

// Tag writes each result in a tag.
func Tag(tag string) Writer {
	return func(b *strings.Builder, results []Result) {
		for i, r := range results {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString("<" + tag + ">\n")
			b.Write(object(&r))
			b.WriteString("\n</" + tag + ">")
		}
	}
}

// object is a result as an object that names the call it belongs to.
func object(r *Result) []byte {
	b := append([]byte(`{"name": `), jsonx.AppendQuote(nil, r.Name)...)
	key := `, "content": `
	if r.IsError {
		key = `, "error": `
	}
	b = jsonx.AppendQuote(append(b, key...), r.Text)
	return append(b, '}')
}

// Functions writes the results in one block, each with the name of its tool.
func Functions(b *strings.Builder, results []Result) {
	b.WriteString("<function_results>\n")
	for _, r := range results {
		tag := "output"
		if r.IsError {
			tag = "error"
		}
		fmt.Fprintf(b, "<result>\n<tool_name>%s</tool_name>\n<%s>%s</%s>\n</result>\n", r.Name, tag, r.Text, tag)
	}
	b.WriteString("</function_results>")
}

// CallID is the id under which the i-th call of an answer is written: its own when it has the form functions.NAME:INDEX.
func CallID(name, id string, i int) string {
	if strings.HasPrefix(id, "functions."+name+":") {
		return id
	}
	return fmt.Sprintf("functions.%s:%d", name, i)
}

// Kimi writes each result below the id of its call.
func Kimi(b *strings.Builder, results []Result) {
	for i := range results {
		r := &results[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "## Return of %s\n%s", CallID(r.Name, r.ID, i), textOf(r))
	}
}

// textOf is the text of a result, marked where it is an error.
func textOf(r *Result) string {
	if r.IsError {
		return "Error: " + r.Text
	}
	return r.Text
}

// DeepSeek writes each result between special tokens, all between two more.
func DeepSeek(b *strings.Builder, results []Result) {
	b.WriteString("<｜tool▁outputs▁begin｜>")
	for i := range results {
		b.WriteString("<｜tool▁output▁begin｜>" + textOf(&results[i]) + "<｜tool▁output▁end｜>")
	}
	b.WriteString("<｜tool▁outputs▁end｜>")
}

// Mistral writes each result as an object with the id of its call, between two marks.
func Mistral(b *strings.Builder, results []Result) {
	for i := range results {
		fmt.Fprintf(b, `[TOOL_RESULTS] {"content": %s, "call_id": %s}[/TOOL_RESULTS]`, jsonx.AppendQuote(nil, textOf(&results[i])), jsonx.AppendQuote(nil, results[i].ID))
	}
}

// Harmony writes each result as a message of its tool.
func Harmony(b *strings.Builder, results []Result) {
	for i := range results {
		fmt.Fprintf(b, "<|start|>functions.%s to=assistant<|channel|>commentary<|message|>%s<|end|>", results[i].Name, textOf(&results[i]))
	}
}

// JSON writes each result as an object, one a line.
func JSON(b *strings.Builder, results []Result) {
	for i := range results {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.Write(object(&results[i]))
	}
}

// Each writes each result between two marks, of which open may have a place for the tool's name.
func Each(open, shut string) Writer {
	return func(b *strings.Builder, results []Result) {
		for i := range results {
			b.WriteString(strings.ReplaceAll(open, "NAME", results[i].Name) + textOf(&results[i]) + shut)
		}
	}
}

// List writes all results as one JSON list between two marks.
func List(open, shut string) Writer {
	return func(b *strings.Builder, results []Result) {
		b.WriteString(open + "[")
		for i := range results {
			if i > 0 {
				b.WriteString(", ")
			}
			b.Write(object(&results[i]))
		}
		b.WriteString("]" + shut)
	}
}

// Cohere writes one JSON list in which each result carries the running number of its call.
func Cohere(b *strings.Builder, results []Result) {
	b.WriteString("<|START_TOOL_RESULT|>[")
	for i := range results {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, `{"tool_call_id": "%d", "results": {"0": %s}, "is_error": %t}`, i, object(&results[i]), results[i].IsError)
	}
	b.WriteString("]<|END_TOOL_RESULT|>")
}

// Outputs writes each result as an object with its output.
func Outputs(b *strings.Builder, results []Result) {
	for i := range results {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, `{"output": %s}`, jsonx.AppendQuote(nil, textOf(&results[i])))
	}
}

// Delimited writes each result as the word response, the tool's name and a literal with delimiters around strings.
func Delimited(open, shut, quote string) Writer {
	return func(b *strings.Builder, results []Result) {
		for i := range results {
			key := "result"
			if results[i].IsError {
				key = "error"
			}
			b.WriteString(open + "response:" + results[i].Name + "{" + key + ":" + quote + results[i].Text + quote + "}" + shut)
		}
	}
}

// Block writes the results in one block, each in a tag of its own.
func Block(block, tag string) Writer {
	return func(b *strings.Builder, results []Result) {
		b.WriteString("<" + block + ">\n")
		for i := range results {
			b.WriteString("<" + tag + ">" + textOf(&results[i]) + "</" + tag + ">\n")
		}
		b.WriteString("</" + block + ">")
	}
}
