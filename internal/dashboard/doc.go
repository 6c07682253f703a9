// Package dashboard serves web pages about a gateway: requests with their answers, repairs and reasons, models with
// their known facts, agent runs that wait for a person, evaluation results, usage by key, and a playground that parses
// model output.
//
// Templates, style sheets and scripts are embedded. The pages work without internet access, and under a content
// security policy without external or inline scripts and styles and without eval. The server renders complete pages,
// which work without scripts. With scripts, a page is updated by requesting it again and replacing the changed parts.
// Charts are drawn from the tables next to them. Static files have a hash of their content in their names and are
// cached by browsers; nothing else is.
//
// A browser sends a key only once, to the login page. After that it has a session: a random id in a cookie that scripts
// and other sites cannot use. The key needs access.UI for viewing and access.Admin for changes. The gate checks the key
// on every request, so an expired key ends its sessions. If no key is required, there is no login, and only host names
// of this machine are accepted. Requests with changes must have the origin of these pages and a token of the session.
//
// The pages show the requests of all keys. A page without a data source explains how to configure one.
package dashboard
