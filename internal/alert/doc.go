// Package alert sends events of a gateway to a webhook: problems that begin and end, and budgets of keys of which 80 or
// 100 percent are used.
//
// [Alerts] compares the list of problems every few seconds, outside the path of requests. An event reports that a
// problem began or ended. Events wait in a bounded queue and are sent one at a time, in their order. A failed delivery
// is retried with backoff.
//
// Headers and signature follow Standard Webhooks 1.0,
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md. The member text of the
// body is a message for people, in the format of incoming webhooks of Slack and Mattermost.
package alert
