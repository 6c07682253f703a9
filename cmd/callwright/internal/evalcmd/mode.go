package evalcmd

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright/caps"
)

// A fallback selects the further modes or models of a trial whose first response is unusable.
type fallback string

// The fallbacks. A mode without a fallback uses that of the configuration.
const (
	fallbackOwn   fallback = ""
	fallbackNone  fallback = "none"  // no calls in text, no other mode, no other model
	fallbackModes fallback = "modes" // other modes of the model
	fallbackNext  fallback = "next"  // other modes, then the next measured model
)

// fallbacks are the fallbacks that --matrix combines with each mode, in order.
var fallbacks = []fallback{fallbackNone, fallbackModes, fallbackNext}

// parseMode parses a mode with an optional fallback after "+", such as "native+modes".
func parseMode(text string) ([]caps.Mode, fallback, error) {
	name, with, said := strings.Cut(text, "+")
	modes, err := caps.ParseMode(name)
	if err != nil || !said {
		return modes, fallbackOwn, err
	}
	for _, f := range fallbacks {
		if string(f) == with {
			return modes, f, nil
		}
	}
	return nil, "", fmt.Errorf("%s: expected the suffix +none, +modes or +next, got +%s", text, with)
}

func checkMode(text string) error {
	_, _, err := parseMode(text)
	return err
}

// matrix returns each mode combined with every fallback. A mode that has a fallback does not change.
func matrix(modes []string) (out []string) {
	for _, m := range modes {
		if strings.Contains(m, "+") {
			out = append(out, m)
			continue
		}
		for _, f := range fallbacks {
			out = append(out, m+"+"+string(f))
		}
	}
	return out
}
