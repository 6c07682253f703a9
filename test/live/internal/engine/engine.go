// Package engine starts inference servers with a model: llama-server of llama.cpp, and Ollama.
package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// stopTime is how long a server may take to end.
const stopTime = 10 * time.Second

// contextTokens is the context of a model: prompt and answer.
const contextTokens = "8192"

// A Server is a server with one model.
type Server struct {
	URL     string
	Version string // as the server tells it
	process *exec.Cmd
	ended   chan struct{} // closed when the process has ended
}

// Stop ends the server. One that Stop did not start goes on.
func (s *Server) Stop() {
	if s.process == nil {
		return
	}
	s.signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(stopTime):
	}
	s.signal(syscall.SIGKILL) // processes that the server started, too
	<-s.ended
}

// signal sends a signal to the server and the processes that it started, which are a group.
func (s *Server) signal(sig syscall.Signal) { _ = syscall.Kill(-s.process.Process.Pid, sig) }

// StartLlama starts llama-server with a model under a name, and waits until it answers. Its log is a file in dir.
func StartLlama(ctx context.Context, program, file, alias, dir string) (*Server, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	host, port, _ := strings.Cut(address, ":")
	cmd := exec.Command(program, "-m", file, "--alias", alias, "--host", host, "--port", port, "-c", contextTokens, "-np", "1", "--jinja")
	s, err := start(ctx, cmd, address, "/health", filepath.Join(dir, "llama-server.log"))
	if err != nil {
		return nil, err
	}
	s.Version, err = LlamaVersion(ctx, s.URL)
	return s, err
}

// LlamaVersion asks a llama-server for its build.
func LlamaVersion(ctx context.Context, url string) (string, error) {
	var props struct {
		Build string `json:"build_info"`
	}
	err := call(ctx, http.MethodGet, url+"/props", nil, &props)
	return "llama-server " + props.Build, err
}

// StartOllama starts Ollama with a model under a name, in the form that Ollama itself gives a file of weights. Models
// and log are in dir.
func StartOllama(ctx context.Context, program, file, alias, dir string) (*Server, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, "serve")
	cmd.Env = append(os.Environ(), "HOME="+dir, "OLLAMA_HOST="+address, "OLLAMA_MODELS="+filepath.Join(dir, "ollama-models"),
		"OLLAMA_NUM_PARALLEL=1",
		"OLLAMA_CONTEXT_LENGTH="+contextTokens, "OLLAMA_NO_CLOUD=1", "OLLAMA_KEEP_ALIVE=1h")
	s, err := start(ctx, cmd, address, "/", filepath.Join(dir, "ollama.log"))
	if err != nil {
		return nil, err
	}
	if err := s.create(ctx, file, alias); err != nil {
		s.Stop()
		return nil, err
	}
	var version struct{ Version string }
	err = call(ctx, http.MethodGet, s.URL+"/api/version", nil, &version)
	s.Version = "Ollama " + version.Version
	return s, err
}

// create makes a model of a file in Ollama.
func (s *Server) create(ctx context.Context, file, alias string) error {
	weights, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = weights.Close() }()
	hash := sha256.New()
	if _, err := io.Copy(hash, weights); err != nil {
		return err
	}
	digest := "sha256:" + hex.EncodeToString(hash.Sum(nil))
	if call(ctx, http.MethodHead, s.URL+"/api/blobs/"+digest, nil, nil) != nil {
		if _, err := weights.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if err := call(ctx, http.MethodPost, s.URL+"/api/blobs/"+digest, weights, nil); err != nil {
			return err
		}
	}
	body, err := json.Marshal(map[string]any{"model": alias, "files": map[string]string{filepath.Base(file): digest}, "stream": false})
	if err != nil {
		return err
	}
	return call(ctx, http.MethodPost, s.URL+"/api/create", bytes.NewReader(body), nil)
}

// start starts a server and waits until a path answers.
func start(ctx context.Context, cmd *exec.Cmd, address, path, log string) (*Server, error) {
	out, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }()
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for the caller, who stops the server
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &Server{URL: "http://" + address, process: cmd, ended: make(chan struct{})}
	go func() {
		_ = cmd.Wait()
		close(s.ended)
	}()
	for range 600 {
		select {
		case <-ctx.Done():
			s.Stop()
			return nil, ctx.Err()
		case <-s.ended:
			return nil, fmt.Errorf("%s: %s; its log is %s", cmd.Path, cmd.ProcessState, log)
		case <-time.After(200 * time.Millisecond):
		}
		if call(ctx, http.MethodGet, s.URL+path, nil, nil) == nil {
			return s, nil
		}
	}
	s.Stop()
	return nil, fmt.Errorf("%s: no answer within two minutes; its log is %s", cmd.Path, log)
}

// freeAddress is an address at which nothing listens.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String(), nil
}

// call sends a request and decodes the answer, unless into is nil.
func call(ctx context.Context, method, url string, body io.Reader, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	switch {
	case err != nil:
		return err
	case resp.StatusCode/100 != 2:
		return errors.New(method + " " + url + ": " + resp.Status + ": " + string(text))
	case into == nil:
		return nil
	}
	return json.Unmarshal(text, into)
}
