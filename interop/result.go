package interop

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// ReadResult parses one tool result in the format f. Parts of its content other than text, images and audio are kept as
// Opaque. Errors are *callwright.Error of KindInvalid, with a JSON Pointer as Path.
func (f Form) ReadResult(text []byte) (callwright.Result, error) {
	const op = "read_result"
	d, err := f.open(op, text)
	if err != nil {
		return callwright.Result{}, err
	}
	for _, form := range f.Results {
		if fits(form.Fixed, d) {
			return f.readResult(op, form, d)
		}
	}
	return callwright.Result{}, f.invalid(op, "", "expected a result, got an object of another type")
}

func (f Form) readResult(op string, form ResultForm, d *doc) (callwright.Result, error) {
	strip(form.Fixed, d)
	r := callwright.Result{Type: form.Type, CallID: d.takeGiven(form.ID), Name: d.takeGiven(form.Name)}
	if v, ok := d.get(form.IsError); ok && jsonx.IsTrue(v) {
		d.take(form.IsError)
		r.IsError = true
	}
	v, ok := d.get(form.Content)
	switch {
	case !ok || jsonx.IsNull(v): // kept in Extra
	case form.Response && jsonx.KindOf(v) == jsonx.Object:
		d.take(form.Content)
		r.Parts, r.IsError = f.response(v)
	case jsonx.KindOf(v) == jsonx.Text && !form.List && !form.Response:
		s, _ := d.takeText(form.Content)
		r.Parts = []callwright.Part{callwright.Text{Text: s}}
	case jsonx.KindOf(v) == jsonx.Array && len(form.Blocks) > 0:
		d.take(form.Content)
		r.Parts = []callwright.Part{}
		for e := range jsonx.Elements(v) {
			r.Parts = append(r.Parts, f.readBlock(form.Blocks, e))
		}
	default:
		return r, f.invalid(op, form.Content.pointer(), "expected the content of a result, got "+jsonx.KindOf(v).String())
	}
	r.Extra = f.extra(d)
	return r, nil
}

// asIs returns an empty Extra of this wire. It marks a text that was an element of a list or a whole object, so that it
// is written back in that form.
func (f Form) asIs() callwright.Extra {
	return callwright.Extra{Wire: f.Wire, JSON: []byte("{}")}
}

// response parses a result object: {"output":"..."}, {"error":"..."} (failed is true), or any other object as one text.
func (f Form) response(v []byte) (parts []callwright.Part, failed bool) {
	if list, _ := jsonx.ParseObject(v); len(list) == 1 {
		if s, ok := jsonx.String(list[0].Value); ok && (list[0].Key == "output" || list[0].Key == "error") {
			return []callwright.Part{callwright.Text{Text: s}}, list[0].Key == "error"
		}
	}
	return []callwright.Part{callwright.Text{Text: string(v), Extra: f.asIs()}}, false
}

// readBlock parses one element of content. An element that matches no Block becomes an Opaque.
func (f Form) readBlock(blocks []Block, v []byte) callwright.Part {
	opaque := callwright.Opaque{Extra: callwright.Extra{Wire: f.Wire, JSON: v}}
	d, err := parse(v)
	if err != nil {
		return opaque
	}
	for i := range blocks {
		b := &blocks[i]
		if !fits(b.Fixed, d) {
			continue
		}
		if p, ok := f.block(b, d); ok {
			return p
		}
	}
	return opaque
}

func (f Form) block(b *Block, d *doc) (callwright.Part, bool) {
	if b.Text != "" {
		s, ok := d.takeText(b.Text)
		if !ok {
			return nil, false
		}
		strip(b.Fixed, d)
		x := f.extra(d)
		if x.JSON == nil {
			x = f.asIs()
		}
		return callwright.Text{Text: s, Extra: x}, true
	}
	var img callwright.Image
	var ok bool
	if b.Data != "" {
		img.Data, ok = d.takeText(b.Data)
	} else if img.URL, ok = d.takeText(b.URL); ok && b.DataURL {
		img = openDataURL(img.URL)
	}
	if !ok {
		return nil, false
	}
	strip(b.Fixed, d)
	if b.MediaType != "" {
		img.MediaType = d.takeGiven(b.MediaType)
	}
	img.Extra = f.extra(d)
	if b.Audio {
		return callwright.File{MediaType: img.MediaType, Data: img.Data, URL: img.URL, Extra: img.Extra}, true
	}
	return img, true
}

// openDataURL returns an image for a URL. The content of a base64 data: URL becomes its Data.
func openDataURL(url string) callwright.Image {
	if rest, ok := strings.CutPrefix(url, "data:"); ok {
		if mediaType, data, ok := strings.Cut(rest, ";base64,"); ok {
			return callwright.Image{MediaType: mediaType, Data: data}
		}
	}
	return callwright.Image{URL: url}
}

