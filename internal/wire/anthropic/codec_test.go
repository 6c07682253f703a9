package anthropic_test

import (
	"testing"

	"github.com/callwright/callwright/internal/wire/anthropic"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// suite is the suite of all codecs with the cases of this one.
var suite = wiretest.Suite{
	Codec: anthropic.Codec{},
	Dir:   "testdata",
	Open: [][]string{
		{}, {"metadata"}, {"thinking"}, {"output_config"}, {"output_config", "format"}, {"tool_choice"}, {"messages", "*"},
		{"messages", "*", "content", "*"}, {"messages", "*", "content", "*", "source"}, {"messages", "*", "content", "*", "content", "*"},
		{"system", "*"}, {"tools", "*"}, {"tools", "*", "input_schema"},
	},
}

func TestCodec(t *testing.T) { wiretest.Run(t, suite) }

func FuzzCodec(f *testing.F) { wiretest.Fuzz(f, suite) }
