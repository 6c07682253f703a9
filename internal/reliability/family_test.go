package reliability_test

import (
	"context"
	"fmt"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/simulate"
)

// A familyCase is a family of models and what is demanded of it with healing on.
type familyCase struct {
	family string
	wire   string
	least  float64 // of the trials that have to succeed
}

var familyCases = []familyCase{
	{"openai", simulate.OpenAI, 0.99},
	{"claude", simulate.OpenAI, 0.97},
	{"llama", simulate.OpenAI, 0.92},
}

const (
	familyTrials = 1000
	familySeed   = 20240607
	// mostRetries is how many retries a successful call may cost on average, and mostFallbacks the part of the requests that may need a fallback.
	mostRetries, mostFallbacks = 0.2, 0.05
)

// A tally is what became of the trials of a family.
type tally struct {
	trials, right, wrong, lost, failed int
	calls, retries                     int // of the trials that succeeded
	requests, fallbacks                int
}

func (t *tally) success() float64 { return float64(t.right) / float64(t.trials) }
func (t *tally) perCall() float64 { return float64(t.retries) / float64(max(t.calls, 1)) }
func (t *tally) fallback() float64 {
	return float64(t.fallbacks) / float64(max(t.requests, 1))
}

// workers is how many trials of a family are under way at once.
const workers = 16

// play makes trials of the family under a policy. Each is a conversation with a client that knows nothing yet, so that none depends on another.
func (f *familyCase) play(ctx context.Context, policy string, trials int) (*tally, error) {
	family, ok := simulate.FamilyNamed(f.family)
	if !ok {
		return nil, fmt.Errorf("no family %s", f.family)
	}
	srv := simulate.New(weather(shortArguments), simulate.WithMix(family.Mix, familySeed))
	var (
		mu   sync.Mutex
		sum  tally
		fail error
		wg   sync.WaitGroup
	)
	next := make(chan int)
	for range workers {
		wg.Go(func() {
			for i := range next {
				one, err := f.trial(ctx, srv, policy, i)
				mu.Lock()
				sum.add(one)
				if err != nil {
					fail = err
				}
				mu.Unlock()
			}
		})
	}
	for i := range trials {
		next <- i
	}
	close(next)
	wg.Wait()
	return &sum, fail
}

func (t *tally) add(o tally) {
	t.trials, t.right, t.wrong, t.lost, t.failed = t.trials+o.trials, t.right+o.right, t.wrong+o.wrong, t.lost+o.lost, t.failed+o.failed
	t.calls, t.retries, t.requests, t.fallbacks = t.calls+o.calls, t.retries+o.retries, t.requests+o.requests, t.fallbacks+o.fallbacks
}

// cities are asked for in turn; the number of the trial stands in the question, so that every conversation is another.
var cities = []string{"Oslo", "Tromsø", "Århus", "Malmö", "Turku", "Reykjavik", "Gdynia"}

// trial asks for the weather in a city, gives the result and expects an answer that has it.
func (f *familyCase) trial(ctx context.Context, srv *simulate.Server, policy string, i int) (tally, error) {
	l, err := newLab(srv, unknownProvider, settingsOf(unknownProvider, f.wire), policy)
	if err != nil {
		return tally{}, err
	}
	defer l.Close()
	client, err := l.Resolve(unknownProvider + "/native")
	if err != nil {
		return tally{}, err
	}
	out := tally{trials: 1, calls: 1}
	city := cities[i%len(cities)]
	req := asking(fmt.Sprintf("Trial %d. What is the weather in %s?", i, city))(unknownProvider + "/native")
	stream := i%2 == 1
	resp, err := ask(ctx, client, req, stream)
	out.count(resp)
	e, _ := intent{calls: weatherIn(shortArguments, city), loose: true, added: true}.judge(resp, err)
	if e == right {
		behind(resp.Message(), said(callwright.RoleTool, callwright.Result{CallID: resp.Calls()[0].ID, Name: "get_weather",
			Parts: []callwright.Part{callwright.Text{Text: fmt.Sprintf("%d C", i)}}}))(req)
		resp, err = ask(ctx, client, req, stream)
		out.count(resp)
		e, _ = textOf(fmt.Sprintf("It is %d C.", i)).judge(resp, err)
	}
	switch e {
	case right:
		out.right = 1
	case lost:
		out.lost = 1
	case wrong:
		out.wrong = 1
	default:
		out.failed = 1
	}
	if e != right {
		out.calls, out.retries = 0, 0
	}
	return out, nil
}

// count counts what one answer cost. A fallback is an attempt in another mode or of another model than the first.
func (t *tally) count(resp *callwright.Response) {
	t.requests++
	if resp == nil || resp.Report == nil || len(resp.Report.Attempts) == 0 {
		return
	}
	first := resp.Report.Attempts[0]
	fell := 0
	for _, a := range resp.Report.Attempts {
		t.retries += max(a.Tries, 1)
		if a.Mode != first.Mode || a.Model != first.Model {
			fell = 1
		}
	}
	t.retries--
	t.fallbacks += fell
}
