// Package answer keeps the answers of inference servers, and gives them again. A request that was answered is not asked
// a second time: a run that was killed goes on, and two arms that send the same request share its answer.
package answer

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/callwright/callwright/internal/filelock"
)

// An Answer is an answer of a server, with the request.
type Answer struct {
	Key     string  `json:"key"` // of Key
	Model   string  `json:"model"`
	Engine  string  `json:"engine"`
	Path    string  `json:"path"`
	Request string  `json:"request"` // the body
	Status  int     `json:"status"`
	Type    string  `json:"type"` // the content type
	Body    string  `json:"body"`
	Seconds float64 `json:"seconds"` // from the request to the end of the answer
}

// Key identifies a request to a model at an engine: a hash in hexadecimal. The order of the body's own members makes no
// difference, that of inner objects does, since a prompt shows it.
func Key(model, engine, path string, body []byte) string {
	hash := sha256.New()
	fmt.Fprintf(hash, "%s\n%s\n%s\n", model, engine, path)
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		hash.Write(body)
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		var compact bytes.Buffer
		_ = json.Compact(&compact, members[name]) // it was decoded
		fmt.Fprintf(hash, "%s:%s\n", name, compact.Bytes())
	}
	return hex.EncodeToString(hash.Sum(nil))[:24]
}

// A Cost is the cost of an answer. Seconds are those in which the server worked on it, without the wait for other
// requests, where it reports them.
type Cost struct {
	Input, Output int // tokens
	Seconds       float64
}

// The members in which a server tells tokens and times: of OpenAI's API as llama-server extends it, in milliseconds,
// and of Ollama's, in nanoseconds.
var (
	inputTokens  = regexp.MustCompile(`"(?:prompt_tokens|prompt_eval_count)":\s*(\d+)`)
	outputTokens = regexp.MustCompile(`"(?:completion_tokens|eval_count)":\s*(\d+)`)
	milliseconds = []*regexp.Regexp{regexp.MustCompile(`"prompt_ms":\s*([\d.]+)`), regexp.MustCompile(`"predicted_ms":\s*([\d.]+)`)}
	nanoseconds  = []*regexp.Regexp{regexp.MustCompile(`"prompt_eval_duration":\s*(\d+)`), regexp.MustCompile(`"eval_duration":\s*(\d+)`)}
)

// Cost reads the cost out of an answer. Tokens that it does not tell are 0.
func (a *Answer) Cost() Cost {
	c := Cost{Input: int(last(inputTokens, a.Body)), Output: int(last(outputTokens, a.Body)), Seconds: a.Seconds}
	if s := sum(milliseconds, a.Body)/1e3 + sum(nanoseconds, a.Body)/1e9; s > 0 {
		c.Seconds = s
	}
	return c
}

// sum adds the numbers of the last matches.
func sum(rs []*regexp.Regexp, text string) (all float64) {
	for _, r := range rs {
		all += last(r, text)
	}
	return all
}

// last is the number of the last match, 0 without any.
func last(r *regexp.Regexp, text string) float64 {
	all := r.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return 0
	}
	n, _ := strconv.ParseFloat(all[len(all)-1][1], 64)
	return n
}

// A Store has answers by their keys. With a file it keeps each as a line, appended as soon as it is there. It is safe
// for concurrent use.
type Store struct {
	mu    sync.Mutex
	byKey map[string]*Answer
	file  *os.File
}

// lockTime is how long Open waits for another run to end.
const lockTime = 2 * time.Second

// Open reads the answers of a file, which is made where there is none and locked until Close. A last line that a kill
// cut is removed.
func Open(name string) (*Store, error) {
	dir, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), lockTime)
	defer cancel()
	s := &Store{byKey: map[string]*Answer{}}
	if s.file, err = filelock.Open(ctx, dir, filepath.Base(name), os.O_CREATE|os.O_RDWR); err != nil {
		return nil, fmt.Errorf("%s, which another run may have: %w", name, err)
	}
	if err := s.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), filelock.Release(s.file))
	}
	return s, nil
}

// load reads the whole lines of the file and goes to their end, where the file ends then.
func (s *Store) load() error {
	text, err := io.ReadAll(s.file)
	if err != nil {
		return err
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	if err := s.read(whole); err != nil {
		return err
	}
	if err := s.file.Truncate(int64(len(whole))); err != nil {
		return err
	}
	_, err = s.file.Seek(int64(len(whole)), io.SeekStart)
	return err
}

// Of makes a Store of the lines of a file, which is not written.
func Of(lines []byte) (*Store, error) {
	s := &Store{byKey: map[string]*Answer{}}
	return s, s.read(lines)
}

func (s *Store) read(text []byte) error {
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<26)
	for n := 1; lines.Scan(); n++ {
		a := new(Answer)
		if err := json.Unmarshal(lines.Bytes(), a); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		s.byKey[a.Key] = a
	}
	return lines.Err()
}

// Get returns the answer of a key, nil where there is none.
func (s *Store) Get(key string) *Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byKey[key]
}

// Put adds an answer.
func (s *Store) Put(a *Answer) error {
	line, err := json.Marshal(a)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byKey[a.Key] = a
	if s.file == nil {
		return nil
	}
	_, err = s.file.Write(append(line, '\n'))
	return err
}

// Close closes the file, and gives it to other runs.
func (s *Store) Close() error { return filelock.Release(s.file) }
