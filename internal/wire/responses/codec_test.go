package responses_test

import (
	"testing"

	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

var suite = wiretest.Suite{Codec: responses.Codec{}, Dir: "testdata", Open: [][]string{
	{}, {"input", "*"}, {"input", "*", "content", "*"}, {"tools", "*"}, {"tools", "*", "tools", "*"}, {"text"}, {"reasoning"},
}}

func TestCodec(t *testing.T) { wiretest.Run(t, suite) }

func FuzzCodec(f *testing.F) { wiretest.Fuzz(f, suite) }
