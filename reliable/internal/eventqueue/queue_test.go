package eventqueue_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/eventqueue"
	"pgregory.net/rapid"
)

// A drawn is a queue that gets drawn batches, whose bytes are overwritten when the next one comes, as readers do.
type drawn struct {
	*rapid.T
	queue    eventqueue.Queue
	got      []string // what was handed on
	borrowed []byte
	waiting  []int
	batch    int
	want     []wanted
}

// A wanted is the expected output for one batch.
type wanted struct {
	bytes  string
	events []string // empty where it is dropped
	intact bool
}

func newDrawn(t *rapid.T) *drawn {
	d := &drawn{T: t}
	d.queue = eventqueue.Queue{Delivered: &eventqueue.Progress{}, HoldAll: rapid.Bool().Draw(t, "held"), Out: func(b callwright.Batch) bool {
		if b.Raw != nil {
			d.got = append(d.got, "bytes "+string(b.Raw))
		}
		for _, ev := range b.Events {
			d.got = append(d.got, ev.(callwright.TextDelta).Text)
		}
		return true
	}}
	return d
}

// put gives the queue the next batch with its events. Some events wait.
func (d *drawn) put() {
	clear(d.borrowed)
	n := rapid.IntRange(1, 3).Draw(d.T, "events")
	w := wanted{bytes: fmt.Sprintf("%d %s", d.batch, rapid.StringMatching(`[a-z]{0,40}`).Draw(d.T, "bytes")), intact: true}
	d.borrowed = []byte(w.bytes)
	d.batch++
	d.queue.Open(callwright.Batch{Raw: d.borrowed})
	for i := range n {
		text := fmt.Sprintf("%d.%d", d.batch, i)
		w.events = append(w.events, text)
		if rapid.Bool().Draw(d.T, "waits") {
			d.waiting = append(d.waiting, d.queue.Put(callwright.TextDelta{Text: text}, eventqueue.Held))
		} else {
			d.queue.Put(callwright.TextDelta{Text: text}, eventqueue.Ready)
		}
	}
	d.queue.Close()
	d.queue.Release(false)
	d.want = append(d.want, w)
}

// decide decides about one event that waits.
func (d *drawn) decide() {
	i := rapid.IntRange(0, len(d.waiting)-1).Draw(d.T, "which")
	number := d.waiting[i]
	d.waiting = slices.Delete(d.waiting, i, i+1)
	event := d.queue.Event(number).(callwright.TextDelta).Text
	state := rapid.SampledFrom([]eventqueue.State{eventqueue.Ready, eventqueue.Dropped, eventqueue.Replaced}).Draw(d.T, "state")
	for k := range d.want {
		at := slices.Index(d.want[k].events, event)
		if at < 0 {
			continue
		}
		switch state {
		case eventqueue.Dropped:
			d.want[k].events, d.want[k].intact = slices.Delete(d.want[k].events, at, at+1), false
		case eventqueue.Replaced:
			d.want[k].events[at], d.want[k].intact = "instead of "+event, false
		}
	}
	if state == eventqueue.Replaced {
		d.queue.Resolve(number, state, callwright.TextDelta{Text: "instead of " + event})
	} else {
		d.queue.Resolve(number, state)
	}
	d.queue.Release(false)
}

// TestOrder holds for any waiting events and any decisions that events are handed on once, in the order in which they came. The bytes of an
// unchanged batch come before its events, and stay the same although many queues use the same memory one after the other.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := newDrawn(t)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			if len(d.waiting) > 0 && rapid.Bool().Draw(t, "decides") {
				d.decide()
			} else {
				d.put()
			}
		}
		for len(d.waiting) > 0 {
			d.decide()
		}
		d.queue.HoldAll = false
		d.queue.Release(false)
		d.queue.Free()
		var want []string
		for _, w := range d.want {
			if w.intact {
				want = append(want, "bytes "+w.bytes)
			}
			want = append(want, w.events...)
		}
		if !slices.Equal(d.got, want) {
			t.Fatalf("got  %q\nwant %q", d.got, want)
		}
	})
}
