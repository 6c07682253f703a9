package store_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/disktest"
	"github.com/callwright/callwright/internal/freeport"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/store"
	"github.com/callwright/callwright/internal/store/natstest"
)

var jobs = map[string]func(dir string) error{}

func TestMain(m *testing.M) {
	if disktest.Work(jobs) {
		return
	}
	code := m.Run()
	if c := clusters.shared; c != nil {
		for i := range c.servers {
			c.stop(i)
		}
	}
	if c := clusters.real; c != nil {
		c.Kill()
	}
	for _, dir := range kept {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// kept are the folders that are removed when the process of the test ends.
var kept []string

// tempDir is a folder that stays until then. The lock of the clusters is held.
func tempDir() string {
	dir, err := os.MkdirTemp("/dev/shm", "store")
	if err != nil {
		if dir, err = os.MkdirTemp("", "store"); err != nil {
			panic(err)
		}
	}
	kept = append(kept, dir)
	return dir
}

// open opens a Store that ends with the test.
func open(t *testing.T, c store.Config) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// A cluster is some servers in this process: three, or one alone.
type cluster struct {
	options []*server.Options
	servers []*server.Server
}

// clusters are made once for the tests of this process, by the tests that need one.
var clusters struct {
	sync.Mutex
	shared *cluster
	real   *natstest.Cluster // in place of shared, where there is a program
}

// An address is where a cluster is.
type address string

// config is a Config of the cluster.
func (a address) config(space string) store.Config { return store.Config{URL: string(a), Space: space} }

// sharedCluster is, but in short runs, a cluster for tests that stop none of its servers: of real servers where natstest has a program. It stays for the process.
func sharedCluster(t *testing.T) address {
	t.Helper()
	if !longtest.IsEnabled() {
		t.Skip("three servers take their time")
	}
	clusters.Lock()
	defer clusters.Unlock()
	if natstest.Program() != "" {
		return realCluster(t)
	}
	if clusters.shared == nil {
		clusters.shared = newCluster(t, tempDir())
	}
	return clusters.shared.address()
}

// realCluster is the shared cluster of real servers. The lock of the clusters is held.
func realCluster(t *testing.T) address {
	t.Helper()
	if clusters.real == nil {
		c, err := natstest.Launch(natstest.Program(), tempDir())
		if err != nil {
			t.Fatal(err)
		}
		clusters.real = c
		j := open(t, address(c.URL()).config("")).Journal("")
		eventually(t, "a leader of the cluster", func() bool {
			_, err := j.Append(t.Context(), "run_first", 0, agent.Entry{Kind: "test"})
			return err == nil
		})
	}
	return address(clusters.real.URL())
}

// newCluster starts three servers.
func newCluster(t *testing.T, dir string) *cluster {
	t.Helper()
	c := &cluster{options: make([]*server.Options, 3), servers: make([]*server.Server, 3)}
	var routes []*url.URL
	ports := freePorts(t, 6)
	for _, p := range ports[:3] {
		routes = append(routes, &url.URL{Scheme: "nats", Host: freeport.Address(p)})
	}
	for i := range c.options {
		c.options[i] = &server.Options{
			ServerName: fmt.Sprint("n", i), Host: "127.0.0.1", Port: ports[3+i], NoSigs: true, NoLog: true, JetStream: true, StoreDir: fmt.Sprintf("%s/%d", dir, i),
			Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: ports[i]}, Routes: routes, JetStreamMaxStore: 1 << 42, JetStreamMaxMemory: 1 << 30,
			MaxPayload: 1 << 20,
		}
		c.start(t, i)
	}
	eventually(t, "a leader of the cluster", func() bool {
		for _, s := range c.servers {
			if s.JetStreamIsLeader() {
				return len(s.JetStreamClusterPeers()) == 3
			}
		}
		return false
	})
	return c
}

// single starts one server without a cluster. The caller stops it.
func single(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{servers: make([]*server.Server, 1), options: []*server.Options{{
		ServerName: "alone", Host: "127.0.0.1", Port: freePorts(t, 1)[0], NoSigs: true, NoLog: true, JetStream: true, StoreDir: folder(t),
		JetStreamMaxStore: 1 << 42, JetStreamMaxMemory: 1 << 30,
	}}}
	c.start(t, 0)
	return c
}

// start starts a server, also one that was stopped, at the same address.
func (c *cluster) start(t *testing.T, i int) {
	t.Helper()
	s, err := server.NewServer(c.options[i])
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(longestWait) {
		t.Fatal("a server did not start")
	}
	c.servers[i] = s
}

// stop stops a server.
func (c *cluster) stop(i int) {
	c.servers[i].Shutdown()
	c.servers[i].WaitForShutdown()
}

func (c *cluster) address() address {
	var urls []string
	for _, o := range c.options {
		urls = append(urls, "nats://"+freeport.Address(o.Port))
	}
	return address(strings.Join(urls, ","))
}

func (c *cluster) config(space string) store.Config { return c.address().config(space) }

// longestWait is how long tests wait for a condition. It is long enough for a busy machine.
const longestWait = 3 * time.Minute

// eventually waits for what has to become true by looking again.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), longestWait)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-ctx.Done():
			t.Fatalf("%s: it did not become so", what)
		case <-tick.C:
		}
	}
}

func freePorts(t *testing.T, n int) []int {
	t.Helper()
	ports, err := freeport.Find(n)
	if err != nil {
		t.Fatal(err)
	}
	return ports
}

// folder is a folder of the test: in memory where there is such a one, as what is tested does not outlive the machine.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "store")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
