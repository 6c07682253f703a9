// Package processgroup kills a command together with its child processes.
package processgroup
