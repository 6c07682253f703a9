package mcptool

import "time"

// cancelOn calls cancel when done is closed. The caller must call stop to release its goroutine.
func cancelOn(done <-chan struct{}, cancel func()) (stop func()) {
	stopped := make(chan struct{})
	go func() {
		select {
		case <-done:
			cancel()
		case <-stopped:
		}
	}()
	return func() { close(stopped) }
}

func pause(d time.Duration, done <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-done:
	}
}
