package balance

// IsTried reports whether a request tried a target, or one that shares what failed.
func (w *Way) IsTried(i int) bool { return w.isTried(i) }
