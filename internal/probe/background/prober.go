package background

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/probe"
	"github.com/callwright/callwright/internal/probe/bymode"
)

// Config configures a Prober. Learn is required.
type Config struct {
	// Learn stores the facts that a probe found about a model.
	Learn func(ctx context.Context, model callwright.ModelID, facts []caps.Fact) error
	// Keep stores the card of a completed probe. nil stores no card.
	Keep func(card *probe.Card) error
	// IsKnown reports whether enough facts about a model are known, so that it is not probed. nil stands for a function
	// that returns false.
	IsKnown func(ctx context.Context, model callwright.ModelID) bool
	// Dir is the folder of the files by which several programs share the models that were probed today. "" is for one
	// program alone.
	Dir string
	// Logger logs the begin and end of each probe. nil logs nothing.
	Logger *slog.Logger
	// Now returns the current time. nil is time.Now.
	Now func() time.Time
	// Quiet is the time without a client request at a provider before a probe request is sent; 0 is 2 s.
	Quiet time.Duration
}

// Limits of the background work.
const (
	maxTokens   = 1024             // maximum output tokens of one request
	maxWaiting  = 16               // maximum length of the queue of models
	maxSeen     = 1024             // maximum number of models queued per day
	maxRetries  = 10               // maximum number of canceled requests that one probe repeats
	requestTime = 90 * time.Second // timeout of one request, without the wait for the provider
	maxWait     = 30 * time.Minute // timeout of one request, with the wait for the provider
)

// A Prober probes models in the background. It is safe for concurrent use. The caller must call Close.
type Prober struct {
	cfg  Config
	ctx  context.Context // context of the background work
	stop context.CancelFunc
	runs sync.WaitGroup

	mu      sync.Mutex
	traffic map[string]*traffic           // key: name of the provider
	seen    map[callwright.ModelID]string // day in UTC on which a model was last queued
	queue   []job
	active  bool
	closed  bool
}

// A job is a model in the queue of the Prober.
type job struct {
	id      callwright.ModelID
	model   callwright.Model
	traffic *traffic
}

// New returns a Prober without background work yet.
func New(cfg Config) *Prober {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Quiet <= 0 {
		cfg.Quiet = 2 * time.Second
	}
	p := &Prober{cfg: cfg, traffic: map[string]*traffic{}, seen: map[callwright.ModelID]string{}}
	p.ctx, p.stop = context.WithCancel(context.Background())
	return p
}

// Begin records the start of a client request to the model id. The caller calls end with the error of the request, nil
// for success. After a success the model is queued for a probe, once a day. Begin and end do not block.
//
// The Prober sends its requests to m. m must not call Begin for these requests.
func (p *Prober) Begin(id callwright.ModelID, m callwright.Model) (end func(err error)) {
	name, _ := id.Split()
	p.mu.Lock()
	t := p.traffic[name]
	if t == nil {
		t = &traffic{}
		p.traffic[name] = t
	}
	t.begin()
	p.mu.Unlock()
	return func(err error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		t.end(p.cfg.Now())
		if err == nil {
			p.consider(job{id, m, t})
		}
	}
}

// consider queues a model that was not queued today. It ignores the model if p is closed or too many models are queued.
// The caller holds mu.
func (p *Prober) consider(j job) {
	today := p.today()
	if p.closed || p.seen[j.id] == today || len(p.queue) >= maxWaiting {
		return
	}
	if len(p.seen) >= maxSeen {
		for id, day := range p.seen {
			if day != today {
				delete(p.seen, id)
			}
		}
		if len(p.seen) >= maxSeen {
			return
		}
	}
	p.seen[j.id] = today
	p.queue = append(p.queue, j)
	if !p.active {
		p.active = true
		p.runs.Go(p.work)
	}
}

func (p *Prober) today() string { return p.cfg.Now().UTC().Format(time.DateOnly) }

// work probes the models of the queue, one after the other, and returns when the queue is empty.
func (p *Prober) work() {
	for {
		p.mu.Lock()
		if len(p.queue) == 0 || p.closed {
			p.active = false
			p.mu.Unlock()
			return
		}
		j := p.queue[0]
		p.queue = p.queue[1:]
		p.mu.Unlock()
		p.probe(j)
	}
}

// probe probes one model and stores its facts and card. It does nothing for a known model, or a model that another
// program has probed today.
func (p *Prober) probe(j job) {
	if p.cfg.IsKnown != nil && p.cfg.IsKnown(p.ctx, j.id) || p.ctx.Err() != nil {
		return
	}
	log := p.cfg.Logger.With("model", string(j.id))
	switch first, err := p.claim(j.id); {
	case err != nil:
		log.Warn("the model is not probed", "error", err)
		return
	case !first:
		return
	}
	o := probe.Options{MaxTokens: maxTokens, Timeout: maxWait}
	log.Info("the model is unknown and is probed in the background", "most_requests",
		probe.MaxRequests()+bymode.MaxRequests(bymode.Questions)+maxRetries, "most_tokens_each", o.Tokens())
	m := &preemptible{p: p, traffic: j.traffic, model: j.model, retries: maxRetries}
	card, err := probe.Run(p.ctx, m, o)
	if card == nil {
		log.Warn("the model could not be probed", "error", err)
		return
	}
	if err == nil {
		card.Model = j.id
		err = bymode.Run(p.ctx, m, card, bymode.Questions, o)
	}
	if kept := p.cfg.Learn(context.WithoutCancel(p.ctx), j.id, card.Found); kept != nil {
		log.Warn("what was found of the model is not kept", "error", kept)
	}
	if err != nil {
		log.Warn("the probe of the model ended early", "error", err, "requests", card.Sent, "facts", len(card.Found))
		return
	}
	if p.cfg.Keep != nil {
		named := *card
		named.Model = j.id
		if kept := p.cfg.Keep(&named); kept != nil {
			log.Warn("the card of the model is not kept", "error", kept)
		}
	}
	log.Info("the model was probed", "score", card.Score, "requests", card.Sent, "facts", len(card.Found))
}

// Close stops the background work and waits until it has ended.
func (p *Prober) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.stop()
	p.runs.Wait()
}
