// Package edit implements a session in which a person and a model edit a JSON document.
//
// The document is the draft of a [workspace.State]. [Run] reads lines from the person. A line is a message to the model
// or a command such as ":undo". The results are shown on a [Screen]. The model only has the tools of package statetool.
//
// # Files
//
// In the state folder, the subfolder "workspaces" contains the versions of the document (package filestore). The
// subfolder "edits" contains the model's runs and two files per workspace: ID.chat.json with the run of the current
// conversation, and ID.file.json with checksums of the person's file when it last equaled the draft. A version is
// stored before the person's file is written, and the file is written before changes are shown. A session that follows
// a crash therefore finds every shown version, and can distinguish a file that it wrote from one that another program
// changed.
//
// Several processes may open one document. They edit one workspace, and each shows the changes of the others. The first
// session owns the conversation; the conversations of the others are not stored.
package edit
