package dialect

import tri "github.com/callwright/callwright/dialect/internal/tristate"

// A tristate is the result of a test on incomplete text. maybe means that more text is needed.
type tristate = tri.State

const (
	no    = tri.No
	maybe = tri.Maybe
	yes   = tri.Yes
)

func unless(ended bool) tristate { return tri.Unless(ended) }
func atEnd(ended bool) tristate  { return tri.AtEnd(ended) }
func yesIf(b bool) tristate      { return tri.YesIf(b) }
func yesMaybe(b bool) tristate   { return tri.MaybeIf(b) }
func not(v tristate) tristate    { return v.Not() }
