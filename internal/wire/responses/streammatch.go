package responses

import (
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// An event belongs to the item with its call_id, with its item id or with its output_index, in this order. Some servers
// send the same output_index for all items, or none, and some send another id for an item in each event.

// id returns the id of the event's item, empty if missing. It may alias the event.
func (f *eventData) id() []byte {
	v := f.itemID
	if !jsonx.IsText(v) {
		v, _ = jsonx.Find(f.item, "id")
	}
	return jsonx.TextBytes(v)
}

// callID returns the call_id of the event's item, empty if missing. It may alias the event.
func (f *eventData) callID() []byte {
	v, _ := jsonx.Find(f.item, "call_id")
	return jsonx.TextBytes(v)
}

// indexItem adds an item to the index byID under an id or call_id. Several items may have the same one.
func (d *streamDecoder) indexItem(b *streamItem, name string) {
	if name == "" {
		return
	}
	if d.byID == nil {
		d.byID = map[string][]*streamItem{}
	}
	for _, has := range d.byID[name] {
		if has == b {
			return
		}
	}
	d.byID[name] = append(d.byID[name], b)
}

// mayHaveCallID reports whether the item may be the one with this call_id. It is true if either has no call_id.
func (b *streamItem) mayHaveCallID(callID []byte) bool {
	return len(callID) == 0 || b.call.ID == "" || b.call.ID == string(callID)
}

// findByName returns the item, open or ended, with the call_id or the id of the event. If several have it, findByName
// returns the one with the event's output_index, otherwise the last one. It returns nil if there is none.
func (d *streamDecoder) findByName(f *eventData) *streamItem {
	call := f.callID()
	index, placed := f.place()
	var last *streamItem
	for _, name := range [...][]byte{call, f.id()} {
		if len(name) == 0 {
			continue
		}
		list := d.byID[string(name)]
		for i := len(list) - 1; i >= max(0, len(list)-maxOpen); i-- {
			b := list[i]
			if !b.mayHaveCallID(call) {
				continue
			}
			if !placed || b.index == index {
				return b
			}
			if last == nil {
				last = b
			}
		}
	}
	return last
}

// openItem returns the open item that an event belongs to, or nil if there is none.
func (d *streamDecoder) openItem(f *eventData) *streamItem {
	if b := d.findByName(f); b != nil {
		if b.ended {
			return nil
		}
		return b
	}
	index, placed := f.place()
	call, kind := f.callID(), items.Class{}
	if f.item != nil {
		kind = items.ClassOfItem(f.item)
	}
	for i := len(d.items) - 1; i >= 0; i-- {
		b := d.items[i]
		if !b.ended && b.mayHaveCallID(call) && (!placed || b.index == index) && (f.item == nil || b.class.Alike(kind)) {
			return b
		}
	}
	return nil
}

// endedBefore reports whether the item of an event has ended. If the id is unknown, an item with the same output_index
// and the same content counts.
func (d *streamDecoder) endedBefore(f *eventData) bool {
	if b := d.findByName(f); b != nil {
		return b.ended
	}
	index, placed := f.place()
	class, sum := items.ClassOfItem(f.item), items.DigestOf(f.item)
	for _, b := range d.seen {
		if b.ended && placed && b.index == index && b.class.Alike(class) && b.mayHaveCallID(f.callID()) && b.digest == sum {
			return true
		}
	}
	return false
}

// findRepeat returns the streamed item that corresponds to item n of the final response object, or nil. It compares
// ids, then positions, then contents. It does not return an item that is already marked as repeated.
func (d *streamDecoder) findRepeat(item []byte, n int) *streamItem {
	f := eventData{item: item}
	class, call := items.ClassOfItem(item), f.callID()
	for _, name := range [...][]byte{call, f.id()} {
		list := d.byID[string(name)]
		for len(list) > 0 && list[0].repeated { // skips items that were found before
			list = list[1:]
		}
		if len(name) == 0 || len(list) == 0 {
			continue
		}
		d.byID[string(name)] = list
		if b := list[0]; b.mayHaveCallID(call) && b.class.Alike(class) {
			return b
		}
	}
	fits := func(b *streamItem) bool { return !b.repeated && b.class.Alike(class) && b.mayHaveCallID(call) }
	if n < len(d.seen) && d.seen[n].index == n && fits(d.seen[n]) {
		return d.seen[n]
	}
	if len(d.seen) > maxSearched {
		return nil
	}
	sum := items.DigestOf(item)
	for _, b := range d.seen {
		if !b.repeated && b.class.Alike(class) && b.ended && b.digest == sum && b.kind == kit.TextAt(item, "type") &&
			b.call.Name == items.CallName(item, class) {
			return b
		}
	}
	for _, b := range d.items {
		if !b.ended && fits(b) {
			return b
		}
	}
	return nil
}

// maxSearched is the maximum number of streamed items that are compared by content.
const maxSearched = 256
