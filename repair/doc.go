// Package repair turns the broken JSON that language models write into JSON, and says what it changed.
//
// [JSON] takes one value. Valid JSON comes back as it was, without a copy; anything else is read once, from left to
// right, by a reader that knows the usual kinds of damage, the rules of [Rules]. Every change is a [Fix] with its rule
// and its place, and every rule has a [Risk], so that a caller can decide what it trusts.
//
// Three things are never done. Text that ended inside a value is not completed: it gives [ErrTruncated]. Values are not
// invented: a place where one is missing gives [ErrUnreadable]. Numbers are not computed: their digits are kept.
//
//	r, err := repair.JSON(`{'city': 'Paris', days: 3,}`)
//	// r.JSON  = {"city": "Paris", "days": 3}
//	// r.Fixes = single_quotes at 1 and 9, unquoted_key at 18, trailing_comma at 25
//
// [Python] and [PythonArgs] read literals of Python and JavaScript, for models that write calls as code. [Finder] and
// [Value] say where a value ends, broken or not, with the same idea of where its strings end. A [TextReader] gives the
// text of a string while it comes.
//
// All of it is linear in the input, makes nothing larger than a small multiple of it, and follows nesting no deeper
// than jsonx.MaxDepth. Functions are safe for concurrent use; a Finder and a TextReader belong to one goroutine.
package repair
