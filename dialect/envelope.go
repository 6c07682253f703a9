package dialect

// OnlyCall returns the call if text consists of exactly one call with arguments and white space. Otherwise ok is
// false.
func OnlyCall(text string, o Options) (c *Call, ok bool) {
	o.ReasoningPrimed, o.Quoted = false, nil
	c = onlyCall(o, text)
	return c, c != nil && (c.JSON != "" || len(c.Args) > 0)
}
