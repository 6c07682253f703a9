// Package codeblock reads calls that stand in a fence called tool, line by line, as the clients of Continue ask for
// them:
//
//	TOOL_NAME: get_weather
//	BEGIN_ARG: city
//	Paris
//	END_ARG
//
// The format is that of https://github.com/continuedev/continue/tree/main/core/tools/systemMessageTools/toolCodeblocks.
package codeblock

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/tristate"
	"github.com/callwright/callwright/internal/jsonx"
)

// Info is the info string of the fence.
const Info = "tool"

// The heads of lines, in any case.
const (
	nameLine = "TOOL_NAME:"
	argLine  = "BEGIN_ARG:"
	endLine  = "END_ARG"
)

// A Call is one call. Args are in the order in which they were written.
type Call struct {
	Name  string
	Args  []Arg
	IsCut bool // the text ended in an argument
}

// An Arg is one argument, with its text: that of a JSON string, or the lines as they are.
type Arg struct{ Key, Text string }

// Begins decides whether a call begins with a text.
func Begins(text string, ended bool) tristate.State {
	if text = strings.TrimLeft(text, " \t\r\n"); len(text) < len(nameLine) {
		return tristate.MaybeIf(!ended && strings.EqualFold(nameLine[:len(text)], text))
	}
	return tristate.YesIf(strings.EqualFold(text[:len(nameLine)], nameLine))
}

// Read reads a text that is one call and nothing else.
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

// plain is the text of a value: clients write strings as JSON into earlier calls.
func plain(text string) string {
	if s, ok := jsonx.String([]byte(text)); ok && jsonx.KindOf([]byte(text)) == jsonx.Text && jsonx.Valid([]byte(text)) == nil {
		return s
	}
	return text
}

// endOf is where the line begins that ends an argument, and its length; -1 where there is none.
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

// after returns the rest of a line behind its head, without white space around it. ok is false for a line with another
// head.
func after(line, head string) (rest string, ok bool) {
	line = strings.TrimSpace(line)
	if len(line) < len(head) || !strings.EqualFold(line[:len(head)], head) {
		return "", false
	}
	return strings.TrimSpace(line[len(head):]), true
}

// A Tracker follows the lines of a call that grows.
type Tracker struct {
	at     int
	isOpen bool
}

// IsOpen reports whether an argument is open behind a text, which begins with that of the last question. Lines are
// looked at once.
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
