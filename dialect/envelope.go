package dialect

// OnlyCall is the call that a text consists of, with its arguments; nothing but white space stands around it.
func OnlyCall(text string, o Options) (c *Call, ok bool) {
	o.ReasoningPrimed, o.Quoted = false, nil
	c = onlyCall(o, text)
	return c, c != nil && (c.JSON != "" || len(c.Args) > 0)
}
