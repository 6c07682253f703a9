// Package dialecttest is the suite that every format of package dialect passes: what its cases say, whole and split at
// every byte; quoted markup is silent; calls that were rendered are read back.
package dialecttest
