// Package dashboard is the pages for a browser: what was asked and answered, what was changed and why, which models there are and what is known
// of them, which runs of agents wait for a person, what evaluations came to, who used how much, and a place to try a text.
//
// Everything is in the program: templates, style sheets and scripts, so that the pages work without a network and under a policy that forbids scripts
// of others, scripts and styles in a page, and eval. A page is whole as the server makes it, and works without scripts; with them it is kept up to date:
// a script asks for the page again and puts what has changed into it, so that there is one form of each page. Charts are drawn of the tables that stand beside them.
// Static files have a hash of what is in them in their names, and are kept by browsers; nothing else is.
//
// A browser shows a key once, on the login page, and has a session from then on: a random id in a cookie that no script and no other site can
// use. The key must be for access.UI to look and for access.Admin to change anything; both are asked of the gate on every request, so a key that
// has ended ends its sessions. Where the gate is open there is no login, and only names of this machine are answered, as by the gateway.
// Requests that change something must come from these pages: they are checked for their origin and for a token that belongs to the session.
//
// The pages show the requests of all keys. A page without a source says how to configure one.
package dashboard
