// Command release makes the files of a release into the folder dist: binaries in archives, Debian and RPM packages,
// wheels, npm packages, an image, a chart, a formula, SBOMs, and SHA256SUMS of all.
//
//	go run -C release .                       # all platforms, from a clean commit
//	go run -C release . -platforms host       # this platform alone
//	go run -C release . -dirty                # also with changes that are not committed: for tests
//	go run -C release . -verify               # builds the commit once more, in another folder with an empty build cache, and compares all bytes
//
// The network is used for Go modules alone. Two builds of a commit by the same version of Go give the same bytes: times
// are that of the commit, paths are trimmed, archives are sorted. release/README.md says how a release is made.
//
// It is a module of its own, so that the library does not depend on its dependencies.
package main
