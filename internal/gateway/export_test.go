package gateway

import (
	"context"

	"github.com/callwright/callwright/internal/progress"
)

// LogLong tells the log of requests that are running for long, until stop is called.
func (s *Server) LogLong(ctx context.Context) (stop func()) { return s.logLong(ctx) }

// LogRunning writes the log line of a request that is running.
func (s *Server) LogRunning(ctx context.Context, r *progress.Running) { s.logRunning(ctx, r) }
