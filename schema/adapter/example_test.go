package adapter_test

import (
	"fmt"

	"github.com/callwright/callwright/schema/adapter"
)

func ExampleTranslate() {
	t, err := adapter.Translate(adapter.OpenAIStrict, []byte(`{"type":"object","properties":{"city":{"type":"string","minLength":1},"days":{"type":"integer"}},"required":["city"]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(t.Schema))
	for _, l := range t.Lost {
		fmt.Println(l.Path, l.Keyword)
	}
	fmt.Println(string(t.Undo([]byte(`{"city":"Oslo","days":null}`))))
	// Output:
	// {"type":"object","properties":{"city":{"type":"string","description":"{minLength: 1}"},"days":{"type":["integer","null"]}},"required":["city","days"],"additionalProperties":false}
	// /properties/city/minLength minLength
	// {"city":"Oslo"}
}

func ExampleNewNames() {
	names := adapter.NewNames(adapter.OpenAI.ToolNames(), []string{"notion.search", "ping"})
	sent := names.Sent("notion.search")
	fmt.Println(sent, names.Original(sent), names.Sent("ping"))
	// Output: notion_search notion.search ping
}
