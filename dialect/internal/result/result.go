// Package result renders tool results as text in the formats of model families.
package result

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Result is the result of one call.
type Result struct {
	Name, ID string
	Text     string
	IsError  bool
}

// A Writer appends results to b, as the text of the turn after their calls.
type Writer func(b *strings.Builder, results []Result)

// Tag returns a Writer of each result as a JSON object in a tag.
func Tag(tag string) Writer {
	return func(b *strings.Builder, results []Result) {
		for i, r := range results {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString("<" + tag + ">\n")
			b.Write(object(&r, closerOf(tag)))
			b.WriteString("\n</" + tag + ">")
		}
	}
}

// object returns a result as a JSON object with the tool name. Markers in marks are escaped in its text.
func object(r *Result, marks ...string) []byte {
	b := append([]byte(`{"name": `), jsonx.AppendQuote(nil, r.Name)...)
	key := `, "content": `
	if r.IsError {
		key = `, "error": `
	}
	b = append(append(b, key...), quoteWithoutMarks(r.Text, marks...)...)
	return append(b, '}')
}

// Functions writes the results in a <function_results> block, each with its tool name.
func Functions(b *strings.Builder, results []Result) {
	b.WriteString("<function_results>\n")
	for _, r := range results {
		tag := "output"
		if r.IsError {
			tag = "error"
		}
		fmt.Fprintf(b, "<result>\n<tool_name>%s</tool_name>\n<%s>%s</%s>\n</result>\n", r.Name, tag,
			plain(r.Text, closerOf(tag), "</tool_name", "</result", "</function_results"), tag)
	}
	b.WriteString("</function_results>")
}

// CallID returns the ID of the i-th call in the form functions.NAME:INDEX. It returns id if it has this form already.
func CallID(name, id string, i int) string {
	if strings.HasPrefix(id, "functions."+name+":") {
		return id
	}
	return fmt.Sprintf("functions.%s:%d", name, i)
}

// Kimi writes each result below the ID of its call.
func Kimi(b *strings.Builder, results []Result) {
	for i := range results {
		r := &results[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "## Return of %s\n%s", CallID(r.Name, r.ID, i), textOf(r))
	}
}

// textOf returns the text of a result, with the prefix "Error: " if it is an error.
func textOf(r *Result) string {
	if r.IsError {
		return "Error: " + r.Text
	}
	return r.Text
}

// DeepSeek writes each result between special tokens, and all results between two further tokens.
func DeepSeek(b *strings.Builder, results []Result) {
	b.WriteString("<｜tool▁outputs▁begin｜>")
	for i := range results {
		b.WriteString("<｜tool▁output▁begin｜>" + plain(textOf(&results[i]), "<｜tool▁output▁end｜>", "<｜tool▁outputs▁end｜>") + "<｜tool▁output▁end｜>")
	}
	b.WriteString("<｜tool▁outputs▁end｜>")
}

// Mistral writes each result as a JSON object with its call ID between [TOOL_RESULTS] markers.
func Mistral(b *strings.Builder, results []Result) {
	for i := range results {
		fmt.Fprintf(b, `[TOOL_RESULTS] {"content": %s, "call_id": %s}[/TOOL_RESULTS]`,
			quoteWithoutMarks(textOf(&results[i]), "[/TOOL_RESULTS]"), jsonx.AppendQuote(nil, results[i].ID))
	}
}

// Harmony writes each result as a message of the tool in the harmony format.
func Harmony(b *strings.Builder, results []Result) {
	for i := range results {
		fmt.Fprintf(b, "<|start|>functions.%s to=assistant<|channel|>commentary<|message|>%s<|end|>", results[i].Name,
			plain(textOf(&results[i]), "<|end|>", "<|start|>", "<|call|>", "<|return|>"))
	}
}

// JSON writes each result as one line of JSON.
func JSON(b *strings.Builder, results []Result) {
	for i := range results {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.Write(object(&results[i]))
	}
}

// Each returns a Writer that writes each result between open and shut. NAME in open is replaced by the tool name.
func Each(open, shut string) Writer {
	return func(b *strings.Builder, results []Result) {
		for i := range results {
			b.WriteString(strings.ReplaceAll(open, "NAME", results[i].Name) + plain(textOf(&results[i]), shut) + shut)
		}
	}
}

// List returns a Writer of a JSON array of the results between open and shut.
func List(open, shut string) Writer {
	var marks []string
	if shut != "" {
		marks = []string{shut}
	}
	return func(b *strings.Builder, results []Result) {
		b.WriteString(open + "[")
		for i := range results {
			if i > 0 {
				b.WriteString(", ")
			}
			b.Write(object(&results[i], marks...))
		}
		b.WriteString("]" + shut)
	}
}

// Cohere writes a JSON array in which each result has the index of its call.
func Cohere(b *strings.Builder, results []Result) {
	b.WriteString("<|START_TOOL_RESULT|>[")
	for i := range results {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, `{"tool_call_id": "%d", "results": {"0": %s}, "is_error": %t}`, i,
			object(&results[i], "<|END_TOOL_RESULT|>"), results[i].IsError)
	}
	b.WriteString("]<|END_TOOL_RESULT|>")
}

// Outputs writes each result as one line {"output": ...}.
func Outputs(b *strings.Builder, results []Result) {
	for i := range results {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, `{"output": %s}`, jsonx.AppendQuote(nil, textOf(&results[i])))
	}
}

// NewDelimitedWriter returns a Writer of response:NAME{result:...} for each result between open and shut, with quote
// around strings.
func NewDelimitedWriter(open, shut, quote string) Writer {
	return func(b *strings.Builder, results []Result) {
		for i := range results {
			key := "result"
			if results[i].IsError {
				key = "error"
			}
			b.WriteString(open + "response:" + results[i].Name + "{" + key + ":" + quote + plain(results[i].Text, quote, shut) + quote + "}" + shut)
		}
	}
}

// Block returns a Writer of the results in a tag block, each in a tag inside it.
func Block(block, tag string) Writer {
	return func(b *strings.Builder, results []Result) {
		b.WriteString("<" + block + ">\n")
		for i := range results {
			b.WriteString("<" + tag + ">" + plain(textOf(&results[i]), closerOf(tag), closerOf(block)) + "</" + tag + ">\n")
		}
		b.WriteString("</" + block + ">")
	}
}
