package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/callwright/callwright/access"
	"github.com/callwright/callwright/config"
)

// openGate makes the gate of a configuration and its keys, with what counts their use; nil for memory.
func openGate(conf *config.Config, keys []access.Key, counters access.Counters, env func(string) (string, bool), log *slog.Logger) (*access.Gate, error) {
	c := access.Config{Keys: keys, Counters: counters, Streams: conf.Server.Streams(), Logger: log}
	if file := string(conf.KeysFile); file != "" {
		c.File = &access.File{Path: file, Parse: func(text []byte) ([]access.Key, error) { return conf.ParseKeys(text, env) }}
	}
	if file := string(conf.PricesFile); file != "" {
		rows, err := config.LoadPrices(file, env)
		if err != nil {
			return nil, fmt.Errorf("prices_file: %w", err)
		}
		c.Prices = access.NewPrices(rows)
	}
	g, err := access.New(c)
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	return g, nil
}

// gateTime bounds how long the counters of limits may take to be told what was not used.
const gateTime = 2 * time.Second

func closeGate(ctx context.Context, g *access.Gate) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), gateTime)
	defer cancel()
	g.Close(ctx)
}
