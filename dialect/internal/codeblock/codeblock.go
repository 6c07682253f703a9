// Package codeblock parses calls in Markdown code blocks with the language "tool", in the format that the clients of
// Continue request:
//
//	TOOL_NAME: get_weather
//	BEGIN_ARG: city
//	Paris
//	END_ARG
//
// The format is that of
// https://github.com/continuedev/continue/tree/main/core/tools/systemMessageTools/toolCodeblocks.
package codeblock

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/tristate"
	"github.com/callwright/callwright/internal/jsonx"
)

// Info is the info string (language) of the code block.
const Info = "tool"

// The beginnings of lines, in any case.
const (
	nameLine = "TOOL_NAME:"
	argLine  = "BEGIN_ARG:"
	endLine  = "END_ARG"
)

// A Call is one parsed call. Args are in text order.
type Call struct {
	Name  string
	Args  []Arg
	IsCut bool // the text ended inside an argument
}

// An Arg is one argument: the decoded text of a JSON string, or the lines unchanged.
type Arg struct{ Key, Text string }

// Begins reports whether text begins with a call.
func Begins(text string, ended bool) tristate.State {
	if text = strings.TrimLeft(text, " \t\r\n"); len(text) < len(nameLine) {
		return tristate.MaybeIf(!ended && strings.EqualFold(nameLine[:len(text)], text))
	}
	return tristate.YesIf(strings.EqualFold(text[:len(nameLine)], nameLine))
}

// Read parses a text that is exactly one call. ok is false for other text. A truncated call has IsCut set.
func Read(text string) (c Call, ok bool) {
	head, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if c.Name, ok = after(head, nameLine); !ok || c.Name == "" {
		return c, false
	}
	given := map[string]bool{}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		head, rest, _ = strings.Cut(rest, "\n")
		key, ok := after(head, argLine)
		if !ok || key == "" || given[key] {
			return c, false
		}
		given[key] = true
		end, size := endOf(rest)
		if end < 0 {
			c.IsCut = true
			return c, true
		}
		c.Args = append(c.Args, Arg{key, plain(strings.TrimSpace(rest[:end]))})
		rest = rest[end+size:]
	}
	return c, true
}

// plain returns the value's text. A JSON string is decoded, because clients write strings as JSON in the history.
func plain(text string) string {
	if s, ok := jsonx.String([]byte(text)); ok && jsonx.KindOf([]byte(text)) == jsonx.Text && jsonx.Valid([]byte(text)) == nil {
		return s
	}
	return text
}

// endOf returns the start and size of the END_ARG line, -1 if there is none.
func endOf(text string) (at, size int) {
	for at < len(text) {
		line, _, whole := strings.Cut(text[at:], "\n")
		if strings.EqualFold(strings.TrimSpace(line), endLine) {
			return at, len(line)
		}
		if at += len(line); whole {
			at++
		}
	}
	return -1, 0
}

// after removes the text head from the beginning of a line, in any case, and white space around the rest. ok is false
// if the line does not begin with head.
func after(line, head string) (rest string, ok bool) {
	line = strings.TrimSpace(line)
	if len(line) < len(head) || !strings.EqualFold(line[:len(head)], head) {
		return "", false
	}
	return strings.TrimSpace(line[len(head):]), true
}

// A Tracker follows the lines of a call that is being streamed.
type Tracker struct {
	at     int
	isOpen bool
}

// IsOpen reports whether text ends inside an argument. text must extend the text of the previous call of IsOpen. Each
// line is scanned once.
func (k *Tracker) IsOpen(text string) bool {
	for {
		n := strings.IndexByte(text[k.at:], '\n')
		if n < 0 {
			return k.isOpen
		}
		line := text[k.at : k.at+n]
		k.at += n + 1
		if k.isOpen {
			k.isOpen = !strings.EqualFold(strings.TrimSpace(line), endLine)
		} else {
			_, k.isOpen = after(line, argLine)
		}
	}
}
