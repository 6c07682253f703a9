package filejournal_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/agent/filejournal"
)

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "runs-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	ctx := context.Background()
	journal, err := filejournal.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := journal.Append(ctx, "run_1", 0, agent.Entry{Kind: "note", Data: json.RawMessage(`{"text":"begun"}`)}); err != nil {
		log.Fatal(err)
	}
	journal.Close()

	// Another process goes on from what is there.
	journal, err = filejournal.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer journal.Close()
	entries, last, err := journal.Load(ctx, "run_1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(last, entries[0].Kind, string(entries[0].Data))
	last, err = journal.Append(ctx, "run_1", last, agent.Entry{Kind: "note", Data: json.RawMessage(`{"text":"ended"}`)})
	fmt.Println(last, err)
	// Output:
	// 1 note {"text":"begun"}
	// 2 <nil>
}
