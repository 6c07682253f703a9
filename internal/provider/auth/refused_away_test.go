package auth_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/provider/auth"
)

// A valid credential that was refused for one request stays in use while no other can be fetched.
func TestRefusedWhileServiceIsAway(t *testing.T) {
	n := 0
	c := auth.NewCache(func(context.Context) (auth.ExpiringCredential[string], error) {
		if n++; n > 1 {
			return auth.ExpiringCredential[string]{}, errors.New("the token service is down")
		}
		return auth.ExpiringCredential[string]{Value: "good", End: time.Now().Add(time.Hour)}, nil
	}, nil)
	defer func() { _ = c.Close() }()
	for i := range 3 {
		if got, err := c.Get(t.Context()); got != "good" || err != nil {
			t.Fatalf("got %q, %v", got, err)
		}
		if i == 0 && !c.Refuse(func(s string) bool { return s == "good" }) {
			t.Error("not renewed")
		}
	}
	if n != 2 {
		t.Errorf("%d fetches", n)
	}
}
