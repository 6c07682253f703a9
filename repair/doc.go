// Package repair converts malformed JSON from language models to valid JSON and lists the changes.
//
// [JSON] reads one value. It returns valid JSON unchanged, without a copy. Other text is parsed once from left to
// right with the repair rules of [Rules]. Every change is a [Fix] with its rule and offset. Every rule has a [Risk],
// so a caller can reject risky changes.
//
// Truncated text is not completed: the error is [ErrTruncated]. Missing values are not invented: the error is
// [ErrUnreadable]. Digits of numbers are preserved.
//
//	r, err := repair.JSON(`{'city': 'Paris', days: 3,}`)
//	// r.JSON  = {"city": "Paris", "days": 3}
//	// r.Fixes = single_quotes at 1 and 9, unquoted_key at 18, trailing_comma at 25
//
// [Python] and [PythonArgs] parse literals of Python and JavaScript, for models that write calls as code. [Finder] and
// [Value] find the end of a value, valid or malformed, with the same rules for the end of strings. A [TextReader]
// decodes a string while it is streamed.
//
// All functions run in linear time, and their output is at most a small multiple of the input. They support nesting up
// to jsonx.MaxDepth. Functions are safe for concurrent use; a Finder and a TextReader are not.
package repair
