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

// A Discovery decides which providers are asked for the capabilities of their models, in the background. The zero
// Discovery is like DiscoverOff.
type Discovery string

// The values of Discovery.
const (
	DiscoverOff  Discovery = "off"  // no provider
	DiscoverAuto Discovery = "auto" // servers at loopback and private addresses, and providers that forward requests to several hosts
	DiscoverOn   Discovery = "on"   // all providers that describe their models
)

const (
	discoverTime  = 10 * time.Second // timeout of one discovery
	discoverFresh = 15 * time.Minute // how long the results are valid
	discoverRetry = time.Minute      // wait after a failure, doubled with each further failure
	discoverSlots = 2                // maximum number of concurrent discoveries
)

// discovers reports whether a provider with this row and base address is asked.
func (d Discovery) discovers(row *Row, base *url.URL) bool {
	if !row.Detailed && !row.describes() {
		return false
	}
	return d == DiscoverOn || d == DiscoverAuto && (row.HostsPath != "" || isNear(base.Hostname()))
}

// isNear reports whether a host is this machine or in a private network: a loopback, private or link-local address, or
// a name without dots or under .local, .internal or .lan.
func isNear(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	return slices.Contains([]string{host, "localhost", "local", "internal", "lan"}, last)
}

// A discoverer asks a provider for the capabilities of its models in the background. Requests do not wait for it. The
// results apply to later requests.
type discoverer struct {
	p      *Provider
	beside bool            // whether it asks in the background
	ctx    context.Context // of background requests
	cancel context.CancelFunc
	slots  chan struct{}

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup

	listing sync.Mutex                       // guards the fields below
	list    map[callwright.ModelID]caps.Caps // facts from the model list, for models with facts
	kind    Row                              // the table row of the type of server, as far as it is known
	until   time.Time                        // end of the validity of the list
}

func newDiscoverer(p *Provider) *discoverer {
	d := &discoverer{p: p, beside: p.cfg.Discovery.discovers(&p.row, p.base), kind: p.row}
	if d.beside {
		d.slots = make(chan struct{}, discoverSlots)
		d.ctx, d.cancel = context.WithCancel(context.Background())
	}
	return d
}

// close cancels background requests and waits for their end.
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

// start runs f in a goroutine unless the maximum number is running or d is closed. It reports whether it started f.
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

// discover starts a discovery of the model if its facts are too old.
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

// refresh asks for the facts of a model and stores them. After a failure it sets the time of the next attempt.
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

// Knowing returns the known facts of the model with the discovered facts found. They override the built-in facts, and
// the configured facts override both. A built-in dialect is kept, since the model was trained with it. found is not
// modified.
func (r *Remote) Knowing(found caps.Caps) caps.Caps {
	if r.shipped.Dialect != "" {
		found.Dialect, found.Sources = "", maps.Clone(found.Sources)
		delete(found.Sources, "dialect")
	}
	return r.configured.Over(found.Over(r.shipped))
}

// ask returns all facts that the provider states about a model, with the source Discovered. It requests the model list
// and the model's description.
func (d *discoverer) ask(ctx context.Context, r *Remote) (found caps.Caps, err *callwright.Error) {
	listed, kind, err := d.fetchListFacts(ctx, r.id)
	if kind.describes() {
		found, err = r.describe(ctx, kind)
	}
	if err != nil {
		return caps.Caps{}, err
	}
	if kind.HostsPath != "" { // the list is about all hosts together
		found = listed.Over(found)
	} else {
		found = found.Over(listed)
	}
	if kind.Name != d.p.row.Name { // add the built-in facts of the type of server
		found = found.Over(caps.ShippedFor(kind.Name, r.name))
	}
	return found.From(caps.Discovered), nil
}

// fetchListFacts returns the facts about a model in the model list, and the row of the type of server that the list
// identifies. It requests the list if it is too old.
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

// isFresh reports whether the list is still valid. Concurrent callers that find it invalid may all request it.
func (d *discoverer) isFresh() bool {
	d.listing.Lock()
	defer d.listing.Unlock()
	return time.Now().Before(d.until)
}

// remember stores the facts of a model list.
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
