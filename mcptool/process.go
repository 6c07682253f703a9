package mcptool

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Waiting times on shutdown: first for the process to exit by itself, then after SIGTERM.
const (
	endByItself = time.Second
	endOnSignal = time.Second
)

// A process is a server that runs as a child process. When it has exited, its whole process group is killed.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *os.File
	errors tail          // the end of its standard error
	exited chan struct{} // closed after Wait has returned
}

func startProcess(c Config) (*process, error) {
	p := &process{cmd: exec.Command(c.Command[0], c.Command[1:]...), exited: make(chan struct{})}
	p.cmd.Env, p.cmd.Dir = c.environ(), c.Dir
	p.cmd.Stderr = &p.errors
	p.cmd.WaitDelay = endByItself // for grandchildren that keep the standard error open
	ownGroup(p.cmd)
	out, theirs, err := os.Pipe() // unlike StdoutPipe it keeps output after the exit
	if err != nil {
		return nil, err
	}
	p.out, p.cmd.Stdout = out, theirs
	if p.in, err = p.cmd.StdinPipe(); err == nil {
		err = p.cmd.Start()
	}
	_ = theirs.Close()
	if err != nil {
		_ = out.Close()
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait()
		killGroup(p.cmd) // a launcher may exit before the server it started
		close(p.exited)
	}()
	return p, nil
}

// transport returns an MCP transport over the standard streams. Closing it only closes the standard input, at which the
// process should exit. wrote is called for every message sent.
func (p *process) transport(wrote func(jsonrpc.Message)) mcp.Transport {
	return rawTransport{&mcp.IOTransport{Reader: io.NopCloser(p.out), Writer: p.in, MaxLineLength: maxMessage}, wrote}
}

// stop terminates the process and waits until it has exited: it closes the standard input, then sends SIGTERM, then
// kills the process group.
func (p *process) stop() {
	_ = p.in.Close()
	if !p.exitsWithin(endByItself) {
		askToEnd(p.cmd)
		if !p.exitsWithin(endOnSignal) {
			p.kill()
		}
	}
	<-p.exited
	_ = p.out.Close()
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	killGroup(p.cmd)
}

func (p *process) exitsWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}

// state describes whether the process runs or how it exited, with the last lines of its standard error.
func (p *process) state() string {
	text := "it is running"
	select {
	case <-p.exited:
		text = "it exited: " + p.cmd.ProcessState.String()
	default:
	}
	if said := p.errors.last(); said != "" {
		text += fmt.Sprintf("; its standard error ends with:\n%s", said)
	}
	return text
}
