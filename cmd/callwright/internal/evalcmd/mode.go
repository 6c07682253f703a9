package evalcmd

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright/caps"
)

// A fallback is a mode for a trial whose model gives an unusable first answer in its first mode.
type fallback string

// The fallbacks. A mode without one has that of the configuration.
const (
	fallbackOwn   fallback = ""
	fallbackNone  fallback = "none"  // neither calls in the text beside native ones, nor another mode, nor another model
	fallbackModes fallback = "modes" // other modes of the model
	fallbackNext  fallback = "next"  // other modes, then the next of the models that are measured
)

// fallbacks are those of the matrix, in its order.
var fallbacks = []fallback{fallbackNone, fallbackModes, fallbackNext}

// parseMode reads a mode with the fallback behind it.
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
	return nil, "", fmt.Errorf("%s: expected +none, +modes or +next behind a mode, got +%s", text, with)
}

func checkMode(text string) error {
	_, _, err := parseMode(text)
	return err
}

// matrix are modes, each with every fallback; those that have one already stay.
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
