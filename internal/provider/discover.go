package provider

import (
	"context"
	"maps"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// A Discovery says which providers are asked, beside the requests to them, for the capabilities of their models. The
// zero Discovery is DiscoverOff.
type Discovery string

// The ways of discovery.
const (
	DiscoverOff  Discovery = "off"  // nobody
	DiscoverAuto Discovery = "auto" // servers at loopback and private addresses, and providers that hand requests on to others
	DiscoverOn   Discovery = "on"   // every provider whose answers say something
)

const (
	discoverTime  = 10 * time.Second // how long one discovery may take
	discoverFresh = 15 * time.Minute // how long its answers are believed
	discoverRetry = time.Minute      // the wait after a failure, doubled with each that follows
	discoverSlots = 2                // discoveries at once
)

// discovers reports whether the provider is asked.
func (d Discovery) discovers(row *Row, base *url.URL) bool {
	if !row.Detailed && !row.describes() {
		return false
	}
	return d == DiscoverOn || d == DiscoverAuto && (row.HostsPath != "" || isNear(base.Hostname()))
}

// isNear reports whether a host is this machine or one of its own network: an address that is not public, or a name
// that only such a network knows.
func isNear(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	return slices.Contains([]string{host, "localhost", "local", "internal", "lan"}, last)
}

// A discoverer asks a provider for the capabilities of its models. Requests do not wait for it: its findings hold for
// later ones.
type discoverer struct {
	p      *Provider
	beside bool            // it asks beside requests
	ctx    context.Context // of all that it asks there
	cancel context.CancelFunc
	slots  chan struct{}

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup

	listing sync.Mutex                       // guards what follows
	list    map[callwright.ModelID]caps.Caps // what the list says, of models of which it says something
	kind    Row                              // of the server, as far as it is known
	until   time.Time                        // how long the list is believed
}

func newDiscoverer(p *Provider) *discoverer {
	d := &discoverer{p: p, beside: p.cfg.Discovery.discovers(&p.row, p.base), kind: p.row}
	if d.beside {
		d.slots = make(chan struct{}, discoverSlots)
		d.ctx, d.cancel = context.WithCancel(context.Background())
	}
	return d
}

// close ends the requests under way and waits for them.
func (d *discoverer) close() {
	if !d.beside {
		return
	}
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	d.cancel()
	d.running.Wait()
}

// start runs f beside the caller, unless as many are under way as may be. It reports whether it does.
func (d *discoverer) start(f func()) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return false
	}
	select {
	case d.slots <- struct{}{}:
	default:
		return false
	}
	d.running.Go(func() {
		defer func() { <-d.slots }()
		f()
	})
	return true
}

// discover has the model asked about where that is due.
func (r *Remote) discover() {
	d := r.p.discoverer
	if !d.beside {
		return
	}
	due, now := r.due.Load(), time.Now()
	if now.UnixNano() < due || !r.due.CompareAndSwap(due, now.Add(discoverFresh).UnixNano()) {
		return
	}
	if !d.start(func() { d.refresh(r) }) {
		r.due.Store(due)
	}
}

// refresh asks about a model and keeps the answer.
func (d *discoverer) refresh(r *Remote) {
	ctx, cancel := context.WithTimeout(d.ctx, discoverTime)
	defer cancel()
	found, err := d.ask(ctx, r)
	if err != nil {
		r.backoff = min(max(2*r.backoff, discoverRetry), discoverFresh)
		r.due.Store(time.Now().Add(r.backoff).UnixNano())
		return
	}
	r.backoff = 0
	r.due.Store(time.Now().Add(discoverFresh).UnixNano())
	if now := r.Knowing(found); !reflect.DeepEqual(*r.known.Load(), now) {
		r.known.Store(&now)
	}
}

// Knowing returns the known facts of the model with the discovered ones between the shipped and the configured ones.
// The known dialect of a family stays: the models were trained on it. found stays as it is.
func (r *Remote) Knowing(found caps.Caps) caps.Caps {
	if r.shipped.Dialect != "" {
		found.Dialect, found.Sources = "", maps.Clone(found.Sources)
		delete(found.Sources, "dialect")
	}
	return r.configured.Over(found.Over(r.shipped))
}

// ask returns all that the provider says about a model, with the source Discovered. The error is that of who was asked
// last, where nothing came of it.
func (d *discoverer) ask(ctx context.Context, r *Remote) (found caps.Caps, err *callwright.Error) {
	listed, kind, err := d.fetchListFacts(ctx, r.id)
	if kind.describes() {
		found, err = r.describe(ctx, kind)
	}
	if err != nil {
		return caps.Caps{}, err
	}
	if kind.HostsPath != "" { // its list is about all hosts together
		found = listed.Over(found)
	} else {
		found = found.Over(listed)
	}
	if kind.Name != d.p.row.Name { // what is known of servers of the kind
		found = found.Over(caps.ShippedFor(kind.Name, r.name))
	}
	return found.From(caps.Discovered), nil
}

// fetchListFacts returns the facts of the list about a model, and the kind of the server by it.
func (d *discoverer) fetchListFacts(ctx context.Context, id callwright.ModelID) (found caps.Caps, kind Row, err *callwright.Error) {
	if d.p.row.Detailed && !d.isFresh() {
		var l *modelList
		if l, err = d.p.ownList(ctx); err == nil {
			d.remember(l)
		}
	}
	d.listing.Lock()
	defer d.listing.Unlock()
	found, ok := d.list[id]
	if !ok && d.kind.HostsPath != "" {
		found = d.list[callwright.ModelID(withoutVariant(string(id)))]
	}
	return found, d.kind, err
}

// isFresh reports whether the list is still believed. Two that find it is not may both ask for it.
func (d *discoverer) isFresh() bool {
	d.listing.Lock()
	defer d.listing.Unlock()
	return time.Now().Before(d.until)
}

// remember keeps the facts of a list.
func (d *discoverer) remember(l *modelList) {
	if told := d.p.cfg.Listed; told != nil {
		told(l.models, l.complete(d.p.row))
	}
	d.listing.Lock()
	defer d.listing.Unlock()
	d.list, d.kind, d.until = map[callwright.ModelID]caps.Caps{}, l.kind(d.p.row), time.Now().Add(discoverFresh)
	for _, m := range l.models {
		if len(m.Caps.Sources) > 0 {
			d.list[m.Model] = m.Caps
		}
	}
}
