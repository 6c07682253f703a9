// Package alertset has the settings of alerts in a configuration: their fields, their checks, and the configuration of
// the sender.
package alertset

import (
	"fmt"
	"net/url"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/alert"
	"github.com/callwright/callwright/internal/provider"
)

// Settings say where events of the gateway are sent, and which.
type Settings struct {
	URL         provider.Secret `json:"url,omitempty" default:"none" example:"https://hooks.example.com/callwright" jsonschema:"the address of the receiver, or env:NAME, as it may hold a token. Without one nothing is sent"`
	Events      []alert.Family  `json:"events,omitempty" default:"all" example:"[breaker, state]" jsonschema:"families of events that are sent: budget, breaker, provider_key, configuration, state, healing and problem, which is every other problem"`
	Secret      provider.Secret `json:"secret,omitempty" default:"none" example:"env:ALERT_SECRET" jsonschema:"whsec_ and 24 to 64 random bytes in base64, or env:NAME: messages are signed with it, by Standard Webhooks"`
	RepeatAfter time.Duration   `json:"repeat_after,omitempty" default:"15m" jsonschema:"an event of one subject is sent once in this time, 1m or longer; the end of a problem follows its begin at any time"`
}

// A Reveal returns the text of a secret, looked up where it stands.
type Reveal func(s provider.Secret) (string, error)

// CheckURL returns why a text is no address of a receiver. The error does not quote it.
func CheckURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return callwright.Errorf("alerts", callwright.KindInvalid, "", "expected an address with http:// or https:// and a host")
	case u.User != nil:
		return callwright.Errorf("alerts", callwright.KindInvalid, "", "expected an address without a user: a token belongs in its path")
	}
	return nil
}

// CheckSecret returns why a text is no secret. The error does not quote it.
func CheckSecret(text string) error {
	_, err := alert.ParseSecret(text)
	return err
}

// CheckRepeat returns why a time is too short.
func (s *Settings) CheckRepeat() error {
	if n := s.RepeatAfter; n != 0 && n < alert.LeastRepeatAfter {
		return callwright.Errorf("alerts", callwright.KindInvalid, "", "expected %v or longer, got %v", alert.LeastRepeatAfter, n)
	}
	return nil
}

// Config returns the configuration of the sender. ok is false where nothing is sent.
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
