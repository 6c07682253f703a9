// Command release builds the files of a release into the folder dist: archives with binaries, Debian and RPM packages,
// Python wheels, npm packages, a container image, a Helm chart, a Homebrew formula, SBOMs, and SHA256SUMS of all files.
//
//	go run -C release .                       # all platforms, from a clean commit
//	go run -C release . -platforms host       # only this platform
//	go run -C release . -dirty                # permits uncommitted changes: for tests
//	go run -C release . -verify               # builds again in another folder with an empty cache and compares all bytes
//
// The network is used only for Go modules. Two builds of a commit with the same Go version produce equal bytes: all
// times are the commit's, paths are trimmed, and archives are sorted. release/README.md describes how a release is
// made.
//
// The command is a separate module, so that the library does not depend on its dependencies.
package main
