package preflight

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Print prints each result as a line of text.
func Print(w io.Writer, all []Result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range all {
		name, state, text := r.Name, "ok", r.Address
		if r.Fallback {
			name += " (fallback " + string(r.Model) + ")"
		} else if r.Model != "" && string(r.Model) != r.Name {
			name += " (" + string(r.Model) + ")"
		}
		if r.Detail != "" && r.Problem == "" {
			text += ", " + r.Detail
		}
		if r.Problem != "" {
			state, text = "problem", r.Problem
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", state, name, text)
	}
	return t.Flush()
}
