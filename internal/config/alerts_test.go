package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/alert"
	"github.com/callwright/callwright/internal/config"
	"github.com/google/go-cmp/cmp"
)

// What the configuration says of alerts reaches them, with what stands in the environment.
func TestAlerts(t *testing.T) {
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	pairs := []string{"HOOK=https://hooks.example.com/canary", "SIGN=" + secret}
	environment := env(pairs...)
	c := parse(t, "alerts: {url: env:HOOK, secret: env:SIGN, events: [budget, state], repeat_after: 5m}", pairs...)
	got, ok, err := c.AlertConfig(environment)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if d := cmp.Diff([]alert.Family{alert.Budget, alert.State}, got.Families); d != "" || got.URL != "https://hooks.example.com/canary" || got.Secret.IsZero() || got.RepeatAfter != 5*time.Minute {
		t.Errorf("got %+v\n%s", got, d)
	}
	if _, ok, err := parse(t, "listen: 127.0.0.1:1").AlertConfig(environment); ok || err != nil {
		t.Errorf("without alerts: %v %v", ok, err)
	}
	for text, want := range map[string]string{
		"alerts: {url: env:MISSING}":                          "alerts.url: MISSING is not set",
		"alerts: {url: env:HOOK, secret: env:MISSING}":        "alerts.secret: MISSING is not set",
		"alerts: {url: env:HOOK, secret: \"whsec_QUJDRA==\"}": "24 to 64 bytes",
	} {
		c, err := config.Parse([]byte(text), environment)
		if err == nil {
			_, _, err = c.AlertConfig(environment)
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}
