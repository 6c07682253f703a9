package gateway

import (
	"context"

	"github.com/callwright/callwright/internal/progress"
)

// LogRunning writes the log line of a request that is running.
func (s *Server) LogRunning(ctx context.Context, r *progress.Running) { s.logRunning(ctx, r) }
