// Package filestore keeps workspaces in a folder, a folder for each, so that they survive the end of the process and
// can be continued by another one on the same machine.
//
// # Files
//
// The folder of a workspace is named after its id. Version 12 is in the file v12.json, two lines with checksums: the
// entry of the edit and the state. Files can be read and copied with any program. An edited file is reported as
// damaged.
//
//	{"n":12,"len":118,"crc":"18a2b35b","entry":{"version":12,"kind":"draft.patch",...}}
//	{"n":12,"len":230,"crc":"0a7c5d11","state":{"id":"ws_1","version":12,"facts":{},"draft":{...},...}}
//
// The first lines of old versions that are not kept any more (see [WithVersions]) stay in history.jsonl. The file lock
// is empty. next.tmp is a version that was being written.
//
// # Durability
//
// Before Save returns, the version is written to next.tmp and synced, the file is renamed, and the folder is synced:
// after a crash a version is there whole or not at all. A damaged file is an error with the name of the file. The other
// versions can still be loaded, and Save continues after a damaged version.
//
// # Several processes
//
// Stores of several processes may have the same folder. Save holds an advisory lock (flock, on Windows LockFileEx) on
// the workspace for the moment that it takes, which ends with the process. It needs a file system on which such locks
// work: one of the machine itself, not one of a network. [Open] fails with [callwright.KindUnsupported] on operating
// systems that have neither.
package filestore
