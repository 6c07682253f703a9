package ollama

import "github.com/callwright/callwright"

// finishOf is the finish by the reason and the calls. The reason stays stop with calls; an old server gives none. load
// and unload answer requests that only move the model.
func finishOf(reason string, calls bool) callwright.Finish {
	switch {
	case calls:
		return callwright.FinishCalls
	case reason == "stop" || reason == "":
		return callwright.FinishStop
	case reason == "length":
		return callwright.FinishLength
	}
	return callwright.FinishOther
}

// reasonOf is the reason to write: the one that came where it still says the same, else one that clients know.
func reasonOf(f callwright.Finish, came string) string {
	switch {
	case came != "" && finishOf(came, f == callwright.FinishCalls) == f:
		return came
	case f == callwright.FinishLength:
		return "length"
	}
	return "stop"
}
