package reload

import (
	"context"
	"fmt"
	"time"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/config"
)

// gateConfig returns the access configuration for conf with the resolved keys. An unreadable prices_file is an error.
func gateConfig(conf *config.Config, keys []access.Key, env func(string) (string, bool)) (access.Config, error) {
	c := access.Config{Keys: keys, Groups: conf.Groups.AccessGroups(), Streams: conf.Server.Streams(), Budget: conf.Budget.Spend()}
	if file := string(conf.KeysFile); file != "" {
		c.File = &access.File{Path: file, Parse: func(text []byte) ([]access.Key, error) { return conf.ParseKeys(text, env) }}
	}
	if file := string(conf.PricesFile); file != "" {
		rows, err := config.LoadPrices(file, env)
		if err != nil {
			return access.Config{}, fmt.Errorf("prices_file: %w", err)
		}
		c.Prices = access.NewPrices(rows)
	}
	return c, nil
}

// OpenGate opens the gate (access control) for a configuration and its keys. beside contains the fields that a
// configuration does not determine: counters, source, ledger, logger and the observer of limits.
func OpenGate(conf *config.Config, keys []access.Key, beside access.Config, env func(string) (string, bool)) (*access.Gate, error) {
	c, err := gateConfig(conf, keys, env)
	if err != nil {
		return nil, err
	}
	c.Counters, c.Source, c.Ledger, c.Logger, c.Crossed = beside.Counters, beside.Source, beside.Ledger, beside.Logger, beside.Crossed
	g, err := access.New(c)
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	return g, nil
}

// gateTime is the time limit for CloseGate to return unused reservations to the limit counters.
const gateTime = 2 * time.Second

// CloseGate closes a gate. It waits at most gateTime for the return of unused reservations to the limit counters.
func CloseGate(ctx context.Context, g *access.Gate) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), gateTime)
	defer cancel()
	g.Close(ctx)
}
