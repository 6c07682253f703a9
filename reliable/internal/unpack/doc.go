// Package unpack reads native calls that hold a call in another form: arguments in the name, arguments in the markup of
// a dialect, several calls in one.
package unpack
