// Package guard protects web pages against unauthorized requests: by sessions, by the origin of a request, by its host
// name, and by a limit of failed logins.
package guard
