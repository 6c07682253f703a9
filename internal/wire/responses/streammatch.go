package responses

import (
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// Items are told apart by their id, by the call_id of a call, and by their output_index, in this order: servers exist
// that give every item the same place, or none, and others that name an item differently in each event.

// id is the name of the item that an event is about, empty without one. It may alias the event.
func (f *eventData) id() []byte {
	v := f.itemID
	if !jsonx.IsText(v) {
		v, _ = jsonx.Find(f.item, "id")
	}
	return jsonx.TextBytes(v)
}

// callID is the name of the call that an event has, empty without one. It may alias the event.
func (f *eventData) callID() []byte {
	v, _ := jsonx.Find(f.item, "call_id")
	return jsonx.TextBytes(v)
}

// enter makes an item known by a name, which several may have.
func (d *streamDecoder) enter(b *streamItem, name string) {
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

// is reports whether an item can be the one that is called by this call_id.
func (b *streamItem) is(callID []byte) bool {
	return len(callID) == 0 || b.call.ID == "" || b.call.ID == string(callID)
}

// findByName is the item, open or ended, that an event names. Where several have the name it is the one with the
// event's place, else the last that began. It is nil for a name that nobody has.
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
			if !b.is(call) {
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

// openItem returns the open item that an event is about, nil for none.
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
		if !b.ended && b.is(call) && (!placed || b.index == index) && (f.item == nil || b.class.Alike(kind)) {
			return b
		}
	}
	return nil
}

// endedBefore reports whether an event is about an item that has ended.
func (d *streamDecoder) endedBefore(f *eventData) bool {
	if b := d.findByName(f); b != nil {
		return b.ended
	}
	index, placed := f.place()
	class, sum := items.ClassOfItem(f.item), items.DigestOf(f.item)
	for _, b := range d.seen {
		if b.ended && placed && b.index == index && b.class.Alike(class) && b.is(f.callID()) && b.digest == sum {
			return true
		}
	}
	return false
}

// findRepeat returns the item of the whole answer that repeats item n: by name, by place, or by content. Each is found
// once.
func (d *streamDecoder) findRepeat(item []byte, n int) *streamItem {
	f := eventData{item: item}
	class, call := items.ClassOfItem(item), f.callID()
	for _, name := range [...][]byte{call, f.id()} {
		list := d.byID[string(name)]
		for len(list) > 0 && list[0].repeated { // what was found is not looked at again
			list = list[1:]
		}
		if len(name) == 0 || len(list) == 0 {
			continue
		}
		d.byID[string(name)] = list
		if b := list[0]; b.is(call) && b.class.Alike(class) {
			return b
		}
	}
	fits := func(b *streamItem) bool { return !b.repeated && b.class.Alike(class) && b.is(call) }
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

// maxSearched is how many items are compared by content.
const maxSearched = 256
