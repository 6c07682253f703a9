package kit

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright"
)

// SameParams reports whether the request parameters a equal b, those decoded from the client's body. It compares
// pointer fields by address, because an unchanged copy shares them.
func SameParams(a, b *callwright.Params) bool {
	return a.Stream == b.Stream && a.StreamUsage == b.StreamUsage && a.Choice.Mode == b.Choice.Mode &&
		slices.Equal(a.Choice.Names, b.Choice.Names) && a.Parallel == b.Parallel && a.MaxTokens == b.MaxTokens &&
		a.Temperature == b.Temperature && a.TopP == b.TopP && a.TopK == b.TopK && a.Presence == b.Presence &&
		a.Frequency == b.Frequency && a.Seed == b.Seed && slices.Equal(a.Stop, b.Stop) && a.Format == b.Format &&
		a.Thinking.Effort == b.Thinking.Effort && a.Thinking.Budget == b.Thinking.Budget && a.Thinking.Off == b.Thinking.Off &&
		bytes.Equal(a.Thinking.Extra.JSON, b.Thinking.Extra.JSON) && a.User == b.User
}
