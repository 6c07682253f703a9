// Package dashboard is the pages for a browser: what was asked and answered, what was changed and why, which models there are and what is known
// of them, who used how much, and a place to try a text.
//
// Everything is in the program: templates, the style sheet and no script at all, so that the pages work without a network and under a policy
// that forbids scripts of others. Charts are SVG that the server draws.
//
// A browser shows a key once, on the login page, and has a session from then on: a random id in a cookie that no script and no other site can
// use. The key must be for access.UI to look and for access.Admin to change anything; both are asked of the gate on every request, so a key that
// has ended ends its sessions. Where the gate is open there is no login, and only names of this machine are answered, as by the gateway.
// Requests that change something must come from these pages: they are checked for their origin and for a token that belongs to the session.
//
// The pages show the requests of all keys. A page without a source says how to configure one.
package dashboard
