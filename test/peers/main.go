package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// run measures the gateways that names lists, beside no gateway and Callwright, and prints a row for each.
func run(ctx context.Context, names []string) error {
	for _, name := range names {
		if starters[name] == nil {
			return fmt.Errorf("unknown gateway %q: expected litellm", name)
		}
	}
	bench, err := newBench(ctx)
	if err != nil {
		return err
	}
	defer bench.close()
	questions, err := bench.questions(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("| %d answers | right | lost | wrong | error |\n|---|---|---|---|---|\n", len(questions))
	for _, name := range append([]string{"none", "callwright"}, names...) {
		target, err := starters[name](ctx, bench)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		count := askAll(ctx, target, questions)
		fmt.Printf("| %s | %d | %d | %d | %d |\n", target.name, count[right], count[lost], count[wrong], count[failed])
	}
	return ctx.Err()
}

// askAll asks all questions, four at once, and counts the verdicts. The environment variable VERBOSE prints those that
// are not right.
func askAll(ctx context.Context, t *target, questions []question) map[verdict]int {
	verdicts := make([]verdict, len(questions))
	var wg sync.WaitGroup
	slots := make(chan struct{}, 4)
	for i, q := range questions {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			answer, err := t.ask(ctx, q)
			verdicts[i] = q.judge(answer, err)
			if verdicts[i] != right && slices.Contains(strings.Split(os.Getenv("VERBOSE"), ","), t.name) {
				fmt.Fprintf(os.Stderr, "%s %s streamed=%t: %s: %+v %v\n", t.name, q.fault, q.streamed, verdicts[i], answer, err)
			}
		})
	}
	wg.Wait()
	count := map[verdict]int{}
	for _, v := range verdicts {
		count[v]++
	}
	return count
}
