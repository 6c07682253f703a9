package kit

// A Hint is the Hint of a callwright.Batch: facts about the batch's raw bytes that the codec's encoder needs. The
// decoder sets Value for each batch.
type Hint[T comparable] struct {
	Value T
	kept  *Hint[T]
}

// Keep returns a copy of h. It returns the same copy as the last time if Value is equal, to save memory.
func (h *Hint[T]) Keep() any {
	if h.kept == nil || h.kept.Value != h.Value {
		h.kept = &Hint[T]{Value: h.Value}
	}
	return h.kept
}
