package conversation

import (
	"bytes"
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// attempts and usage are members of a report and of its attempts. Reports for clients omit the usage of single
// attempts, so callwright.Report does not encode it.
const (
	attempts = "attempts"
	usage    = "usage"
)

// report encodes a report in the format for clients, with the additional usage of each attempt.
func (e *encoder) report(r *callwright.Report) {
	list := e.plain(r)
	if r.Attempts != nil {
		inner := encoder{trail: e.trail}
		inner.elements(len(r.Attempts), func(i int) {
			fields := inner.plain(&r.Attempts[i])
			var u encoder
			u.object(usageFields(&r.Attempts[i].Usage))
			fields.Set(usage, u.dst)
			inner.dst = fields.Append(inner.dst)
		})
		e.err = inner.err
		list.Set(attempts, inner.dst)
	}
	e.dst = list.Append(e.dst)
}

// plain encodes v with encoding/json and returns its members.
func (e *encoder) plain(v any) jsonx.List {
	text, err := jsonx.Marshal(v)
	if err != nil {
		e.fail("%v", err)
		return nil
	}
	list, err := jsonx.ParseObject(text)
	if err != nil {
		e.fail("%v", err)
	}
	return list
}

func (d *decoder) report(v []byte) *callwright.Report {
	r := new(callwright.Report)
	if !d.is(v, jsonx.Object) {
		return r
	}
	list, _ := jsonx.ParseObject(v)
	tried, _ := list.Get(attempts)
	if !jsonx.IsNull(tried) {
		d.in(step{name: attempts}, func() { r.Attempts = decodeList(d, tried, d.attempt) })
	}
	list.Delete(attempts)
	d.plain(list, r)
	return r
}

func (d *decoder) attempt(v []byte, a *callwright.Attempt) {
	if !d.is(v, jsonx.Object) {
		return
	}
	list, _ := jsonx.ParseObject(v)
	if used, ok := list.Get(usage); ok {
		d.in(step{name: usage}, func() { d.object(used, usageFields(&a.Usage)) })
	}
	list.Delete(usage)
	d.plain(list, a)
}

// plain decodes the members into v with encoding/json.
func (d *decoder) plain(list jsonx.List, v any) {
	dec := json.NewDecoder(bytes.NewReader(list.Append(nil)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		d.fail("%v", err)
	}
}
