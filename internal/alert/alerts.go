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

// Subject is the subject of the problem that alerts are not delivered. This problem sends no event.
const Subject = "alerts"

// The defaults of the fields of Config.
const (
	DefaultRepeatAfter = 15 * time.Minute
	DefaultEvery       = 2 * time.Second
)

// LeastRepeatAfter is the minimum of Config.RepeatAfter in a configuration file.
const LeastRepeatAfter = time.Minute

// A Config selects the events and names the webhook that receives them.
type Config struct {
	URL    string // http or https URL of the receiver
	Secret Secret // signs messages; the zero Secret signs none
	// Families selects the events to send; nil for all.
	Families []Family
	// RepeatAfter is the minimum time between two messages that the same problem began; DefaultRepeatAfter for 0. The
	// message that a problem ended is always sent, so that the receiver knows the last state.
	RepeatAfter time.Duration

	// Problems returns the present problems. One goroutine calls it at intervals of Every, DefaultEvery for 0.
	Problems func() []health.Problem
	Every    time.Duration
	// Counters are shared by several gateways, one of which sends each event. nil for a gateway alone.
	Counters access.Counters
	// Gateway is the name of this machine in messages; may be empty.
	Gateway string
	// Fault receives the result of each delivery; nil for none.
	Fault *health.Fault
	// Counted is called with the event type and the outcome of each message: "sent", "failed" or "dropped". It may be nil.
	// Several goroutines call it.
	Counted func(eventType, outcome string)

	Logger    *slog.Logger
	Now       func() time.Time  // nil for time.Now
	Transport http.RoundTripper // nil for http.DefaultTransport
}

// Alerts sends the events of a gateway to a webhook. Make it with [New], and call [Alerts.Run] once.
type Alerts struct {
	cfg    Config
	client *http.Client
	wanted map[Family]bool
	claims claims
	queue  *queue

	crossed chan access.Crossing // budget events that Run has not processed yet
	watched map[string]*watched  // key: identityOf the problem
	round   int                  // number of calls of look, plus 1
}

// New returns Alerts for a configuration. It returns an error of KindInvalid if the URL has another scheme than http or
// https.
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

// lastTime is the maximum time for sending the waiting messages at the end of Run.
const lastTime = 3 * time.Second

// Run checks the problems and sends messages until ctx ends. It then tries to send each waiting message once more,
// within lastTime.
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

// deliverOnce sends a message, without a retry.
func (a *Alerts) deliverOnce(ctx context.Context, m *message) {
	if came, _, err := a.attempt(ctx, m.id, m.event.body()); came == delivered {
		a.note(m, "sent", nil)
	} else {
		a.note(m, "failed", err)
	}
}

// add adds an event to the queue. began is the type of the family's begin event. An eventType other than began is an
// end event.
func (a *Alerts) add(eventType string, d Data, now time.Time, began string) {
	d.Gateway = a.cfg.Gateway
	e := Event{Version: version, Type: eventType, Timestamp: now.UTC(), Data: d, Text: textOf(&d, eventType != began)}
	if m := a.queue.add(message{id: mint.ID("msg_"), event: e}); m != nil {
		a.count(m.event.Type, "dropped")
		a.cfg.Logger.Warn("an alert was dropped, because too many are waiting or the receiver is gone", "type", m.event.Type, "id", m.id)
	}
}

// note records the outcome of a message, "sent" or "failed", with the error of the delivery.
func (a *Alerts) note(m *message, outcome string, err error) {
	a.count(m.event.Type, outcome)
	a.cfg.Fault.Note(err)
	if err != nil {
		a.cfg.Logger.Error("alert not delivered", "type", m.event.Type, "id", m.id, "error", err)
	}
}

func (a *Alerts) count(eventType, outcome string) {
	if a.cfg.Counted != nil {
		a.cfg.Counted(eventType, outcome)
	}
}
