package jsonx

// Canonical appends v in a canonical form, the same for all JSON texts that are equal by Equal: without white space,
// with members sorted by name, and with uniform escapes and numbers. It is for comparing and hashing. The form of
// numbers is not JSON. It takes linear time except for sorting.
func Canonical(dst, v []byte) []byte {
	t := newTree(v)
	if len(t.nodes) == 0 {
		return dst
	}
	c := canon{tree: t, dst: dst}
	c.value(0)
	return c.dst
}

type canon struct {
	*tree
	dst, scratch []byte
}

func (c *canon) value(n int) {
	v := c.text[c.nodes[n].start:c.nodes[n].end]
	switch KindOf(v) {
	case Object:
		c.children(n, '{', '}')
	case Array:
		c.children(n, '[', ']')
	case Text:
		c.appendQuoted(v)
	case Number:
		d := newDecimal(v)
		c.dst = d.append(c.dst)
	default:
		c.dst = append(c.dst, v...)
	}
}

func (c *canon) children(n int, open, closing byte) {
	c.dst = append(c.dst, open)
	for i, child := range c.under(n) {
		if i > 0 {
			c.dst = append(c.dst, ',')
		}
		if open == '{' {
			c.appendQuoted(c.key(child))
			c.dst = append(c.dst, ':')
		}
		c.value(child)
	}
	c.dst = append(c.dst, closing)
}

func (c *canon) appendQuoted(v []byte) {
	c.scratch = Unquote(c.scratch[:0], v)
	c.dst = AppendQuote(c.dst, c.scratch)
}

// append appends the digits and the power of ten of a number: 123e-2. Zero is 0.
func (d *decimal) append(dst []byte) []byte {
	if len(d.whole)+len(d.fraction) == 0 {
		return append(dst, '0')
	}
	if d.negative {
		dst = append(dst, '-')
	}
	dst = append(append(dst, d.whole...), d.fraction...)
	return d.power(append(dst, 'e'))
}
