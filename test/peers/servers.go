package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// A bench has the simulated models and the processes that were started.
type bench struct {
	dir        string // temporary
	callwright string // the command
	models     string // base URL of the simulated models
	running    []*exec.Cmd
}

// newBench builds Callwright and starts its simulated models.
func newBench(ctx context.Context) (*bench, error) {
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return nil, err
	}
	b := &bench{dir: dir, callwright: filepath.Join(dir, "callwright")}
	build := exec.CommandContext(ctx, "go", "build", "-o", b.callwright, "./cmd/callwright")
	build.Dir, build.Stderr = filepath.Join("..", ".."), os.Stderr
	if err := build.Run(); err != nil {
		b.close()
		return nil, fmt.Errorf("go build ./cmd/callwright: %w", err)
	}
	port := freePort()
	b.models = fmt.Sprintf("http://127.0.0.1:%d/v1", port)
	if err := b.start(ctx, b.models+"/models", nil, b.callwright, "simulate", "--listen", fmt.Sprintf("127.0.0.1:%d", port)); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

// close ends all processes and removes the folder.
func (b *bench) close() {
	for _, c := range b.running {
		_ = c.Process.Signal(os.Interrupt)
		_ = c.Wait()
	}
	_ = os.RemoveAll(b.dir)
}

// start starts a server and waits until the address ready answers a request, whatever its status.
func (b *bench) start(ctx context.Context, ready string, env []string, name string, args ...string) error {
	out, err := os.Create(filepath.Join(b.dir, fmt.Sprintf("%d.log", len(b.running))))
	if err != nil {
		return err
	}
	c := exec.Command(name, args...)
	c.Env, c.Stdout, c.Stderr, c.Dir = append(os.Environ(), env...), out, out, b.dir
	if err := c.Start(); err != nil {
		return err
	}
	b.running = append(b.running, c)
	for range 1200 { // five minutes: uv installs first
		if resp, err := http.Get(ready); err == nil {
			resp.Body.Close()
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(250 * time.Millisecond):
		}
	}
	text, _ := os.ReadFile(out.Name())
	return errors.New(name + " does not answer: " + string(text))
}

// freePort returns a port of the loopback interface that nobody listens on now.
func freePort() int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// starters start gateways in front of the simulated models, each with the settings that its documentation gives for a
// server with OpenAI's API.
var starters = map[string]func(context.Context, *bench) (*target, error){
	"none": func(_ context.Context, b *bench) (*target, error) {
		return &target{name: "no gateway", base: b.models, key: "x"}, nil
	},
	"callwright": func(ctx context.Context, b *bench) (*target, error) {
		config := "listen: 127.0.0.1:%d\nproviders:\n  models: {base_url: %s, api_key: x}\n"
		return b.gateway(ctx, "Callwright", "callwright.yaml", config, "models/", "", nil, b.callwright, "serve", "--config")
	},
	// https://docs.litellm.ai/docs/proxy/configs. The environment keeps it from fetching its table of prices.
	"litellm": func(ctx context.Context, b *bench) (*target, error) {
		config := "# %d\nmodel_list: [{model_name: \"*\", litellm_params: {model: \"openai/*\", api_base: %s, api_key: x}}]\n"
		env := []string{"LITELLM_LOCAL_MODEL_COST_MAP=True", "LITELLM_MASTER_KEY=sk-peers"}
		return b.gateway(ctx, "LiteLLM 1.106.12", "litellm.yaml", config, "", "sk-peers", env,
			"uv", "run", "--no-project", "--quiet", "--with", "litellm[proxy]==1.106.12", "litellm", "--port", "PORT", "--config")
	},
}

// gateway writes a configuration with the port and the base URL of the models, and starts a gateway. The argument PORT
// stands for the port; the path of the configuration follows the last argument.
func (b *bench) gateway(ctx context.Context, name, file, config, prefix, key string, env []string, command string,
	args ...string) (*target, error) {
	port := freePort()
	path := filepath.Join(b.dir, file)
	if err := os.WriteFile(path, fmt.Appendf(nil, config, port, b.models), 0o600); err != nil {
		return nil, err
	}
	given := make([]string, 0, len(args)+1)
	for _, a := range args {
		if a == "PORT" {
			a = fmt.Sprint(port)
		}
		given = append(given, a)
	}
	given = append(given, path)
	base := fmt.Sprintf("http://127.0.0.1:%d", port)
	if err := b.start(ctx, base+"/v1/models", env, command, given...); err != nil {
		return nil, err
	}
	return &target{name: name, base: base + "/v1", key: key, prefix: prefix}, nil
}
