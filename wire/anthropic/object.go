package anthropic

import "github.com/callwright/callwright/internal/jsonx"

// obj writes the members of one object.
type obj struct {
	b     []byte
	start int
}

func open(dst []byte) obj { return obj{append(dst, '{'), len(dst)} }

// name begins a member; its value is to be appended to b.
func (o *obj) name(name string) {
	if len(o.b)-1 > o.start {
		o.b = append(o.b, ',')
	}
	o.b = append(append(append(o.b, '"'), name...), `":`...)
}

func (o *obj) text(name, value string) {
	o.name(name)
	o.b = jsonx.AppendQuote(o.b, value)
}

func (o *obj) raw(name string, value []byte) {
	o.name(name)
	o.b = append(o.b, value...)
}

// members appends the members of an object but for those named.
func (o *obj) members(object []byte, but ...string) {
next:
	for k, v := range jsonx.Members(object) {
		name := k.String()
		for _, b := range but {
			if name == b {
				continue next
			}
		}
		if len(o.b)-1 > o.start {
			o.b = append(o.b, ',')
		}
		o.b = append(jsonx.AppendQuote(o.b, name), ':')
		o.b = append(o.b, v...)
	}
}

func (o *obj) close() []byte { return append(o.b, '}') }
