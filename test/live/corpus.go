package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/callwright/callwright/test/live/internal/answer"
	"github.com/callwright/callwright/test/live/internal/arm"
	"github.com/callwright/callwright/test/live/internal/report"
)

// The files of the corpus in a folder, and the page with their tables.
const (
	trialsFile  = "trials.jsonl.gz"
	answersFile = "answers.jsonl.gz"
	runsFile    = "runs.json"
	causesFile  = "causes.tsv"
	page        = "../../docs/reliability.md"
	sectionName = "live"
)

// A corpus holds the questions and answers: runs, trials, and the answers of servers that they name.
type corpus struct {
	runs    []report.Run
	trials  []arm.Trial
	answers *answer.Store
	causes  *report.Causes
}

// readCorpus reads the corpus of a folder. Files that are not there are empty.
func readCorpus(dir string) (*corpus, error) {
	c := &corpus{}
	runs, err := os.ReadFile(filepath.Join(dir, runsFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		if err := json.Unmarshal(runs, &c.runs); err != nil {
			return nil, fmt.Errorf("%s: %w", runsFile, err)
		}
	}
	text, err := unzipped(filepath.Join(dir, trialsFile))
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var t arm.Trial
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			return nil, fmt.Errorf("%s: %w", trialsFile, err)
		}
		c.trials = append(c.trials, t)
	}
	if text, err = unzipped(filepath.Join(dir, answersFile)); err != nil {
		return nil, err
	}
	if c.answers, err = answer.Of(text); err != nil {
		return nil, fmt.Errorf("%s: %w", answersFile, err)
	}
	c.causes, err = report.ReadCauses(filepath.Join(dir, causesFile))
	return c, err
}

// with puts the trials of a run in place of those of the same model.
func (c *corpus) with(run report.Run, alias string, trials []arm.Trial, answers *answer.Store) error {
	c.runs = append(slices.DeleteFunc(c.runs, func(r report.Run) bool { return r.Model == run.Model }), run)
	slices.SortFunc(c.runs, func(a, b report.Run) int { return strings.Compare(a.Model, b.Model) })
	c.trials = append(slices.DeleteFunc(c.trials, func(t arm.Trial) bool { return t.Model == alias }), trials...)
	for _, t := range trials {
		for _, key := range t.Answers {
			a := answers.Get(key)
			if a == nil {
				continue // the server was busy, and its answer was not kept
			}
			if err := c.answers.Put(a); err != nil {
				return err
			}
		}
	}
	c.causes = c.causes.With(c.trials)
	return nil
}

// write writes the corpus into a folder. Answers that no trial names are left out.
func (c *corpus) write(dir string) error {
	runs, err := json.MarshalIndent(c.runs, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, runsFile), append(runs, '\n'), 0o600); err != nil {
		return err
	}
	var trials, answers []any
	named := map[string]bool{}
	byQuestion := slices.Clone(c.trials)
	// alike requests together, for the compression
	slices.SortStableFunc(byQuestion, func(a, b arm.Trial) int { return strings.Compare(a.Question, b.Question) })
	for _, t := range byQuestion {
		for _, key := range t.Answers {
			if a := c.answers.Get(key); a != nil && !named[key] {
				named[key] = true
				answers = append(answers, a)
			}
		}
	}
	for _, t := range c.trials {
		trials = append(trials, t)
	}
	if err := writeLines(filepath.Join(dir, trialsFile), trials); err != nil {
		return err
	}
	if err := writeLines(filepath.Join(dir, answersFile), answers); err != nil {
		return err
	}
	return c.causes.Write(filepath.Join(dir, causesFile))
}

// unzipped reads a compressed file, one that does not exist as empty.
func unzipped(name string) ([]byte, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	zip, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return io.ReadAll(zip)
}

// writeLines writes values as compressed lines of JSON.
func writeLines(name string, values []any) error {
	var b bytes.Buffer
	zip, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	to := json.NewEncoder(zip)
	to.SetEscapeHTML(false)
	for _, v := range values {
		if err := to.Encode(v); err != nil {
			return err
		}
	}
	if err := zip.Close(); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o600)
}

// section cuts a page at the lines around a section of a name.
func section(text, name string) (before, inside, after string, err error) {
	begin := "<!-- " + name + " -->\n"
	i := strings.Index(text, begin)
	if i < 0 {
		return "", "", "", fmt.Errorf("the page lacks %s", begin)
	}
	i += len(begin)
	n := strings.Index(text[i:], "<!-- end -->")
	if n < 0 {
		return "", "", "", fmt.Errorf("the section %s has no end", name)
	}
	return text[:i], text[i : i+n], text[i+n:], nil
}

// writePage writes the tables into the page.
func (c *corpus) writePage() error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, _, after, err := section(string(text), sectionName)
	if err != nil {
		return err
	}
	return os.WriteFile(page, []byte(before+c.section()+after), 0o600)
}

// section is the text between the marks of the page.
func (c *corpus) section() string { return report.Section(c.runs, c.trials, c.answers, c.causes) }
