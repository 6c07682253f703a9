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

// Times that a process is given, one after the other: to end by itself, and after it was asked to.
const (
	endByItself = time.Second
	endOnSignal = time.Second
)

// A process is a server that is a child of this process. Nothing of it is left when it has exited.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *os.File
	errors tail          // the end of its standard error
	exited chan struct{} // closed when it has been waited for
}

func startProcess(c Config) (*process, error) {
	p := &process{cmd: exec.Command(c.Command[0], c.Command[1:]...), exited: make(chan struct{})}
	p.cmd.Env, p.cmd.Dir = c.environ(), c.Dir
	p.cmd.Stderr = &p.errors
	p.cmd.WaitDelay = endByItself // for a child of its own that holds on to its standard error
	ownGroup(p.cmd)
	out, theirs, err := os.Pipe() // a pipe of our own keeps what the server said before it exited
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
		killGroup(p.cmd) // a launcher may have died before the server that it launched
		close(p.exited)
	}()
	return p, nil
}

// transport speaks with the process. Closing it closes the standard input of the process only, which then ends.
func (p *process) transport(wrote func(jsonrpc.Message)) mcp.Transport {
	return rawTransport{&mcp.IOTransport{Reader: io.NopCloser(p.out), Writer: p.in, MaxLineLength: maxMessage}, wrote}
}

// stop ends the process and waits until it has exited.
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

// state says how the process is, and the last that it said on its standard error.
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
