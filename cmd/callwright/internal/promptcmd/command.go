package promptcmd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/boundedfile"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/spf13/cobra"
)

// Input contains the dependencies of the command callwright eval prompts.
type Input struct {
	Out, Err io.Writer
	// Open opens a model of a configuration file, "" for the default. The caller must call done.
	Open func(ctx context.Context, file, name string) (m callwright.Model, done func(), err error)
	// Misuse wraps the error of an invalid command line.
	Misuse func(error) error
}

// Size limits in bytes of the files with questions and answers.
const (
	maxQuestions = 256 << 20
	maxAnswers   = 1 << 30
)

// New returns the command callwright eval prompts.
func New(in Input) *cobra.Command {
	var r run
	c := &cobra.Command{
		Use:   "prompts [--config FILE] [--questions FILE] [--variants NAMES] [--per N] [--tokens N] [--answers FILE] [--json] MODEL",
		Short: "Measure which prompt wordings a model calls tools best with",
		Long: "Prompts asks a model questions with known calls, in several modes and prompt wordings. Each question is asked once, " +
			"without self-correction. It prints how many answers had the right calls, by category. Answers are parsed and their " +
			"calls are repaired as in the gateway.\n\n" +
			"A variant is a mode and a wording: native, text/qwen, json_schema/list. The suffix @user puts the wording before the " +
			"user's message. A mode alone means all its wordings. Without --variants the variants are the modes, each with the " +
			"wording that is used for the model. The exit status is 0 for any result, 1 if the model cannot be used, and 2 if the " +
			"command line is invalid.",
		Example: "  callwright eval prompts sim/native\n  callwright eval prompts --variants text --answers kept.jsonl lab/qwen2.5-7b",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return in.Misuse(fmt.Errorf("expected one model, got %d: callwright eval prompts MODEL", len(args)))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return in.run(c.Context(), &r, args[0]) },
	}
	c.DisableFlagsInUseLine = true
	f := c.Flags()
	f.StringVar(&r.config, "config", "",
		"read the configuration `FILE`; without it, callwright.yaml in this folder, or else the keys in the environment")
	f.StringVar(&r.questions, "questions", "", "ask the questions in this `FILE` of JSON lines; without it, the questions in Callwright")
	f.StringSliceVar(&r.variants, "variants", nil, "measure the variants with these `NAMES`, separated by commas, or all")
	f.IntVar(&r.per, "per", 0, "ask the first `N` questions of each category; 0 means all")
	f.IntVar(&r.tokens, "tokens", 400, "limit answers to `N` tokens")
	f.StringVar(&r.answers, "answers", "", "keep the answers in this `FILE` of JSON lines; do not ask for those it already has")
	f.BoolVar(&r.asJSON, "json", false, "print one JSON object")
	return c
}

// A run contains the values of the command's flags.
type run struct {
	config, questions, answers string
	variants                   []string
	per, tokens                int
	asJSON                     bool
}

// maxFailures is the number of consecutive failed requests that ends the run.
const maxFailures = 3

// run executes the command for the model with the given name.
func (in Input) run(ctx context.Context, r *run, name string) error {
	if r.per < 0 || r.tokens < 1 {
		return in.Misuse(errors.New("expected --per of 0 or more and --tokens of 1 or more"))
	}
	text, err := ownQuestions, error(nil)
	if r.questions != "" {
		if text, err = boundedfile.Read(r.questions, maxQuestions); err != nil {
			return in.Misuse(fmt.Errorf("--questions: %w", err))
		}
	}
	questions, err := readQuestions(text)
	if err != nil {
		return in.Misuse(fmt.Errorf("--questions: %w", err))
	}
	questions = perCategory(questions, r.per)
	m, done, err := in.Open(ctx, r.config, name)
	if err != nil {
		return err
	}
	defer done()
	a := newAsker(ctx, callwright.ModelID(name), m, r.tokens)
	chosen, err := selectVariants(r.variants, a.id, a.format)
	if err != nil {
		return in.Misuse(fmt.Errorf("--variants: %w", err))
	}
	kept, err := openAnswers(r.answers, a.id)
	if err != nil {
		return in.Misuse(fmt.Errorf("--answers: %w", err))
	}
	defer kept.close()
	fmt.Fprintf(in.Err, "at most %d requests of at most %d tokens of output each\n", len(questions)*len(chosen), r.tokens)
	answers, failed := a.all(ctx, questions, chosen, kept)
	report := summarize(a.id, questions, chosen, answers)
	if r.asJSON {
		err = jsonx.WriteLine(in.Out, report)
	} else {
		err = report.write(in.Out)
	}
	return errors.Join(err, failed)
}

// all sends every question in every variant, except those with a stored answer in kept. After maxFailures consecutive
// failures it returns the answers so far and the error.
func (a *asker) all(ctx context.Context, questions []Question, chosen []Variant, kept *answerFile) (out []*Answer, err error) {
	failures := 0
	for i := range questions {
		q := &questions[i]
		for _, v := range chosen {
			if known := kept.had[v.key(q.bfcl.ID)]; known != nil {
				out = append(out, known)
				continue
			}
			answer, failed := a.ask(ctx, q, v)
			if ctx.Err() != nil {
				return out, ctx.Err()
			}
			if failed != nil {
				if failures++; failures == maxFailures {
					return out, fmt.Errorf("%d questions in a row failed: %w", failures, failed)
				}
				answer = &Answer{Model: a.id, Variant: v.String(), Version: v.Version, Question: q.bfcl.ID,
					Category: q.bfcl.Category, Error: failed.Error()}
				out = append(out, answer)
				continue
			}
			failures = 0
			if err := kept.add(answer); err != nil {
				return out, fmt.Errorf("--answers: %w", err)
			}
			out = append(out, answer)
		}
	}
	return out, nil
}

// An answerFile stores answers as JSON lines. Without a file it stores nothing.
type answerFile struct {
	file *os.File
	had  map[string]*Answer // stored answers of the model by key
}

// openAnswers opens a file of answers, which may not exist yet. It ignores an incomplete last line.
func openAnswers(name string, model callwright.ModelID) (*answerFile, error) {
	out := &answerFile{had: map[string]*Answer{}}
	if name == "" {
		return out, nil
	}
	text, err := boundedfile.Read(name, maxAnswers)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	whole := bytes.LastIndexByte(text, '\n') + 1
	lines := bufio.NewScanner(bytes.NewReader(text[:whole]))
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		a := new(Answer)
		if err := json.Unmarshal(lines.Bytes(), a); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if a.Model == model && a.Error == "" {
			out.had[a.key()] = a
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if out.file, err = os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o600); err != nil {
		return nil, err
	}
	return out, errors.Join(out.file.Truncate(int64(whole)), seekEnd(out.file))
}

func seekEnd(f *os.File) error {
	_, err := f.Seek(0, io.SeekEnd)
	return err
}

func (f *answerFile) add(a *Answer) error {
	if f.file == nil {
		return nil
	}
	return jsonx.WriteLine(f.file, a)
}

func (f *answerFile) close() {
	if f.file != nil {
		_ = f.file.Close()
	}
}
