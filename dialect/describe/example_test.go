package describe_test

import (
	"fmt"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/dialect/describe"
)

var (
	searching = []dialect.Tool{{Name: "search", Description: "Searches.", Schema: []byte(`{"type":"object","properties":{"q":{"type":"string","description":"what to look for"}},"required":["q"]}`),
		Params: []dialect.Param{{Name: "q", Types: []string{"string"}, Required: true}}}}
	rendering = dialect.RenderOptions{}
)

func ExampleDescription_Compile() {
	d := describe.Description{Name: "house", Format: describe.XML, Example: "<run tool=\"get_weather\">\n  <with key=\"city\">Paris</with>\n</run>"}
	f, err := d.Compile()
	if err != nil {
		panic(err)
	}
	fmt.Println(f.RenderCalls([]dialect.RenderedCall{{Name: "search", Arguments: []byte(`{"q": "tea & more"}`)}}))
	for _, it := range dialect.ScanAll(dialect.Options{Tools: searching, Marks: f.Marks}, `I look. <run tool="search"><with key="q">coffee</with></run>`) {
		if it.Kind == dialect.CallFound {
			fmt.Println(it.Call.Format, it.Call.Name, it.Call.Args[0].Text)
		}
	}
	// Output:
	// <run tool="search">
	//   <with key="q">tea & more</with>
	// </run>
	// house search coffee
}
