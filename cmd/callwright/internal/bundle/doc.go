// Package bundle creates evidence bundles: archives with all recorded data about one request, without secrets.
package bundle
