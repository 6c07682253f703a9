//go:build unix

package gateway

import "syscall"

// connectionLimit returns the number of client connections above which idle ones are closed. It is about half of the
// process's limit of file descriptors, because each running request also needs a connection to a provider. It is 0, for
// no limit, if the limit of file descriptors is unknown or above 1,048,576.
func connectionLimit() int {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l) != nil || l.Cur > 1<<20 {
		return 0
	}
	return max(int(l.Cur)/2-8, 4)
}
