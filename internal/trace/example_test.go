package trace_test

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/trace"
)

// model answers every request with "Sun.".
type model struct{}

func (model) Generate(context.Context, *callwright.Request) (*callwright.Response, error) {
	return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: "Sun."}}, Finish: callwright.FinishStop}, nil
}

func (m model) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	resp, _ := m.Generate(ctx, req)
	return events(resp.Events())
}

func Example() {
	var file bytes.Buffer
	w := trace.NewWriter(&file)
	ctx := context.Background()
	req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("Weather in Oslo?")}}
	if _, err := trace.Record(model{}, w).Generate(ctx, req); err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Err(); err != nil {
		fmt.Println(err)
		return
	}

	entries, err := trace.ReadAll(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range entries {
		fmt.Println(e.Seq, e.Kind)
	}
	player, err := trace.NewPlayer(entries)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = player.Generate(ctx, &callwright.Request{Messages: []callwright.Message{callwright.UserText("Weather in Rome?")}})
	fmt.Println(err)
	resp, err := player.Generate(ctx, req)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(resp.Text())
	// Output:
	// 1 request
	// 2 answer
	// trace.play: /conversation/messages/0/parts/0/text: the request differs from that of entry 1: expected "Weather in Oslo?", got "Weather in Rome?"
	// Sun.
}