// WriteResult encodes one tool result in the format f. Notes name the parts that the format cannot express. If the
// format has no results of custom calls, the result of a custom call is written like any other.
func (f Form) WriteResult(r callwright.Result) ([]byte, []callwright.Note, error) {
	if len(f.Results) == 0 {
		return nil, nil, f.unsupportedError("write_result", "results")
	}
	form := &f.Results[0]
	for i := range f.Results {
		if f.Results[i].Type == r.Type {
			form = &f.Results[i]
			break
		}
	}
	var notes []callwright.Note
	d := begin(form.Fixed)
	if !d.setOptionalText(form.ID, r.CallID) {
		notes = f.appendLossNote(notes, r.CallID, "/id", r.CallID)
	}
	if !d.setOptionalText(form.Name, r.Name) {
		notes = f.appendLossNote(notes, r.CallID, "/name", r.Name)
	}
	switch {
	case !r.IsError || form.Response:
	case form.IsError == "":
		notes = f.appendLossNote(notes, r.CallID, "/is_error", "true")
	default:
		d.put(form.IsError, []byte("true"))
	}
	content, notes := f.content(form, r, notes)
	if _, kept := f.findExtra(r.Extra, form.Content); !kept || r.Parts != nil {
		d.put(form.Content, content)
	}
	notes = f.strangers(notes, r.CallID, r.Extra)
	return f.finish(d, r.Extra), notes, nil
}

// findExtra returns the value at p in an Extra of this format. ok is false for an Extra of another wire.
func (f Form) findExtra(x callwright.Extra, p Path) ([]byte, bool) {
	if x.Wire != f.Wire || len(x.JSON) == 0 {
		return nil, false
	}
	d, err := parse(x.JSON)
	if err != nil {
		return nil, false
	}
	return d.get(p)
}

// content encodes the parts of a tool result in the format's content member.
func (f Form) content(form *ResultForm, r callwright.Result, notes []callwright.Note) ([]byte, []callwright.Note) {
	for _, p := range r.Parts {
		switch p := p.(type) {
		case callwright.Text:
			notes = f.strangers(notes, r.CallID, p.Extra)
		case callwright.Image:
			notes = f.strangers(notes, r.CallID, p.Extra)
		case callwright.File:
			notes = f.strangers(notes, r.CallID, p.Extra)
		}
	}
	if form.Response || len(form.Blocks) == 0 {
		return f.plain(form, r, notes)
	}
	if !form.List && (r.Parts == nil || len(r.Parts) == 1 && f.isPlain(r.Parts[0])) {
		return jsonx.AppendQuote(nil, callwright.TextOf(r.Parts)), notes
	}
	out := []byte{'['}
	for _, p := range r.Parts {
		b, ok := f.writeBlock(form.Blocks, p)
		if !ok {
			notes = f.leftPart(notes, r.CallID, p)
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, b...)
	}
	return append(out, ']'), notes
}

// isPlain reports whether a part is a text that was not read from a list or an object, see asIs.
func (f Form) isPlain(p callwright.Part) bool {
	t, ok := p.(callwright.Text)
	return ok && t.Extra.Wire != f.Wire
}

// plain encodes the texts of a result as one string, or as a Response object. Other parts get a note.
func (f Form) plain(form *ResultForm, r callwright.Result, notes []callwright.Note) ([]byte, []callwright.Note) {
	for _, p := range r.Parts {
		if _, ok := p.(callwright.Text); !ok {
			notes = f.leftPart(notes, r.CallID, p)
		}
	}
	text := r.Text()
	if !form.Response {
		return jsonx.AppendQuote(nil, text), notes
	}
	if len(r.Parts) == 1 && !r.IsError && !f.isPlain(r.Parts[0]) && jsonx.Valid([]byte(text)) == nil &&
		jsonx.KindOf([]byte(text)) == jsonx.Object {
		return []byte(text), notes
	}
	d := &doc{}
	if r.IsError {
		d.text("error", text)
	} else {
		d.text("output", text)
	}
	return d.list.Append(nil), notes
}

func (f Form) leftPart(notes []callwright.Note, call string, p callwright.Part) []callwright.Note {
	switch p := p.(type) {
	case callwright.Image:
		return f.appendLossNote(notes, call, "/content", "an image "+p.MediaType)
	case callwright.File:
		return f.appendLossNote(notes, call, "/content", "a file "+p.Name+" "+p.MediaType)
	case callwright.Opaque:
		return f.appendLossNote(notes, call, "/content", string(p.Extra.JSON))
	}
	return f.appendLossNote(notes, call, "/content", "a part")
}

// writeBlock encodes a part as an element of content. ok is false if no Block can express it.
func (f Form) writeBlock(blocks []Block, p callwright.Part) ([]byte, bool) {
	if o, ok := p.(callwright.Opaque); ok {
		return o.Extra.JSON, o.Extra.Wire == f.Wire
	}
	for i := range blocks {
		b := &blocks[i]
		d := begin(b.Fixed)
		var x callwright.Extra
		switch p := p.(type) {
		case callwright.Text:
			if b.Text == "" {
				continue
			}
			d.text(b.Text, p.Text)
			x = p.Extra
		case callwright.Image:
			if b.Audio || !b.show(d, p) {
				continue
			}
			x = p.Extra
		case callwright.File:
			if !b.Audio || !b.show(d, callwright.Image{MediaType: p.MediaType, Data: p.Data, URL: p.URL}) {
				continue
			}
			x = p.Extra
		}
		return f.finish(d, x), true
	}
	return nil, false
}

// show writes an image to d, as data at b.Data or as a URL at b.URL. It returns false if b has no path for the image.
func (b *Block) show(d *doc, img callwright.Image) bool {
	switch {
	case b.Data != "" && img.Data != "":
		d.text(b.Data, img.Data)
		return d.setOptionalText(b.MediaType, img.MediaType)
	case b.URL != "" && img.URL != "":
		d.text(b.URL, img.URL)
		return true
	case b.URL != "" && b.DataURL && img.Data != "":
		d.text(b.URL, "data:"+img.MediaType+";base64,"+img.Data)
		return true
	}
	return false
}
