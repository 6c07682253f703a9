package tracecmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/callwright/callwright/cmd/callwright/internal/casefile"
	"github.com/callwright/callwright/cmd/callwright/internal/finding"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/cmd/callwright/internal/replay"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/trace"
)

// maxCase is the maximum size of a case file in bytes.
const maxCase = trace.MaxLine

// caseIn parses the case in a file. If the file is a trace, c is nil, and rest is a reader of the whole file; otherwise
// rest is nil.
func caseIn(in io.Reader) (c *casefile.Case, rest io.Reader, err error) {
	buffered := bufio.NewReaderSize(in, 64<<10)
	begin, _ := buffered.Peek(len(casefile.Magic))
	if !casefile.Is(begin) {
		return nil, buffered, nil
	}
	text, err := io.ReadAll(io.LimitReader(buffered, maxCase+1))
	if err == nil && len(text) > maxCase {
		err = fmt.Errorf("expected a case of at most %d bytes, got a longer one", maxCase)
	}
	if err != nil {
		return nil, nil, err
	}
	c, err = casefile.Parse(text)
	return c, nil, err
}

// A caseResult is the JSON output of callwright replay for a case file.
type caseResult struct {
	ID      string          `json:"id"`
	Model   string          `json:"model"`
	Outcome replay.Outcome  `json:"outcome"`
	Found   finding.Finding `json:"found"`
	Then    finding.Finding `json:"expected"`
	Side    string          `json:"side,omitempty"`
}

// runCase replays a case file and compares its finding (outcome and fault rules) with the expected one.
func (r *replaying) runCase(ctx context.Context, c *casefile.Case, conf *config.Config, file string) error {
	if r.id != "" && r.id != c.Head.ID {
		return r.in.Misuse(fmt.Errorf("%s has no request with the id %s", file, r.id))
	}
	got, _, err := (&replay.Replay{Config: conf, RawOnly: r.reread}).Case(ctx, c)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s cannot be replayed: %w", file, err)
	}
	res := caseResult{ID: c.Head.ID, Model: string(c.Head.Model), Outcome: replay.Same, Found: got, Then: c.Finding, Side: c.Side}
	if !got.Equal(&c.Finding) {
		res.Outcome = replay.Different
	}
	if r.asJSON {
		err = jsonx.WriteLine(r.in.Out, &res)
	} else {
		out := paint.New(r.in.Out, r.in.Env)
		if res.Outcome == replay.Same {
			out.Printf("%s  %s  the same finding\n  %s\n", res.ID, paint.Visible(res.Model), paint.Visible(got.String()))
		} else {
			out.Printf("%s  %s  another finding\n  was %s\n  now %s\n", res.ID, paint.Visible(res.Model),
				paint.Visible(c.Finding.String()), paint.Visible(got.String()))
		}
	}
	if err == nil && res.Outcome == replay.Different {
		err = errors.New("the finding differs from that of the case")
	}
	return err
}
