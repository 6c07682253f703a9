package openai_test

import (
	"testing"

	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

var suite = wiretest.Suite{Codec: openai.Codec{}, Dir: "testdata", Open: [][]string{
	{}, {"messages", "*"}, {"messages", "*", "tool_calls", "*"}, {"messages", "*", "tool_calls", "*", "function"},
	{"messages", "*", "content", "*"}, {"tools", "*"}, {"tools", "*", "function"},
}}

func TestCodec(t *testing.T) { wiretest.Run(t, suite) }

func FuzzCodec(f *testing.F) { wiretest.Fuzz(f, suite) }
