// Package keyapi serves the keys, the groups of keys, the audit of their changes, and what was used with them, over HTTP with JSON.
package keyapi
