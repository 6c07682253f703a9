// Command textcalls finds the calls in texts of several formats, without a model.
package main

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable"
)

var texts = []string{
	"I look it up.\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\", \"days\": \"2\"}}\n</tool_call>",
	"<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>",
	`[get_weather(city="Rome", days=1)]`,
	"Write it as `<tool_call>{\"name\": \"get_weather\"}</tool_call>` in your prompt.",
}

func main() {
	tools := []callwright.Tool{{Name: "get_weather", Schema: json.RawMessage(`{"type": "object",
		"properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}`)}}
	extractor, err := reliable.NewExtractor(tools, reliable.ExtractOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range texts {
		found := extractor.Extract([]callwright.Event{callwright.TextDelta{Text: text}})
		fmt.Printf("%d calls, format %q\n", len(found.Calls), found.Dialect)
		for _, call := range found.Calls {
			fmt.Println("  call:", call.Name, string(call.Arguments))
		}
	}

	// The scanner alone, which knows no schemas. It takes a stream in any pieces.
	scanner := dialect.NewScanner(dialect.Options{Tools: []dialect.Tool{{Name: "ping"}}})
	items := scanner.Feed("<think>Is it there?</think>[pi", nil)
	items = scanner.Feed("ng()]", items)
	items = scanner.Close(items)
	for _, item := range items {
		fmt.Println("item:", item.Kind)
	}
}
