package ollama

import "github.com/callwright/callwright"

// finishOf returns the Finish for a done_reason. calls reports that the response has calls: the done_reason does not
// say so. Old servers send none. The reasons load and unload mean that a request only loads or unloads the model.
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

// reasonOf returns the done_reason to write for a Finish. came is the provider's reason, "" if missing. It is kept if
// it still means the same Finish.
func reasonOf(f callwright.Finish, came string) string {
	switch {
	case came != "" && finishOf(came, f == callwright.FinishCalls) == f:
		return came
	case f == callwright.FinishLength:
		return "length"
	}
	return "stop"
}
