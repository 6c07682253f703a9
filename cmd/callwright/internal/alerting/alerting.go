// Package alerting creates the webhook sender of alerts for a gateway's configuration.
package alerting

import (
	"log/slog"
	"os"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/alert"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/health"
)

// A Gateway contains the parts of a gateway that the sender uses.
type Gateway struct {
	Health   *health.Monitor
	Counters access.Counters                 // nil without shared state
	Counted  func(eventType, outcome string) // called with the outcome of each alert
	Env      func(string) (string, bool)
	Logger   *slog.Logger
}

// Open returns the sender of alerts, nil if the configuration has no receiver. Errors are those of Config.AlertConfig
// and alert.New.
func Open(conf *config.Config, g Gateway) (*alert.Alerts, error) {
	c, ok, err := conf.AlertConfig(g.Env)
	if !ok || err != nil {
		return nil, err
	}
	c.Problems, c.Counters, c.Counted, c.Logger = g.Health.Problems, g.Counters, g.Counted, g.Logger
	c.Gateway, _ = os.Hostname() // on error the name is empty
	c.Fault = g.Health.Fault(alert.Subject, "not delivered", "check the receiver, or correct alerts.url")
	return alert.New(c)
}
