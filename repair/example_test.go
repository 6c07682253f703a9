package repair_test

import (
	"errors"
	"fmt"

	"github.com/callwright/callwright/repair"
)

func ExampleJSON() {
	r, err := repair.JSON(`{'city': 'Paris', days: 3, "note": "say "hi" now",}`)
	fmt.Println(string(r.JSON), err)
	for _, f := range r.Fixes {
		fmt.Println(f.Offset, f.Rule, repair.RiskOf(f.Rule))
	}
	// Output:
	// {"city": "Paris", "days": 3, "note": "say \"hi\" now"} <nil>
	// 1 single_quotes lossless
	// 9 single_quotes lossless
	// 18 unquoted_key lossless
	// 40 inner_quote implied
	// 49 trailing_comma lossless
}

func ExampleJSON_truncated() {
	_, err := repair.JSON(`{"path": "main.go", "content": "package ma`)
	fmt.Println(errors.Is(err, repair.ErrTruncated))
	// Output: true
}

func ExampleRules() {
	for _, r := range repair.Rules()[:3] {
		fmt.Println(r.Name, r.Risk)
	}
	// Output:
	// trailing_comma lossless
	// missing_comma implied
	// single_quotes lossless
}

func ExampleValue() {
	n, err := repair.Value(`{'a': '}',} and so on`)
	fmt.Println(n, err)
	// Output: 11 <nil>
}

func ExamplePython() {
	r, err := repair.Python(`{'at': (48.85, 2.35), 'open': True, 'id': 0x1F}`)
	fmt.Println(string(r.JSON), err)
	// Output: {"at": [48.85, 2.35], "open": true, "id": 31} <nil>
}

func ExamplePythonArgs() {
	args, n, err := repair.PythonArgs(`(city='Paris', days=3) and so on`)
	for _, a := range args {
		fmt.Println(a.Key, string(a.JSON))
	}
	fmt.Println(n, err)
	// Output:
	// city "Paris"
	// days 3
	// 22 <nil>
}

func ExampleFinder() {
	var f repair.Finder
	for _, piece := range []string{`{"code": "if x {`, ` y() }"`, `} done`} {
		fmt.Println(f.Feed(piece))
	}
	// Output:
	// 0 false
	// 0 false
	// 24 true
}

func ExampleTextReader() {
	var r repair.TextReader
	for _, piece := range []string{`"He said \`, `"hello\u0`, `0e9" to`, ` all"`, `, "next": 1}`} {
		text, end, done := r.Feed(piece)
		fmt.Printf("%q %d %v\n", text, end, done)
	}
	// Output:
	// "He said " 0 false
	// "\"hello" 0 false
	// "é\" to" 0 false
	// " all" 0 false
	// "" 31 true
}
