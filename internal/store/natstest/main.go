package natstest

import (
	"flag"
	"fmt"
	"os"

	"github.com/nats-io/nats-server/v2/server"
)

// Main runs a nats-server with the command line of the process. A test binary can call it to serve as the server
// program of a Cluster.
func Main() {
	flags := flag.NewFlagSet("nats-server", flag.ExitOnError)
	o, err := server.ConfigureOptions(flags, os.Args[1:], flags.Usage, flags.Usage, flags.Usage)
	if err != nil {
		fail(err)
	}
	s, err := server.NewServer(o)
	if err != nil {
		fail(err)
	}
	s.ConfigureLogger()
	if err := server.Run(s); err != nil {
		fail(err)
	}
	s.WaitForShutdown()
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "nats-server:", err)
	os.Exit(1)
}
