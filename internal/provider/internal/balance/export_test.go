package balance

// IsTried reports whether a request tried a target, or one that shares what failed.
func (w *TargetSequence) IsTried(i int) bool { return w.isTried(i) }

// IsLocked reports whether the lock is held.
func (t *Table) IsLocked() bool {
	if !t.mu.TryLock() {
		return true
	}
	t.mu.Unlock()
	return false
}
