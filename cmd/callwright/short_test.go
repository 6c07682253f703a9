package main

import (
	"flag"
	"testing"

	"github.com/callwright/callwright/internal/longtest"
)

// wholeTests has the longest tests run on all that they have, in place of a part of it: every recorded text, and a kill at every line and at many moments.
var wholeTests = flag.Bool("whole", false, "run the longest tests on all that they have")

// needsLong skips a test unless all cases run: it runs command lines one after the other as users do, and what these run beside each other has tests of
// its own.
func needsLong(t *testing.T) {
	t.Helper()
	longtest.Only(t)
}
