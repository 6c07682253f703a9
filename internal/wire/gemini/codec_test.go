package gemini_test

import (
	"testing"

	"github.com/callwright/callwright/internal/wire/gemini"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

var suite = wiretest.Suite{Codec: gemini.Codec{}, Dir: "testdata", Open: [][]string{
	{}, {"generationConfig"}, {"toolConfig"}, {"toolConfig", "functionCallingConfig"}, {"contents", "*"}, {"systemInstruction"},
	{"tools", "*", "functionDeclarations", "*"},
}}

func TestCodec(t *testing.T) { wiretest.Run(t, suite) }

func FuzzCodec(f *testing.F) { wiretest.Fuzz(f, suite) }
