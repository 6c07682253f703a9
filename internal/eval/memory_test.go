package eval_test

import (
	"testing"

	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/queuetest"
)

func TestMemory(t *testing.T) {
	queuetest.Run(t, func(*testing.T) eval.Queue { return eval.NewMemory() })
}
