package kit

// A Hint is the Hint of a batch: the facts about its bytes that a codec's encoder needs. The decoder sets Value for
// each batch.
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
