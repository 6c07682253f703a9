// Package dashboard serves pages for a browser: requests and answers, changes and their reasons, models and their known
// facts, runs of agents that wait for a person, results of evaluations, usage by key, and a playground for texts.
//
// Everything is in the program: templates, style sheets and scripts, so that the pages work without a network and under
// a policy that forbids scripts of others, scripts and styles in a page, and eval. A page is whole as the server makes
// it, and works without scripts; with them it is kept up to date: a script asks for the page again and replaces its
// changed parts, so that there is one form of each page. Charts are drawn of the tables that stand beside them. Static
// files have a hash of their content in their names, and are kept by browsers; nothing else is.
//
// A browser shows a key once, on the login page, and has a session from then on: a random id in a cookie that no script
// and no other site can use. The key must be for access.UI to look and for access.Admin to change anything; both are
// asked of the gate on every request, so a key that has ended ends its sessions. Where the gate is open there is no
// login, and only names of this machine are answered, as by the gateway. Requests that change something must come from
// these pages: they are checked for their origin and for a token that belongs to the session.
//
// The pages show the requests of all keys. A page without a source says how to configure one.
package dashboard
