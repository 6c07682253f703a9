package jsonx_test

import (
	"fmt"

	"github.com/callwright/callwright/internal/jsonx"
)

func ExampleValid() {
	fmt.Println(jsonx.Valid([]byte(`{"city":"Oslo","days":[1,2,]}`)))
	// Output: json: expected a value at byte 27, got ']'
}

func ExampleMembers() {
	for key, value := range jsonx.Members([]byte(`{"city": "Oslo", "days": [1, 2]}`)) {
		fmt.Printf("%s is %s, %s\n", key.String(), jsonx.KindOf(value), value)
	}
	// Output:
	// city is string, "Oslo"
	// days is array, [1, 2]
}

func ExampleLookup() {
	usage, ok := jsonx.Lookup([]byte(`{"usage": {"tokens": 9007199254740993}}`), "usage", "tokens")
	fmt.Printf("%s %v\n", usage, ok)
	// Output: 9007199254740993 true
}

func ExampleSplice() {
	body := []byte(`{ "model": "fast", "seed": 1e3 }`)
	model, _ := jsonx.Find(body, "model")
	start, end := jsonx.Span(body, model)
	fmt.Printf("%s\n", jsonx.Splice(nil, body, jsonx.Edit{Start: start, End: end, New: []byte(`"lab/large"`)}))
	// Output: { "model": "lab/large", "seed": 1e3 }
}

func ExampleEqual() {
	fmt.Println(jsonx.Equal([]byte(`{"a":1,"b":"x"}`), []byte(`{"b":"\u0078", "a":10e-1}`)))
	// Output: true
}

func ExampleParseObject() {
	list, err := jsonx.ParseObject([]byte(`{"id": 7, "unknown": [ true ]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	list.Set("id", []byte(`8`))
	fmt.Printf("%s\n", list.Append(nil))
	// Output: {"id":8,"unknown":[ true ]}
}

func ExampleChecker() {
	var c jsonx.Checker
	for _, piece := range []string{`{"ci`, `ty":"Os`, `lo"}`, `}`} {
		err := c.FeedString(piece)
		fmt.Println(c.Complete(), c.Depth(), err)
	}
	// Output:
	// false 1 <nil>
	// false 1 <nil>
	// true 0 <nil>
	// false 0 json: expected nothing more at byte 15, got '}'
}

func ExampleAppendQuote() {
	fmt.Printf("%s\n", jsonx.AppendQuote(nil, "<b>\"hi\"</b>\n"))
	// Output: "<b>\"hi\"</b>\n"
}
