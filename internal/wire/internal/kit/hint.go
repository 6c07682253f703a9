package kit

// A Hint is the Hint of a batch: what a codec's encoder has to know about its bytes. The decoder sets Value for each batch.
type Hint[T comparable] struct {
	Value T
	kept  *Hint[T]
}

// Keep returns a copy, the one of before where it is equal: most batches of a stream are alike.
func (h *Hint[T]) Keep() any {
	if h.kept == nil || h.kept.Value != h.Value {
		h.kept = &Hint[T]{Value: h.Value}
	}
	return h.kept
}
