package config

import (
	"github.com/callwright/callwright/internal/alert"
	"github.com/callwright/callwright/internal/config/internal/alertset"
	"github.com/callwright/callwright/internal/provider"
)

// Alerts are the settings of the webhook for gateway events: its address and the events to send.
type Alerts = alertset.Settings

// alertFamilies are the permitted words of alerts.events.
var alertFamilies = alert.Families()

// alerts reports errors in the key alerts, such as a missing url.
func (k *checker) alerts() {
	a := &k.c.Alerts
	if _, said := k.d.places["alerts"]; said && a.URL.Empty() && !k.bad("alerts.url") {
		k.fail("alerts", "expected url, the address of the receiver: url: env:ALERT_URL")
	}
	k.secretText("alerts.url", a.URL, alertset.CheckURL)
	k.secretText("alerts.secret", a.Secret, alertset.CheckSecret)
	if err := a.CheckRepeat(); err != nil && !k.bad("alerts.repeat_after") {
		k.fail("alerts.repeat_after", "%s", plain(err))
	}
}

// secretText resolves the secret s and reports the error of check for its text. It does nothing if the secret is empty
// or cannot be resolved. path is the path of its key.
func (k *checker) secretText(path string, s provider.Secret, check func(text string) error) {
	if s.Empty() || k.bad(path) || !k.secret(path, s) {
		return
	}
	if text, err := resolveSecret(s, k.d.env); err == nil && check(text) != nil {
		k.fail(path, "%s", plain(check(text)))
	}
}

// AlertConfig returns the configuration of alerts. env returns the values of environment variables for env:NAME. ok is
// false if no webhook is configured.
func (c *Config) AlertConfig(env func(string) (string, bool)) (a alert.Config, ok bool, err error) {
	return c.Alerts.Config(func(s provider.Secret) (string, error) { return resolveSecret(s, env) })
}
