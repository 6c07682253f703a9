package alert

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/mint"
)

// Subject is the subject of the problem that alerts are not delivered. It causes no event.
const Subject = "alerts"

// The defaults of a Config.
const (
	DefaultRepeatAfter = 15 * time.Minute
	DefaultEvery       = 2 * time.Second
)

// LeastRepeatAfter is the shortest time in which an event may be sent once.
const LeastRepeatAfter = time.Minute

// A Config selects the events and names their receiver.
type Config struct {
	URL    string // of the receiver, with http or https
	Secret Secret // signs messages; the zero Secret signs none
	// Families are the events that are sent; nil for all.
	Families []Family
	// RepeatAfter is the time in which an event of the same subject is sent once, DefaultRepeatAfter for 0. The end of a
	// problem follows its begin at any time, so that the receiver knows the last state.
	RepeatAfter time.Duration

	// Problems returns the present problems. It is called by one goroutine, each Every; DefaultEvery for 0.
	Problems func() []health.Problem
	Every    time.Duration
	// Counters are shared by the gateways of which one sends an event; nil for this gateway alone.
	Counters access.Counters
	// Gateway names this machine to receivers; it may be empty.
	Gateway string
	// Fault is the problem that messages are not delivered.
	Fault *health.Fault
	// Counted is called with the outcome of each message: "sent", "failed" or "dropped". It may be nil, and is called by
	// several goroutines.
	Counted func(eventType, outcome string)

	Logger    *slog.Logger
	Now       func() time.Time  // nil for that of the machine
	Transport http.RoundTripper // nil for http.DefaultTransport
}

// Alerts send events. Use [New], and [Alerts.Run] once.
type Alerts struct {
	cfg    Config
	client *http.Client
	wanted map[Family]bool
	claims claims
	queue  *queue

	crossed chan access.Crossing // that were not looked at yet
	watched map[string]*watched  // by their identity
	round   int                  // the number of the last look
}

// New makes Alerts. The error is of KindInvalid.
func New(cfg Config) (*Alerts, error) {
	if !strings.HasPrefix(cfg.URL, "http://") && !strings.HasPrefix(cfg.URL, "https://") {
		return nil, callwright.Errorf("alert.New", callwright.KindInvalid, "", "expected an address with http:// or https:// and a host")
	}
	if cfg.RepeatAfter == 0 {
		cfg.RepeatAfter = DefaultRepeatAfter
	}
	if cfg.Every == 0 {
		cfg.Every = DefaultEvery
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Counters == nil {
		cfg.Counters = access.NewMemoryCounters(cfg.Now)
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Fault == nil {
		cfg.Fault = health.New(health.Config{Now: cfg.Now}).Fault(Subject, "", "")
	}
	a := &Alerts{cfg: cfg, wanted: map[Family]bool{}, round: 1, claims: newClaims(cfg.Counters, cfg.RepeatAfter),
		queue: newQueue(), crossed: make(chan access.Crossing, maxQueue), watched: map[string]*watched{},
		client: &http.Client{Transport: cfg.Transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	for _, f := range families {
		a.wanted[f.name] = cfg.Families == nil || slices.Contains(cfg.Families, f.name)
	}
	return a, nil
}

// lastTime bounds the delivery of the messages that wait at the end of a gateway.
const lastTime = 3 * time.Second

// Run looks at problems and sends messages until ctx ends. Messages that wait then are tried once more.
func (a *Alerts) Run(ctx context.Context) {
	var beside sync.WaitGroup
	beside.Go(func() { a.sendAll(ctx) })
	tick := time.NewTicker(a.cfg.Every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			a.look(ctx)
			continue
		case c := <-a.crossed:
			a.budget(ctx, &c)
			continue
		case <-ctx.Done():
		}
		break
	}
	beside.Wait()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastTime)
	defer cancel()
	for {
		m, ok := a.queue.take()
		if !ok || last.Err() != nil {
			return
		}
		a.deliverOnce(last, &m)
	}
}

// sendAll sends messages in their order until ctx ends.
func (a *Alerts) sendAll(ctx context.Context) {
	for ctx.Err() == nil {
		m, ok := a.queue.take()
		if ok {
			if !a.deliver(ctx, &m) {
				a.queue.putBack(m)
			}
			continue
		}
		select {
		case <-a.queue.ready:
		case <-ctx.Done():
		}
	}
}

// deliverOnce sends a message without a second attempt.
func (a *Alerts) deliverOnce(ctx context.Context, m *message) {
	if came, _, err := a.attempt(ctx, m.id, m.event.body()); came == delivered {
		a.note(m, "sent", nil)
	} else {
		a.note(m, "failed", err)
	}
}

// add puts an event into the queue. began is the type of the begin of its family.
func (a *Alerts) add(eventType string, d Data, now time.Time, began string) {
	d.Gateway = a.cfg.Gateway
	e := Event{Version: version, Type: eventType, Timestamp: now.UTC(), Data: d, Text: textOf(&d, eventType != began)}
	if m := a.queue.add(message{id: mint.ID("msg_"), event: e}); m != nil {
		a.count(m.event.Type, "dropped")
		a.cfg.Logger.Warn("an alert was dropped: too many wait, or the receiver is gone", "type", m.event.Type, "id", m.id)
	}
}

// note counts the outcome of a message.
func (a *Alerts) note(m *message, outcome string, err error) {
	a.count(m.event.Type, outcome)
	a.cfg.Fault.Note(err)
	if err != nil {
		a.cfg.Logger.Error("an alert was not delivered", "type", m.event.Type, "id", m.id, "error", err)
	}
}

func (a *Alerts) count(eventType, outcome string) {
	if a.cfg.Counted != nil {
		a.cfg.Counted(eventType, outcome)
	}
}
