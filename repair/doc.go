// Package repair turns the broken JSON that language models write into JSON, and lists its changes.
//
// [JSON] takes one value. Valid JSON comes back as it was, without a copy; anything else is read once, from left to
// right, by a reader that knows the usual kinds of damage, the rules of [Rules]. Every change is a [Fix] with its rule
// and its place. Every rule has a [Risk], by which a caller decides whether to accept a change.
//
// Text that ended inside a value is not completed: the error is [ErrTruncated]. Values are not invented: where one is
// missing, the error is [ErrUnreadable]. Numbers are not computed: their digits are kept.
//
//	r, err := repair.JSON(`{'city': 'Paris', days: 3,}`)
//	// r.JSON  = {"city": "Paris", "days": 3}
//	// r.Fixes = single_quotes at 1 and 9, unquoted_key at 18, trailing_comma at 25
//
// [Python] and [PythonArgs] read literals of Python and JavaScript, for models that write calls as code. [Finder] and
// [Value] find the end of a value, broken or not, by the same rules for the ends of its strings. A [TextReader] returns
// the text of a string while it arrives.
//
// All functions run in linear time. Their output is at most a small multiple of the input, and they follow nesting no
// deeper than jsonx.MaxDepth. Functions are safe for concurrent use; a Finder and a TextReader belong to one goroutine.
package repair
