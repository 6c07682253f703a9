package agent

import "github.com/callwright/callwright"

// callWithRecover calls a function that the program supplied. A panic becomes an error of KindInternal; the run can be
// resumed, because the journal has all earlier entries. what names the function in the message.
func callWithRecover[T any](what string, f func() (T, error)) (out T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = callwright.Errorf("agent.run", callwright.KindInternal, "", "%s panicked: %v", what, p)
		}
	}()
	return f()
}
