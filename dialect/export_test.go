package dialect

// Work is how many bytes the scanner has looked at, as far as it counts them.
func (s *Scanner) Work() int { return s.work }

// Stalled reports whether a state of the scanner did not move on.
func (s *Scanner) Stalled() bool { return s.stalled }
