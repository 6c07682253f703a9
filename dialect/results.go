package dialect

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// tagResults writes each result in a tag.
func tagResults(tag string) func(*strings.Builder, []RenderedResult) {
	return func(b *strings.Builder, results []RenderedResult) {
		for i, r := range results {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString("<" + tag + ">\n")
			b.Write(resultJSON(&r))
			b.WriteString("\n</" + tag + ">")
		}
	}
}

// resultJSON is a result as an object that names the call it belongs to.
func resultJSON(r *RenderedResult) []byte {
	b := append([]byte(`{"name": `), jsonx.AppendQuote(nil, r.Name)...)
	key := `, "content": `
	if r.IsError {
		key = `, "error": `
	}
	b = jsonx.AppendQuote(append(b, key...), r.Text)
	return append(b, '}')
}

func functionResults(b *strings.Builder, results []RenderedResult) {
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

func kimiResults(b *strings.Builder, results []RenderedResult) {
	for i := range results {
		r := &results[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		c := RenderedCall{Name: r.Name, ID: r.ID}
		fmt.Fprintf(b, "## Return of %s\n%s", headID(&c, i), spoken(r))
	}
}

func spoken(r *RenderedResult) string {
	if r.IsError {
		return "Error: " + r.Text
	}
	return r.Text
}

func deepseekResults(b *strings.Builder, results []RenderedResult) {
	b.WriteString("<｜tool▁outputs▁begin｜>")
	for i := range results {
		b.WriteString("<｜tool▁output▁begin｜>" + spoken(&results[i]) + "<｜tool▁output▁end｜>")
	}
	b.WriteString("<｜tool▁outputs▁end｜>")
}

func mistralResults(b *strings.Builder, results []RenderedResult) {
	for i := range results {
		fmt.Fprintf(b, `[TOOL_RESULTS] {"content": %s, "call_id": %s}[/TOOL_RESULTS]`, jsonx.AppendQuote(nil, spoken(&results[i])), jsonx.AppendQuote(nil, results[i].ID))
	}
}

func harmonyResults(b *strings.Builder, results []RenderedResult) {
	for i := range results {
		fmt.Fprintf(b, "<|start|>functions.%s to=assistant<|channel|>commentary<|message|>%s<|end|>", results[i].Name, spoken(&results[i]))
	}
}

func jsonResults(b *strings.Builder, results []RenderedResult) {
	for i := range results {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.Write(resultJSON(&results[i]))
	}
}

// eachResult writes each result between two marks, of which open may have a place for the tool's name.
func eachResult(open, shut string) func(*strings.Builder, []RenderedResult) {
	return func(b *strings.Builder, results []RenderedResult) {
		for i := range results {
			b.WriteString(strings.ReplaceAll(open, "NAME", results[i].Name) + spoken(&results[i]) + shut)
		}
	}
}

// listedResults writes all results as one JSON list between two marks.
func listedResults(open, shut string) func(*strings.Builder, []RenderedResult) {
	return func(b *strings.Builder, results []RenderedResult) {
		b.WriteString(open + "[")
		for i := range results {
			if i > 0 {
				b.WriteString(", ")
			}
			b.Write(resultJSON(&results[i]))
		}
		b.WriteString("]" + shut)
	}
}

// cohereResults writes one JSON list in which each result carries the running number of its call.
func cohereResults(b *strings.Builder, results []RenderedResult) {
	b.WriteString("<|START_TOOL_RESULT|>[")
	for i := range results {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, `{"tool_call_id": "%d", "results": {"0": %s}, "is_error": %t}`, i, resultJSON(&results[i]), results[i].IsError)
	}
	b.WriteString("]<|END_TOOL_RESULT|>")
}

// outputResults writes each result as an object with its output.
func outputResults(b *strings.Builder, results []RenderedResult) {
	for i := range results {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, `{"output": %s}`, jsonx.AppendQuote(nil, spoken(&results[i])))
	}
}

// delimitedResults writes each result as the word response, the tool's name and a literal with delimiters around strings.
func delimitedResults(open, shut, quote string) func(*strings.Builder, []RenderedResult) {
	return func(b *strings.Builder, results []RenderedResult) {
		for i := range results {
			key := "result"
			if results[i].IsError {
				key = "error"
			}
			b.WriteString(open + "response:" + results[i].Name + "{" + key + ":" + quote + results[i].Text + quote + "}" + shut)
		}
	}
}

// taggedResults writes the results in one block, each in a tag of its own.
func taggedResults(block, tag string) func(*strings.Builder, []RenderedResult) {
	return func(b *strings.Builder, results []RenderedResult) {
		b.WriteString("<" + block + ">\n")
		for i := range results {
			b.WriteString("<" + tag + ">" + spoken(&results[i]) + "</" + tag + ">\n")
		}
		b.WriteString("</" + block + ">")
	}
}
