package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/callwright/callwright/test/live/internal/answer"
	"github.com/callwright/callwright/test/live/internal/arm"
	"github.com/callwright/callwright/test/live/internal/engine"
	"github.com/callwright/callwright/test/live/internal/model"
	"github.com/callwright/callwright/test/live/internal/question"
	"github.com/callwright/callwright/test/live/internal/report"
)

// The defaults. The arms after auto/stream mostly send the requests of auto, whose answers are there.
const (
	defaultModels = "qwen1.5b,qwen0.5b"
	defaultArms   = "direct,off,auto,native,json_schema,text,auto/stream,auto/responses,auto/anthropic,auto/gemini,auto/ollama"
	defaultPer    = 10
)

// testdata is the folder of questions and of the corpus.
const testdata = "testdata"

// options are the flags.
type options struct {
	models, arms  string
	per           int
	all, update   bool
	cache         string
	llama, ollama string // programs
	server, note  string
}

func main() {
	var o options
	flag.StringVar(&o.models, "models", defaultModels, "`names` of models with commas between: qwen1.5b, qwen0.5b, gemma270m, smollm135m")
	flag.StringVar(&o.arms, "arms", defaultArms,
		"`arms` with commas between, each KIND[:DIALECT][/CLIENT][/stream][/free][/words][@ollama]; kinds are "+strings.Join(arm.Kinds, ", ")+
			"; clients are "+strings.Join(arm.Clients, ", ")+"; modes, dialects, clients and streams stand for several")
	flag.IntVar(&o.per, "per", defaultPer, "`number` of questions of each category")
	flag.BoolVar(&o.all, "all", false, "ask all questions")
	flag.BoolVar(&o.update, "update", false, "keep answers, trials and causes in testdata, and write the page")
	flag.StringVar(&o.cache, "cache", cacheFolder(), "`folder` of models and answers")
	flag.StringVar(&o.llama, "llama-server", "llama-server", "`program` of llama.cpp")
	flag.StringVar(&o.ollama, "ollama", "ollama", "`program` of Ollama")
	flag.StringVar(&o.server, "server", "", "`address` of a llama-server that runs with the one model, in place of starting one")
	flag.StringVar(&o.note, "note", "", "`words` about the run that the page is to have, such as what else the machine did")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, &o, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "live:", err)
		os.Exit(1)
	}
}

// cacheFolder is the folder of what is downloaded, as .ci/run has it.
func cacheFolder() string {
	if dir := os.Getenv("CALLWRIGHT_CI_CACHE"); dir != "" {
		return dir
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, ".cache", "callwright-ci")
}

// run asks all models and prints their tables.
func run(ctx context.Context, o *options, out io.Writer) error {
	specs, err := arm.List(o.arms)
	if err != nil {
		return err
	}
	var models []model.Model
	for name := range strings.SplitSeq(o.models, ",") {
		m, err := model.ByName(name)
		if err != nil {
			return err
		}
		models = append(models, m)
	}
	if o.all {
		o.per = 0
	}
	questions, err := question.Read(testdata)
	if err != nil {
		return err
	}
	questions = question.Sample(questions, o.per)
	for i := range models {
		if err := runModel(ctx, o, &models[i], specs, questions, out); err != nil {
			return fmt.Errorf("%s: %w", models[i].Name, err)
		}
	}
	return nil
}

// A session is a run of one model: its servers, and the answers so far.
type session struct {
	o       *options
	model   *model.Model
	file    string // of the model, empty where a server runs already
	dir     string
	store   *answer.Store
	servers map[string]*engine.Server // by engine
	out     io.Writer
}

