// Package alert sends events of a gateway to a webhook: problems that appear and end, and budgets of keys that are used
// up.
//
// [Alerts] look at the list of problems every few seconds, off the path of requests. A problem that appears is an
// event, and so is its end. Events wait in a bounded queue and are sent one after another, in their order. A failed
// delivery is retried with backoff.
//
// Headers and signature are those of Standard Webhooks 1.0,
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md. The member text of the
// body is a message for people, as incoming webhooks of Slack and Mattermost take it.
package alert
