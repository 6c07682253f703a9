//go:build unix

package gateway

import "syscall"

// connectionLimit returns how many connections of clients may be open before idle ones are closed: half of the file
// descriptors that the process may have, since each running request needs one for its provider.
func connectionLimit() int {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l) != nil || l.Cur > 1<<20 {
		return 0
	}
	return max(int(l.Cur)/2-8, 4)
}
