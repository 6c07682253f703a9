// Package filestore stores workspaces on disk, each in a subdirectory. They survive the process, and another process
// on the same machine can continue them.
//
// # Files
//
// The directory of a workspace is named after its ID. Version 12 is in the file v12.json. It has two lines with
// checksums: the entry of the edit and the state. An edited file is reported as damaged.
//
//	{"n":12,"len":118,"crc":"18a2b35b","entry":{"version":12,"kind":"draft.patch",...}}
//	{"n":12,"len":230,"crc":"0a7c5d11","state":{"id":"ws_1","version":12,"facts":{},"draft":{...},...}}
//
// The file history.jsonl has the first lines of old versions whose files were removed (see [WithVersions]). The file
// lock is empty. The file next.tmp is an incomplete version.
//
// # Durability
//
// Save writes the version to next.tmp, syncs it, renames it, and syncs the directory before it returns. After a crash
// a version exists completely or not at all. For a damaged file Load returns an error with the name of the file. Other
// versions can still be loaded, and Save continues after a damaged version.
//
// # Several processes
//
// Several processes may use the same directory. Save takes an advisory lock (flock, LockFileEx on Windows) on the
// workspace. The lock ends with the process. It requires a local file system, not a network file system. On operating
// systems without such locks [Open] fails with [callwright.KindUnsupported].
package filestore
