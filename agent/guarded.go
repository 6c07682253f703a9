package agent

import "github.com/callwright/callwright"

// callWithRecover calls f, a function of the program. A panic becomes an error of KindInternal, whose message begins
// with subject. The run can be resumed, because the journal has all earlier entries.
func callWithRecover[T any](subject string, f func() (T, error)) (out T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = callwright.Errorf("agent.run", callwright.KindInternal, "", "%s panicked: %v", subject, p)
		}
	}()
	return f()
}