// runModel asks a model all questions in all arms.
func runModel(ctx context.Context, o *options, m *model.Model, specs []arm.Spec, questions []question.Question, out io.Writer) error {
	s := &session{o: o, model: m, dir: filepath.Join(o.cache, "live", m.Name), servers: map[string]*engine.Server{}, out: out}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	var err error
	if s.store, err = answer.Open(filepath.Join(s.dir, "answers.jsonl")); err != nil {
		return err
	}
	defer func() { _ = s.store.Close() }()
	defer s.stop()
	var trials []arm.Trial
	for _, spec := range specs {
		more, err := s.runArm(ctx, spec, questions)
		if err != nil {
			return fmt.Errorf("%s: %w", spec, err)
		}
		trials = append(trials, more...)
	}
	return s.finish(trials)
}

// runArm asks the questions in one arm.
func (s *session) runArm(ctx context.Context, spec arm.Spec, questions []question.Question) ([]arm.Trial, error) {
	server, err := s.server(ctx, spec.Engine)
	if err != nil {
		return nil, err
	}
	tap := answer.NewRecorder(s.store, s.model.Alias, spec.Engine)
	a, err := arm.Open(ctx, spec, arm.Server{Model: s.model.Alias, URL: server.URL, Tap: tap})
	if err != nil {
		return nil, err
	}
	defer a.Close()
	began, right := time.Now(), 0
	var trials []arm.Trial
	for i := range questions {
		t := a.Ask(ctx, &questions[i])
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if t.Verdict == question.Right {
			right++
		}
		trials = append(trials, t)
	}
	fmt.Fprintf(s.out, "%s  %-24s %3d of %3d right, %4d requests sent, %s\n", s.model.Name, spec, right, len(questions),
		tap.Sent(), time.Since(began).Round(time.Second))
	return trials, nil
}

// server starts the server of an engine, where it does not run yet.
func (s *session) server(ctx context.Context, name string) (*engine.Server, error) {
	if started := s.servers[name]; started != nil {
		return started, nil
	}
	var started *engine.Server
	var err error
	if name == arm.Llama && s.o.server != "" {
		started = &engine.Server{URL: strings.TrimSuffix(s.o.server, "/")}
		started.Version, err = engine.LlamaVersion(ctx, started.URL)
	} else {
		started, err = s.start(ctx, name)
	}
	if err == nil {
		s.servers[name] = started
	}
	return started, err
}

// start fetches the model and starts the server of an engine with it.
func (s *session) start(ctx context.Context, name string) (*engine.Server, error) {
	var err error
	if s.file == "" {
		if s.file, err = s.model.Fetch(ctx, filepath.Join(s.o.cache, "models"), s.out); err != nil {
			return nil, err
		}
	}
	if name == arm.Ollama {
		return engine.StartOllama(ctx, s.o.ollama, s.file, s.model.Alias, s.dir)
	}
	return engine.StartLlama(ctx, s.o.llama, s.file, s.model.Alias, s.dir)
}

// stop ends the servers.
func (s *session) stop() {
	for _, server := range s.servers {
		server.Stop()
	}
}

// finish prints the table and keeps it in the cache folder, and in the repository where that is asked for.
func (s *session) finish(trials []arm.Trial) error {
	run := report.Run{Model: s.model.Name, Date: time.Now().UTC().Format(time.DateOnly), Note: s.o.note}
	for _, engine := range []string{arm.Llama, arm.Ollama} {
		if server := s.servers[engine]; server != nil {
			run.Engines = append(run.Engines, server.Version)
		}
	}
	dirs := []string{s.dir}
	if s.o.update {
		dirs = append(dirs, testdata)
	}
	for _, dir := range dirs {
		c, err := readCorpus(dir)
		if err != nil {
			return err
		}
		if err := c.with(run, s.model.Alias, trials, s.store); err != nil {
			return err
		}
		if err := c.write(dir); err != nil {
			return err
		}
		if dir == testdata {
			if err := c.writePage(); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintf(s.out, "\n%s (trials and causes: %s)\n\n%s\n", s.model.Title, s.dir, report.Table(trials, s.model.Alias))
	return err
}
