package agent

import "github.com/callwright/callwright"

// callWithRecover calls a function of the program's own. A panic becomes an error: the journal has all earlier entries,
// and the run can continue.
func callWithRecover[T any](what string, f func() (T, error)) (out T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = callwright.Errorf("agent.run", callwright.KindInternal, "", "%s panicked: %v", what, p)
		}
	}()
	return f()
}
