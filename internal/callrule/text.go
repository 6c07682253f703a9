package callrule

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// Some functions of the CEL strings extension need time or memory proportional to the product of the lengths of two
// texts, and CEL counts their cost only afterwards (https://github.com/google/cel-go/blob/master/ext/strings.go). The
// replacements in this file need time proportional to the sum of the lengths, and return an error before they create a
// text above maxMemory.

// textFunctions returns the functions of this file, with the names, types and results of the CEL strings extension.
func textFunctions() []cel.EnvOption {
	text, number := cel.StringType, cel.IntType
	return []cel.EnvOption{
		cel.Function("indexOf",
			cel.MemberOverload("string_index_of_string", []*cel.Type{text, text}, number, cel.FunctionBinding(indexOf)),
			cel.MemberOverload("string_index_of_string_int", []*cel.Type{text, text, number}, number, cel.FunctionBinding(indexOf))),
		cel.Function("lastIndexOf",
			cel.MemberOverload("string_last_index_of_string", []*cel.Type{text, text}, number, cel.FunctionBinding(lastIndexOf)),
			cel.MemberOverload("string_last_index_of_string_int", []*cel.Type{text, text, number}, number, cel.FunctionBinding(lastIndexOf))),
		cel.Function("split",
			cel.MemberOverload("string_split_string", []*cel.Type{text, text}, cel.ListType(text), cel.FunctionBinding(split)),
			cel.MemberOverload("string_split_string_int", []*cel.Type{text, text, number}, cel.ListType(text), cel.FunctionBinding(split))),
		cel.Function("replace",
			cel.MemberOverload("string_replace_string_string", []*cel.Type{text, text, text}, text, cel.FunctionBinding(replace)),
			cel.MemberOverload("string_replace_string_string_int", []*cel.Type{text, text, text, number}, text, cel.FunctionBinding(replace))),
	}
}

func textOf(v ref.Val) string { s, _ := v.(types.String); return string(s) }

// numberAt returns args[i] as a number. If that optional argument is missing, it returns the default value otherwise.
func numberAt(args []ref.Val, i int, otherwise int64) int64 {
	if i >= len(args) {
		return otherwise
	}
	n, _ := args[i].(types.Int)
	return int64(n)
}

// indexOf returns the index in characters of the first occurrence at or after an offset, -1 for none.
func indexOf(args ...ref.Val) ref.Val {
	s, part, from := textOf(args[0]), textOf(args[1]), numberAt(args, 2, 0)
	length := int64(utf8.RuneCountInString(s))
	switch {
	case from < 0:
		return outOfRange(from)
	case part == "":
		return types.Int(min(from, length))
	case from >= length:
		return types.Int(-1)
	}
	rest := s[byteOf(s, from):]
	at := strings.Index(rest, part)
	if at < 0 {
		return types.Int(-1)
	}
	return types.Int(from + int64(utf8.RuneCountInString(rest[:at])))
}

// lastIndexOf returns the index in characters of the last occurrence that begins at or before an offset, -1 for none.
func lastIndexOf(args ...ref.Val) ref.Val {
	s, part := textOf(args[0]), textOf(args[1])
	length := int64(utf8.RuneCountInString(s))
	from := numberAt(args, 2, length)
	switch {
	case from < 0:
		return outOfRange(from)
	case part == "":
		return types.Int(min(from, length))
	case len(args) > 2 && from >= length:
		return types.Int(-1)
	}
	// The text is truncated so that no later occurrence is found.
	end := min(byteOf(s, min(from, length))+len(part), len(s))
	at := lastIndex(s[:end], part)
	if at < 0 {
		return types.Int(-1)
	}
	return types.Int(utf8.RuneCountInString(s[:at]))
}

// lastIndex is like strings.LastIndex but linear, by a search in the reversed texts. strings.LastIndex may take time
// proportional to the product of the lengths.
func lastIndex(s, part string) int {
	at := strings.Index(reverseBytes(s), reverseBytes(part))
	if at < 0 {
		return -1
	}
	return len(s) - at - len(part)
}

// reverseBytes returns the bytes of a text in reverse order.
func reverseBytes(s string) string {
	out := make([]byte, len(s))
	for i := range len(s) {
		out[len(s)-1-i] = s[i]
	}
	return string(out)
}

// byteOf returns the byte offset of the character with index place, len(s) after the last character.
func byteOf(s string, place int64) int {
	for at := range s {
		if place == 0 {
			return at
		}
		place--
	}
	return len(s)
}

// replace replaces the first occurrences, up to a maximum number, or all if the number is missing or negative.
func replace(args ...ref.Val) ref.Val {
	s, old, with, most := textOf(args[0]), textOf(args[1]), textOf(args[2]), numberAt(args, 3, -1)
	count := int64(strings.Count(s, old))
	if most >= 0 {
		count = min(count, most)
	}
	if grown := int64(len(with) - len(old)); grown > 0 && count > 0 && grown > (maxMemory-int64(len(s)))/count {
		return types.WrapErr(errors.New("operation cancelled: memory limit exceeded"))
	}
	return types.String(strings.Replace(s, old, with, int(count)))
}

// split splits a text at a separator, into at most the given number of parts if it is not negative. An empty separator
// splits into characters.
func split(args ...ref.Val) ref.Val {
	s, separator, most := textOf(args[0]), textOf(args[1]), numberAt(args, 2, -1)
	parts := int64(strings.Count(s, separator)) + 1
	if separator == "" {
		parts--
	}
	if most >= 0 {
		parts = min(parts, most)
	}
	if parts > maxParts {
		return types.WrapErr(fmt.Errorf("operation cancelled: memory limit exceeded: split would make %d parts, at most %d", parts, maxParts))
	}
	return types.DefaultTypeAdapter.NativeToValue(strings.SplitN(s, separator, int(most)))
}

func outOfRange(n int64) ref.Val { return types.WrapErr(fmt.Errorf("index out of range: %d", n)) }
