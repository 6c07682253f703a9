// Package processgroup ends a program together with the programs that it started.
package processgroup
