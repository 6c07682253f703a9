//go:build race || poison

package pool

// Poisons reports whether returned memory is overwritten.
const Poisons = true
