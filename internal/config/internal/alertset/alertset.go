// Package alertset defines the configuration of alerts: the settings, their validation, and their conversion to the
// configuration of the sender.
package alertset

import (
	"fmt"
	"net/url"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/alert"
	"github.com/callwright/callwright/internal/provider"
)

// Settings are the settings of the webhook for gateway events: its address and the events to send.
type Settings struct {
	URL         provider.Secret `json:"url,omitempty" default:"none" example:"https://hooks.example.com/callwright" jsonschema:"the URL of the receiver, or env:NAME, as it may contain a token. Without a URL nothing is sent"`
	Events      []alert.Family  `json:"events,omitempty" default:"all" example:"[breaker, state]" jsonschema:"the families of events to send: budget, breaker, provider_key, configuration, state, healing, and problem for all other problems"`
	Secret      provider.Secret `json:"secret,omitempty" default:"none" example:"env:ALERT_SECRET" jsonschema:"the secret with which messages are signed, by Standard Webhooks: whsec_ followed by 24 to 64 random bytes in base64, or env:NAME"`
	RepeatAfter time.Duration   `json:"repeat_after,omitempty" default:"15m" jsonschema:"the time, at least 1m, in which the same event of a subject is sent at most once. The end of a problem is sent at once"`
}

// A Reveal returns the text of a secret, which may be in an environment variable or a file.
type Reveal func(s provider.Secret) (string, error)

// CheckURL returns an error if text is not an http or https URL, or contains a user. The error does not contain the
// URL.
func CheckURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return callwright.Errorf("alerts", callwright.KindInvalid, "", "expected an address with http:// or https:// and a host")
	case u.User != nil:
		return callwright.Errorf("alerts", callwright.KindInvalid, "",
			"expected an address without user and password: put a token into the path")
	}
	return nil
}

// CheckSecret returns an error if text is not a valid webhook secret. The error does not contain the secret.
func CheckSecret(text string) error {
	_, err := alert.ParseSecret(text)
	return err
}

// CheckRepeat returns an error if RepeatAfter is set and too short.
func (s *Settings) CheckRepeat() error {
	if n := s.RepeatAfter; n != 0 && n < alert.LeastRepeatAfter {
		return callwright.Errorf("alerts", callwright.KindInvalid, "", "expected %v or longer, got %v", alert.LeastRepeatAfter, n)
	}
	return nil
}

// Config returns the configuration of the sender. ok is false if no URL is set. A secret that cannot be resolved or is
// invalid is an error.
func (s *Settings) Config(reveal Reveal) (c alert.Config, ok bool, err error) {
	if s.URL.Empty() {
		return alert.Config{}, false, nil
	}
	if c.URL, err = reveal(s.URL); err == nil {
		err = CheckURL(c.URL)
	}
	if err != nil {
		return alert.Config{}, false, fmt.Errorf("alerts.url: %w", err)
	}
	secret, err := reveal(s.Secret)
	if err == nil && secret != "" {
		c.Secret, err = alert.ParseSecret(secret)
	}
	if err != nil {
		return alert.Config{}, false, fmt.Errorf("alerts.secret: %w", err)
	}
	c.Families, c.RepeatAfter = s.Events, s.RepeatAfter
	return c, true, nil
}
