// Package guard tells requests of browsers apart: by their session, by the page that sent them, and by the name that
// they ask.
package guard
