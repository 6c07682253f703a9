//go:build race || poison

package pool

// Poisons reports whether what is put back is overwritten.
const Poisons = true
