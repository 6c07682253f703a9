// Package packages installs the files of a release where there is no Go, and asks each program for a first answer: the
// archive, the Debian and the RPM package, the image, the wheel and the npm packages. A simulated model answers.
//
// The files are those for this platform, which the command of the folder release makes before the tests, or those of
// the folder that CALLWRIGHT_DIST names. The roots into which packages are installed have a static BusyBox and nothing
// else; entering them needs root. Tests are skipped where a program is missing that they need, and fail there where
// CALLWRIGHT_REQUIRE is set: .ci/install installs them all.
//
//	cd test/packages && go test ./...
//
// TestReproducible builds this platform once more, with an empty build cache, and takes a minute or two. It runs where
// CALLWRIGHT_LONG is set.
package packages
