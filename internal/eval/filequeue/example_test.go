package filequeue_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/filequeue"
)

// A run that was broken off goes on with what is left.
func Example() {
	dir, err := os.MkdirTemp("", "eval")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	plan := eval.Plan{Scenarios: []eval.Scenario{{ID: "greeting"}}, Trials: 2, Seed: 1}
	for range 2 {
		q, err := filequeue.Open(dir)
		if err != nil {
			log.Fatal(err)
		}
		done, err := q.Open(ctx, plan.Header("v1", false), plan.Cells())
		if err != nil {
			log.Fatal(err)
		}
		c, _, err := q.Take(ctx)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d done, next is trial %d\n", len(done), c.Trial)
		if err := q.Finish(ctx, eval.Result{Cell: c, Outcome: eval.OK}); err != nil {
			log.Fatal(err)
		}
		if err := q.Close(); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// 0 done, next is trial 1
	// 1 done, next is trial 2
}
