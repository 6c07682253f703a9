package natstest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/callwright/callwright/internal/freeport"
)

// Program returns the path of a nats-server binary from the environment variable CALLWRIGHT_NATS_SERVER, "" if it is
// not set. Build one by go build github.com/nats-io/nats-server/v2.
func Program() string { return os.Getenv("CALLWRIGHT_NATS_SERVER") }

// size is the number of servers in a cluster.
const size = 3

// A Cluster is a cluster of three NATS servers with JetStream, each a process.
type Cluster struct {
	Nodes []*Node
}

// A Node is one server process of a cluster.
type Node struct {
	URL string

	program string
	args    []string
	cmd     *exec.Cmd
}

// Launch starts a cluster of the given nats-server binary with its data below dir. The caller must call Kill.
func Launch(program, dir string) (*Cluster, error) {
	ports, err := freeport.Find(2 * size)
	if err != nil {
		return nil, err
	}
	var routes []string
	for _, p := range ports[size:] {
		routes = append(routes, "nats://"+freeport.Address(p))
	}
	c := &Cluster{}
	for i := range size {
		n := &Node{program: program, URL: "nats://" + freeport.Address(ports[i]), args: []string{
			"-a", "127.0.0.1", "-p", fmt.Sprint(ports[i]), "-n", fmt.Sprint("n", i), "-js", "-sd",
			filepath.Join(dir, fmt.Sprint(i)), "--cluster_name", "test",
			"--cluster", routes[i], "--routes", strings.Join(routes, ","), "-l", filepath.Join(dir, fmt.Sprint("log", i)),
		}}
		if err := n.Start(); err != nil {
			c.Kill()
			return nil, err
		}
		c.Nodes = append(c.Nodes, n)
	}
	return c, nil
}

// URL returns the addresses of all servers, separated by commas.
func (c *Cluster) URL() string {
	var urls []string
	for _, n := range c.Nodes {
		urls = append(urls, n.URL)
	}
	return strings.Join(urls, ",")
}

// Kill kills all servers.
func (c *Cluster) Kill() {
	for _, n := range c.Nodes {
		n.Kill()
	}
}

// Start starts the server, or restarts it after Kill at the same address.
func (n *Node) Start() error {
	n.cmd = exec.Command(n.program, n.args...)
	return n.cmd.Start()
}

// Kill kills the server process and waits for its end.
func (n *Node) Kill() {
	_ = n.cmd.Process.Kill()
	_ = n.cmd.Wait()
}
