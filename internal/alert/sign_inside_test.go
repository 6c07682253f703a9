package alert

import "testing"

// The example that the libraries of Standard Webhooks are tested with:
// https://github.com/standard-webhooks/standard-webhooks/blob/main/libraries/go/webhook_test.go.
func TestSignPublished(t *testing.T) {
	s, err := ParseSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	const want = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	if got := s.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, []byte(`{"test": 2432232314}`)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
