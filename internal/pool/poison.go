//go:build race || poison

package pool

// Poisons reports whether returned memory is overwritten or made inaccessible.
const Poisons = true
