// Package bundle makes evidence bundles: archives with all that is known of one request.
package bundle
