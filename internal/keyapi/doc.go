// Package keyapi serves the keys, the groups of keys, the audit of their changes, and their usage, over HTTP with JSON.
package keyapi
