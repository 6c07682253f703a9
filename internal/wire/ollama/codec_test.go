package ollama_test

import (
	"testing"

	"github.com/callwright/callwright/internal/wire/ollama"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

var suite = wiretest.Suite{Codec: ollama.Codec{}, Dir: "testdata", Open: [][]string{
	{}, {"options"}, {"messages", "*"}, {"messages", "*", "tool_calls", "*"}, {"messages", "*", "tool_calls", "*", "function"},
	{"tools", "*"}, {"tools", "*", "function"},
}}

func TestCodec(t *testing.T) { wiretest.Run(t, suite) }

func FuzzCodec(f *testing.F) { wiretest.Fuzz(f, suite) }
