package dialect_test

import (
	"fmt"

	"github.com/callwright/callwright/dialect"
)

func ExampleScanner() {
	s := dialect.NewScanner(dialect.Options{Tools: []dialect.Tool{{Name: "find_train"}}})
	var items []dialect.Item
	for _, piece := range []string{"One moment. <tool", "_call>{\"name\": \"find_train\", ", "\"arguments\": {\"from\": \"Bonn\"}}</tool_call>"} {
		items = s.Feed(piece, items)
	}
	for _, it := range s.Close(items) {
		switch it.Kind {
		case dialect.Text:
			fmt.Println(it.Text)
		case dialect.CallFound:
			fmt.Println(it.Call.Name, it.Call.JSON)
		}
	}
	// Output:
	// One moment.
	// find_train {"from": "Bonn"}
}

func ExampleFormat_RenderCalls() {
	f, _ := dialect.Lookup(dialect.ForModel("qwen3-coder-30b"))
	fmt.Println(f.RenderCalls([]dialect.RenderedCall{{Name: "find_train", Arguments: []byte(`{"from": "Bonn"}`)}}))
	// Output:
	// <tool_call>
	// <function=find_train>
	// <parameter=from>
	// Bonn
	// </parameter>
	// </function>
	// </tool_call>
}

func ExampleNames_Resolve() {
	names := dialect.NewNames([]string{"read_file"})
	fmt.Println(names.Resolve("functions.readFile"))
	// Output: read_file name.prefix true
}

func ExampleScanAll() {
	for _, it := range dialect.ScanAll(dialect.Options{Tools: []dialect.Tool{{Name: "ping"}}}, "<think>Is it there?</think>[ping()]") {
		fmt.Println(it.Kind)
	}
	// Output:
	// reasoning
	// call
}
