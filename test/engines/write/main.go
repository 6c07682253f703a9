// Command write writes the model of package engines to a file, for servers that load it when they start:
//
//	go run ./write FILE
package main

import (
	"fmt"
	"os"

	"github.com/callwright/callwright/test/engines"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: write FILE")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "write:", err)
		os.Exit(1)
	}
}

func write(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	err = engines.WriteModel(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
