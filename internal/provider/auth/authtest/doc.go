// Package authtest simulates both sides of credentials for tests: the token services of AWS, Google and Azure, and
// providers that reject expired credentials. It is made from the documents of these services and shares no code with
// the tested packages.
package authtest
