//go:build !unix

package gateway

// connectionLimit returns 0: the limit of open connections is unknown on this system.
func connectionLimit() int { return 0 }
